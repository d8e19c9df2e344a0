import { LineProcess } from "../../line-process.js";
import { BenchError } from "../../measurement.js";
import type { BenchSet } from "../../sets/bench-set.js";
import type { DecodeDigest } from "../column-digest.js";
import { type AbsentSubject, batchRowsOf, type DecodeSubject, type Run } from "../subject.js";

/** First message of the process. */
interface Hello {
  readonly version: string;
}

/**
 * A peer in a separate process, which starts at first use and serves all sets and rounds. The process first prints
 * `{ version }`. Then it answers each request with a {@link Run}, whose time it measures itself, or a {@link DecodeDigest}.
 */
export class ProcessPeer {
  readonly #command: () => Promise<readonly string[]>;
  #process: LineProcess | undefined;
  #started: Promise<Hello | AbsentSubject> | undefined;

  /** @param command Resolves to a program and its arguments. Rejects with a `BenchError` if the peer is not installed. */
  constructor(command: () => Promise<readonly string[]>) {
    this.#command = command;
  }

  /** Returns a subject of this peer. Its requests include the members of `extras`. */
  subject(name: string, supports: (set: BenchSet) => boolean, extras: object): DecodeSubject {
    return {
      name,
      route: "native",
      supports,
      prepare: async (set, { whole, sample }) => {
        const { columns, sequenceColumns } = set;
        const request = { columns, sequenceColumns, batchRows: batchRowsOf(set), ...extras };
        this.#started ??= this.#start();
        const started = await this.#started;
        if ("absent" in started) return started;
        const ask = (what: "run" | "digest", path: string): Promise<unknown> =>
          (this.#process as LineProcess).ask({ ...request, do: what, path });
        return {
          version: started.version,
          numBytes: whole.numBytes,
          numRecords: whole.numRecords,
          run: async () => (await ask("run", whole.path)) as Run,
          digest: async () => (await ask("digest", sample.path)) as DecodeDigest,
        };
      },
    };
  }

  /** Ends the process, if any. */
  close(): void {
    this.#process?.close();
  }

  async #start(): Promise<Hello | AbsentSubject> {
    try {
      this.#process = new LineProcess(await this.#command());
      return (await this.#process.receive()) as Hello;
    } catch (error) {
      if (error instanceof BenchError) return { absent: error.message };
      throw error;
    }
  }
}
