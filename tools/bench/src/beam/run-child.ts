import { spawnSync } from "node:child_process";
import path from "node:path";
import { BenchError } from "../measurement.js";

/** Time and memory of one plan. */
export interface PlanReport {
  readonly milliseconds: number;
  readonly numUnits: number;
  readonly peakBytes: number;
}

/** Runs one plan in a separate process. */
export function runPlan(kind: "plan" | "idle"): PlanReport {
  return JSON.parse(outputOf("plan-child.js", [kind])) as PlanReport;
}

/** Time of one pipeline, and the number of records that its groups held. */
export interface PipelineReport {
  readonly milliseconds: number;
  readonly numRecords: number;
}

const MARK = "bench-beam ";

/** Runs one pipeline in a separate process. @param runner `direct`, or the address of a job service. */
export function runPipelineChild(runner: string, file: string, folder: string): PipelineReport {
  const lines = outputOf("pipeline-child.js", [runner, file, folder]).split("\n");
  const line = lines.find((each) => each.startsWith(MARK));
  if (line === undefined) throw new BenchError(`beam: the pipeline on ${runner} printed no result`);
  return JSON.parse(line.slice(MARK.length)) as PipelineReport;
}

function outputOf(child: string, args: readonly string[]): string {
  // A plain Node runs it, so it is always the built one.
  const script = path.join(import.meta.dirname, "../../dist/beam", child);
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return stdout;
  throw new BenchError(`beam: ${child} ended with ${status}: ${stderr.trim().slice(-500)}`);
}
