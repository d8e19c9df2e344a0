import { readFile } from "node:fs/promises";
import path from "node:path";
import { LineProcess } from "../line-process.js";
import { BenchError, type BenchOptions, type BenchOutput } from "../measurement.js";
import { pythonCommand } from "../python-command.js";
import type { EncodeSubject } from "./encode-subject.js";

/** The Python subjects, each with its script in `python/`. */
export const pythonEncodings = [
  // Creates `tf.train.Example` objects, as most TFX programs do. Protobuf's C library serializes them.
  { name: "tensorflow", script: "encode_example.py" },
  // RecordBatchToExamplesEncoder encodes each record batch as a list of records.
  { name: "tfx_bsl", script: "tfx_bsl_encode.py" },
] as const;

type Started = LineProcess | { readonly absent: string };

/** A Python process that encodes, and measures its own time. It starts when the first set is prepared. */
export class PythonEncoding {
  readonly subject: EncodeSubject;
  #started: Promise<Started> | undefined;

  constructor(
    { name, script }: (typeof pythonEncodings)[number],
    { python, cacheFolder: folder }: Pick<BenchOptions, "python" | "cacheFolder">,
    output: BenchOutput,
  ) {
    const start = async (): Promise<Started> => {
      const { program, whyNoTfxBsl } = await python();
      if (name === "tfx_bsl" && whyNoTfxBsl !== undefined) return { absent: whyNoTfxBsl };
      return startScript(name, pythonCommand(program, script), output);
    };
    this.subject = {
      name,
      prepare: async ({ set, path: file }) => {
        this.#started ??= start();
        const process = await this.#started;
        if ("absent" in process) return process;
        const columns = set.columns.map((column) => ({ name: column.name, kind: column.kind }));
        const target = path.join(folder, `encode-${name}-${set.name}.tfrecord`);
        return {
          run: async () => {
            const answer = await process.ask({ do: "run", path: file, columns });
            return (answer as { readonly seconds: number }).seconds;
          },
          records: async () => {
            await process.ask({ do: "write", path: file, columns, target });
            return { tfRecords: await readFile(target) };
          },
        };
      },
    };
  }

  /** Ends the process, if it was started. */
  async close(): Promise<void> {
    const started = await this.#started;
    if (started !== undefined && !("absent" in started)) started.close();
  }
}

async function startScript(name: string, command: readonly string[], output: BenchOutput): Promise<Started> {
  const process = new LineProcess(command);
  try {
    const { version } = (await process.receive()) as { readonly version: string };
    output.note(name, version);
    return process;
  } catch (error) {
    process.close();
    if (error instanceof BenchError) return { absent: error.message };
    throw error;
  }
}
