import { installRepairs } from "../compat/install-repairs.js";
import type { PipelineRunner } from "./pipeline-runner.js";

/**
 * Creates a runner that runs pipelines in this process, on one thread. Use it to try a pipeline before you run it on a cluster.
 * The runner passes elements from step to step without encoding them, so it does not test coders.
 * @throws {UnsupportedError} `unsupported` (`beam-sdk`) without the SDK.
 */
export function directRunner(): PipelineRunner {
  return installRepairs().directRunner.directRunner();
}
