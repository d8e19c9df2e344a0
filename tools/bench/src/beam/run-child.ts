import { spawnSync } from "node:child_process";
import path from "node:path";
import { BenchError } from "../measurement.js";

/** Time, number of units and peak memory of one plan. */
export interface PlanReport {
  readonly milliseconds: number;
  readonly numUnits: number;
  /** Peak resident memory of the process in bytes, including Node itself. */
  readonly peakBytes: number;
}

/**
 * Runs one plan, or an idle baseline, in a separate process.
 * @throws {BenchError} if the process fails.
 */
export function runPlan(kind: "plan" | "idle"): PlanReport {
  return JSON.parse(outputOf("plan-child.js", [kind])) as PlanReport;
}

/** Time of one pipeline, and the number of records in its groups. */
export interface PipelineReport {
  readonly milliseconds: number;
  readonly numRecords: number;
}

/** Start of the line with the report. The SDK prints other lines to the same stream. */
const MARK = "bench-beam ";

/**
 * Runs one pipeline in a separate process.
 * @param runner `direct`, or the address of a job service.
 * @throws {BenchError} if the process fails or prints no result.
 */
export function runPipelineChild(runner: string, file: string, folder: string): PipelineReport {
  const lines = outputOf("pipeline-child.js", [runner, file, folder]).split("\n");
  const line = lines.find((each) => each.startsWith(MARK));
  if (line === undefined) throw new BenchError(`beam: the pipeline on ${runner} printed no result`);
  return JSON.parse(line.slice(MARK.length)) as PipelineReport;
}

function outputOf(child: string, args: readonly string[]): string {
  // Node runs the script without a loader, so this must be the path of the compiled script.
  const script = path.join(import.meta.dirname, "../../dist/beam", child);
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, [script, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return stdout;
  throw new BenchError(
    `beam: ${child} ended with ${signal ?? `code ${status}`}: ${stderr.trim().slice(-500)}`,
  );
}
