import { LineProcess } from "../line-process.js";
import { BenchError, type BenchOptions, type BenchOutput } from "../measurement.js";
import { pythonCommand } from "../python-command.js";
import type { ProtoSubject } from "./proto-subject.js";

/** Python libraries that read messages. Each name is an argument of `python/decode_messages.py`. */
export const pythonReaders = ["tensorflow", "struct2tensor", "python-protobuf"] as const;

type Started = LineProcess | { readonly absent: string };

/** A Python process that decodes the messages of a file, and measures its own time. */
export class PythonMessages {
  readonly subject: ProtoSubject;
  #started: Promise<Started> | undefined;

  constructor(
    reader: (typeof pythonReaders)[number],
    { python }: Pick<BenchOptions, "python">,
    output: BenchOutput,
  ) {
    this.subject = {
      name: reader,
      prepare: async ({ path, type }) => {
        this.#started ??= startReader(reader, (await python()).program, output);
        const process = await this.#started;
        if ("absent" in process) return process;
        const ask = async (): Promise<{ readonly seconds: number; readonly numValues: number }> =>
          (await process.ask({ path, ...type })) as { readonly seconds: number; readonly numValues: number };
        return { run: async () => (await ask()).seconds, decoded: ask };
      },
    };
  }

  /** Ends the process, if it was started. */
  async close(): Promise<void> {
    const started = await this.#started;
    if (started !== undefined && !("absent" in started)) started.close();
  }
}

async function startReader(reader: string, program: string, output: BenchOutput): Promise<Started> {
  const process = new LineProcess(pythonCommand(program, "decode_messages.py", reader));
  try {
    const { version } = (await process.receive()) as { readonly version: string };
    output.note(reader, version);
    return process;
  } catch (error) {
    process.close();
    if (error instanceof BenchError) return { absent: error.message };
    throw error;
  }
}
