import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { LineProcess } from "../line-process.js";
import { BenchError, type BenchOutput } from "../measurement.js";
import type { PeerPython } from "../peer-python.js";
import { pythonCommand } from "../python-command.js";
import type { Conversion, ConversionInput } from "./conversion.js";
import type { ArrayDigest, ConvertSubject } from "./convert-subject.js";

interface PythonOptions {
  /** The Python library to use. It is also the name of the subject. */
  readonly library: "pyarrow" | "tensorflow";
  readonly python: () => Promise<PeerPython>;
  /** Folder for the input files. It is created if it does not exist. */
  readonly folder: string;
}

/**
 * Converts with pyarrow and numpy, or with TensorFlow's ragged tensors. The Python process starts at first use and measures its
 * own time, so the exchange of messages is not timed.
 */
export class PythonConversion {
  readonly subject: ConvertSubject;
  readonly #options: PythonOptions;
  #started: Promise<LineProcess | { readonly absent: string }> | undefined;

  constructor(options: PythonOptions, output: BenchOutput) {
    this.#options = options;
    const { library, folder } = options;
    this.subject = {
      name: library,
      does: ({ kind }) => kind !== "varints",
      prepare: async (conversion, input) => {
        this.#started ??= this.#start(output);
        const process = await this.#started;
        if ("absent" in process) return process;
        const { name: set, kind, dtype, rowSize, fill } = conversion;
        const request = { kind, dtype, rowSize, fill, path: await writeInput(folder, conversion, input) };
        return {
          run: async (repeats) => {
            const answer = await process.ask({ ...request, do: "run", repeats });
            return (answer as { readonly seconds: number }).seconds;
          },
          digest: async () => {
            const answer = await process.ask({ ...request, do: "digest", set });
            return (answer as { readonly arrays: readonly ArrayDigest[] }).arrays;
          },
        };
      },
    };
  }

  /** Ends the Python process, if it was started. */
  async close(): Promise<void> {
    const started = await this.#started;
    if (started !== undefined && !("absent" in started)) started.close();
  }

  async #start(output: BenchOutput): Promise<LineProcess | { readonly absent: string }> {
    const { library, python } = this.#options;
    const process = new LineProcess(pythonCommand((await python()).program, "convert.py", library));
    try {
      const { version } = (await process.receive()) as { readonly version: string };
      output.note(library, version);
      return process;
    } catch (error) {
      if (!(error instanceof BenchError)) throw error;
      return { absent: error.message };
    }
  }
}

/** Writes the input, except its bitmap, as `PATH.splits`, `PATH.values` and `PATH.rows`, without headers. Resolves to PATH. */
async function writeInput(
  folder: string,
  { name }: Conversion,
  { rowSplits, values, rows }: ConversionInput,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `convert-${name}`);
  await writeFile(`${file}.splits`, rowSplits);
  await writeFile(`${file}.values`, values);
  await writeFile(`${file}.rows`, rows);
  return file;
}
