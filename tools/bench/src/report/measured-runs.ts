import { readFile } from "node:fs/promises";
import path from "node:path";
import { BenchError, type Measurement } from "../measurement.js";
import { factsFile, type RunFacts } from "../run-facts.js";
import { median } from "../statistics.js";

/** Measurements of one or several runs on one machine. */
export interface MeasuredRuns {
  /** Measurements in the order of the files. If several files contain the same measurement, their runs are combined. */
  readonly measurements: readonly Measurement[];
  /** The facts of each file, in the order of the files. */
  readonly facts: readonly RunFacts[];
}

/**
 * Reads files that `--json` wrote, and the `.meta.json` files with their facts.
 * @throws {BenchError} if a file cannot be read, or the runs come from different machines.
 */
export async function readMeasuredRuns(files: readonly string[]): Promise<MeasuredRuns> {
  const facts: RunFacts[] = [];
  const rows = new Map<string, Measurement>();
  for (const file of files) {
    facts.push((await readJson(factsFile(file))) as RunFacts);
    for (const row of (await readJson(file)) as readonly Measurement[]) {
      const key = JSON.stringify([row.bench, row.set, row.subject, row.unit]);
      const runs = [...(rows.get(key)?.runs ?? []), ...row.runs];
      rows.set(key, { ...row, runs, median: median(runs) });
    }
  }
  const machines = new Set(facts.map(({ machine: { cpu, numCores } }) => `${numCores} × ${cpu}`));
  if (machines.size > 1)
    throw new BenchError(`all runs must come from one machine, found ${[...machines].join("; ")}`);
  return { measurements: [...rows.values()], facts };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new BenchError(`${path.basename(file)}: ${(error as Error).message}`);
  }
}
