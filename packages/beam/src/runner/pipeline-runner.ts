import type { Root } from "apache-beam/pvalue";
import type { PipelineResult } from "apache-beam/runners/runner";

/**
 * A runner that accepts an asynchronous function to build a pipeline. Our transforms need such a function, because they are
 * applied asynchronously. The SDK awaits it, but the SDK's types do not say so.
 */
export interface PipelineRunner {
  /** Builds a pipeline, runs it, and waits until it has ended. @throws the errors of `build` and of the runner. */
  run(build: (root: Root) => unknown): Promise<PipelineResult>;
}
