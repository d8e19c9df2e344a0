import { installRepairs } from "../compat/install-repairs.js";
import type { PipelineRunner } from "./pipeline-runner.js";

/**
 * A runner that runs pipelines in this process, on one thread, to try them before a cluster runs them. It holds all elements of a
 * step in memory and encodes none of them, so it does not show what coders do. It knows no job service and no pool.
 * @throws {UnsupportedError} `unsupported` (`beam-sdk`).
 */
export function directRunner(): PipelineRunner {
  return installRepairs().directRunner.directRunner();
}
