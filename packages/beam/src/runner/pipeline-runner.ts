import type { Root } from "apache-beam/pvalue";
import type { PipelineResult } from "apache-beam/runners/runner";

/**
 * A runner whose pipelines may be built asynchronously, as our transforms need. The SDK awaits the function, but its types leave
 * that out.
 */
export interface PipelineRunner {
  /** Builds a pipeline, runs it, and waits for its end. @throws whatever `build` throws; errors of the runner. */
  run(build: (root: Root) => unknown): Promise<PipelineResult>;
}
