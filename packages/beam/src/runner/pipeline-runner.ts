import type { Root } from "apache-beam/pvalue";
import type { PipelineResult } from "apache-beam/runners/runner";

/**
 * A runner that accepts an asynchronous function to build a pipeline, which our transforms need. The SDK awaits this function,
 * but its types do not say so.
 */
export interface PipelineRunner {
  /** Builds a pipeline, runs it, and waits until it has ended. @throws the errors of `build` and of the runner. */
  run(build: (root: Root) => unknown): Promise<PipelineResult>;
}
