import path from "node:path";
import { LineProcess } from "../../line-process.js";
import type { PipelineRun, PipelineSubject } from "./pipeline-subject.js";

const child = path.join(import.meta.dirname, "../../../dist/dataset/pipelines/javascript-child.js");

/**
 * Runs each JavaScript subject in a separate process. In a single process, V8 would optimize shared functions for the objects of
 * all subjects. Each subject would also pay for the garbage of the others.
 */
export class JavascriptProcesses {
  readonly #processes: LineProcess[] = [];

  /** Returns the same subject, but in a separate process. Its `prepare` starts the process. */
  subject({ name, mostRows, pipelines }: Omit<PipelineSubject, "prepare" | "run">): PipelineSubject {
    let running: LineProcess | undefined;
    return {
      name,
      mostRows,
      pipelines,
      prepare: async () => {
        running = new LineProcess([process.execPath, child, name]);
        this.#processes.push(running);
        return (await running.receive()) as { readonly version: string };
      },
      run: async (pipeline, input) => (await running?.ask({ pipeline, ...input })) as PipelineRun,
    };
  }

  /** Ends all processes. */
  close(): void {
    for (const each of this.#processes) each.close();
  }
}
