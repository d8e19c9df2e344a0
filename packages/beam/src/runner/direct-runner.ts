import { installRepairs } from "../compat/install-repairs.js";
import type { PipelineRunner } from "./pipeline-runner.js";

/**
 * A runner for pipelines in this process, on one thread. Use it to try a pipeline before a cluster runs it. It keeps the
 * elements of each step in memory and never encodes them, so it does not test coders.
 * @throws {UnsupportedError} `unsupported` (`beam-sdk`).
 */
export function directRunner(): PipelineRunner {
  return installRepairs().directRunner.directRunner();
}
