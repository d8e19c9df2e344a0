import { spawnSync } from "node:child_process";
import path from "node:path";
import { BenchError } from "../../measurement.js";
import type { BenchSet } from "../../sets/bench-set.js";
import type { DecodeDigest } from "../column-digest.js";
import type { DecodeSubject, Run } from "../subject.js";
import { LineProcess } from "./line-process.js";

const script = path.join(import.meta.dirname, "../../../python/parse_example.py");

/**
 * TensorFlow's C++ parser, `TFRecordDataset → batch → parse_example`, in a Python process that lives through all sets
 * and rounds. It is held to one thread and, where `taskset` exists, to one core; it checks CRCs, times itself, and
 * reads the file from the page cache. Ragged tensors do not tell null from empty, so it reports no nulls.
 */
export class Tensorflow {
  readonly subjects: readonly DecodeSubject[];
  readonly #python: string;
  #process: LineProcess | undefined;
  #absent: Promise<string | undefined> | undefined;

  constructor(python = "python3") {
    this.#python = python;
    this.subjects = [
      this.#subject("tensorflow", false, () => true),
      // Its faster path, for sets whose records all have the same, and more than one, number of values.
      this.#subject("tensorflow:fixed", true, ({ columns }) =>
        columns.every(({ fixedLength }) => fixedLength !== undefined && fixedLength > 1),
      ),
    ];
  }

  close(): void {
    this.#process?.close();
  }

  #subject(name: string, fixed: boolean, supports: (set: BenchSet) => boolean): DecodeSubject {
    return {
      name,
      route: "native",
      supports: (set) => set.payload === "example" && supports(set),
      prepare: async ({ columns }, { whole, sample }) => {
        this.#absent ??= this.#start();
        const absent = await this.#absent;
        const process = this.#process;
        if (absent !== undefined || process === undefined) return { absent: absent ?? "not started" };
        return {
          numBytes: whole.numBytes,
          numRecords: whole.numRecords,
          run: async () => (await process.ask({ do: "run", path: whole.path, columns, fixed })) as Run,
          digest: async () =>
            (await process.ask({ do: "digest", path: sample.path, columns, fixed })) as DecodeDigest,
        };
      },
    };
  }

  /** Why it is absent; undefined once it runs. */
  async #start(): Promise<string | undefined> {
    this.#process = new LineProcess([...pinning(), this.#python, "-u", script]);
    try {
      await this.#process.receive();
      return undefined;
    } catch (error) {
      if (error instanceof BenchError) return error.message;
      throw error;
    }
  }
}

function pinning(): readonly string[] {
  const pin = ["taskset", "-c", "0"];
  return spawnSync("taskset", ["-c", "0", "true"]).status === 0 ? pin : [];
}
