import { readFile } from "node:fs/promises";
import path from "node:path";
import { LineProcess } from "../line-process.js";
import { BenchError, type BenchOutput } from "../measurement.js";
import { pythonCommand } from "../python-command.js";
import type { EncodeSubject } from "./encode-subject.js";

/** Python as most TFX programs write Examples: `tf.train.Example` objects, whose C library serializes them. */
export class PythonEncoding {
  readonly subject: EncodeSubject;
  #started: Promise<LineProcess | { readonly absent: string }> | undefined;

  constructor(python: string | undefined, folder: string, output: BenchOutput) {
    this.subject = {
      name: "tensorflow",
      prepare: async ({ set, path: file }) => {
        this.#started ??= start(python, output);
        const process = await this.#started;
        if ("absent" in process) return process;
        const columns = set.columns.map(({ name, kind }) => ({ name, kind }));
        const target = path.join(folder, `encode-${set.name}.tfrecord`);
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

  async close(): Promise<void> {
    const started = await this.#started;
    if (started !== undefined && !("absent" in started)) started.close();
  }
}

async function start(
  python = "python3",
  output: BenchOutput,
): Promise<LineProcess | { readonly absent: string }> {
  const process = new LineProcess(pythonCommand(python, "encode_example.py"));
  try {
    const { version } = (await process.receive()) as { readonly version: string };
    output.note("tensorflow", version);
    return process;
  } catch (error) {
    process.close();
    if (error instanceof BenchError) return { absent: error.message };
    throw error;
  }
}
