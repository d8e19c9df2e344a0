import { LineProcess } from "../line-process.js";
import { BenchError, type BenchOptions, type BenchOutput } from "../measurement.js";
import { pythonCommand } from "../python-command.js";
import { batchRecords, type PreparedQuery, type QueryInput } from "./query-input.js";

/** Runs struct2tensor in a Python process, which measures its own time. The process starts when the first query is prepared. */
export class PeerQueries {
  readonly #options: Pick<BenchOptions, "python">;
  readonly #output: BenchOutput;
  #started: Promise<LineProcess | undefined> | undefined;

  constructor(options: Pick<BenchOptions, "python">, output: BenchOutput) {
    this.#options = options;
    this.#output = output;
  }

  /** Prepares a query. If struct2tensor is missing, notes the reason and resolves to undefined. */
  async prepare({ set, type, path }: QueryInput): Promise<PreparedQuery | undefined> {
    const peer = await (this.#started ??= this.#start());
    if (peer === undefined) return undefined;
    const { query, paths, view } = set;
    const request = { ...type, query, paths, view, path, batchRecords };
    return {
      run: async () => (await peer.ask(request)) as { readonly seconds: number; readonly numValues: number },
    };
  }

  /** Ends the process, if it was started. */
  async close(): Promise<void> {
    (await this.#started)?.close();
  }

  async #start(): Promise<LineProcess | undefined> {
    const { program } = await this.#options.python("struct2tensor");
    const peer = new LineProcess(pythonCommand(program, "struct2tensor_queries.py"));
    try {
      const { version } = (await peer.receive()) as { readonly version: string };
      this.#output.note("struct2tensor", version);
      return peer;
    } catch (error) {
      peer.close();
      if (!(error instanceof BenchError)) throw error;
      this.#output.note("struct2tensor", `absent (${error.message})`);
      return undefined;
    }
  }
}
