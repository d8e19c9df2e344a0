import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Interop, type InteropContext, Unavailable } from "../interop.js";
import { prefixed } from "../reporter.js";
import { runInChild } from "../run-in-child.js";
import { flink } from "./flink.js";
import { startJobService } from "./job-service.js";
import { type BeamRunner, beamRunners } from "./runners.js";

/** Checks pipelines with our workers on several Beam runners. */
export const beam: Interop = {
  name: "beam",
  about: "runs pipelines on Beam's portable Python runner, on prism, and on Flink (with --flink)",
  run: async (context) => {
    for (const runner of context.flink ? [...beamRunners, flink] : beamRunners) {
      try {
        await checkOn(runner, context);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        context.report.skipped(runner.name, error.message);
      }
    }
  },
};

/** Runs the checks on one runner. The cross-language checks need a runner whose program is a Python interpreter with Beam. */
async function checkOn(runner: BeamRunner, context: InteropContext): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
  try {
    const command = await runner.prepare(context, folder);
    const service = await startJobService(command);
    try {
      const child = path.join(import.meta.dirname, "child.js");
      const report = prefixed(context.report, `${runner.name}: `);
      await runInChild(child, [service.address, folder], context.environment, report);
      if (!runner.isPython) return;
      const crossLanguage = path.join(import.meta.dirname, "cross-language-child.js");
      const args = [service.address, folder, command.program];
      await runInChild(crossLanguage, args, context.environment, report);
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
