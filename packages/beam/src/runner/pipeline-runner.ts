import type { Root } from "apache-beam/pvalue";
import type { PipelineResult } from "apache-beam/runners/runner";

/**
 * A runner that can build a pipeline asynchronously, as our transforms need. The SDK awaits the function, but its types do not
 * say so.
 */
export interface PipelineRunner {
  /** Builds a pipeline, runs it, and waits for its end. @throws the errors of `build` and of the runner. */
  run(build: (root: Root) => unknown): Promise<PipelineResult>;
}
