import { LineProcess } from "../../line-process.js";
import { BenchError } from "../../measurement.js";
import type { PeerPython } from "../../peer-python.js";
import { pythonCommand } from "../../python-command.js";
import { flatColumns } from "../flat-table.js";
import type { TableDigest } from "../table-digest.js";
import type { TableKind } from "../table-file.js";
import type { TableRun, TableSubject } from "../table-subject.js";

/** First message of the Python process: for each module, its version or the reason why it is missing. */
interface Hello {
  readonly versions: Readonly<Record<string, { readonly version?: string; readonly absent?: string }>>;
}

/** Reads tables with Python libraries, in one process for all sets of a bench. That process measures its own time. */
export class PythonTables {
  readonly #python: () => Promise<PeerPython>;
  #process: LineProcess | undefined;
  #hello: Promise<Hello> | undefined;

  constructor(python: () => Promise<PeerPython>) {
    this.#python = python;
  }

  /**
   * Creates a subject.
   * @param engine Name of a Python package, optionally followed by a colon and a mode, as in `pyarrow:mmap`.
   * @param infer Whether the engine must infer the types. Otherwise it gets the types of the columns.
   */
  subject(engine: string, kind: TableKind, infer: boolean): TableSubject {
    const [module = ""] = engine.split(":");
    const ask = (what: "run" | "digest", path: string): Promise<unknown> =>
      (this.#process as LineProcess).ask({ do: what, engine, kind, path, columns: flatColumns, infer });
    return {
      name: engine,
      reads: "whole",
      prepare: async () => {
        try {
          const { versions } = await (this.#hello ??= this.#start());
          const { version, absent } = versions[module] ?? {};
          if (version === undefined) return { absent: absent ?? `${module} is unknown` };
          return {
            version,
            run: async ({ path }) => (await ask("run", path)) as TableRun,
            digest: async ({ path }) => (await ask("digest", path)) as TableDigest,
          };
        } catch (error) {
          if (error instanceof BenchError) return { absent: error.message };
          throw error;
        }
      },
    };
  }

  /** Ends the process, if any. */
  close(): void {
    this.#process?.close();
  }

  async #start(): Promise<Hello> {
    const { program } = await this.#python();
    this.#process = new LineProcess(pythonCommand(program, "read_table.py"));
    return (await this.#process.receive()) as Hello;
  }
}
