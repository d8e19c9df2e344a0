import { spawnSync } from "node:child_process";
import path from "node:path";
import { chosen } from "../chosen.js";
import { type Bench, BenchError, type Measurement } from "../measurement.js";
import { criteo } from "../sets/criteo.js";
import { generateSet } from "../sets/generate.js";
import { wide } from "../sets/wide.js";
import { median } from "../statistics.js";
import { formatNumber, formatTable } from "../table.js";

const child = path.join(import.meta.dirname, "child.js");
// Short records and long ones.
const sets = [criteo, wide];
const subjects = [{ name: "ours:batches" }, { name: "node" }];

interface ChildReport {
  readonly peakBytes: number;
  readonly numRows: number;
  readonly largestBatchBytes: number;
}

/** Peak resident memory of a fresh process that streams a file to record batches; `node` is one that reads nothing. */
export const memoryBench: Bench = {
  name: "memory",
  about: "peak memory of a process that streams a file to record batches (--mb 2000 for a large one)",
  sets: sets.map(({ name }) => name),
  subjects: subjects.map(({ name }) => name),
  run: async (options, output) => {
    const measurements: Measurement[] = [];
    for (const set of chosen(sets, options.sets)) {
      output.progress(`${set.name}: generating`);
      const file = await generateSet(set, options.setBytes, options.cacheFolder);
      const rows = [["", "peak MB", "largest batch MB"]];
      for (const { name } of chosen(subjects, options.subjects)) {
        const reports = Array.from({ length: options.rounds }, () =>
          runChild(name === "node" ? [] : [file.path, set.name]),
        );
        const wrong = reports.find(({ numRows }) => name !== "node" && numRows !== file.numRecords);
        if (wrong)
          throw new BenchError(`memory ${set.name}: read ${wrong.numRows} of ${file.numRecords} records`);
        const runs = reports.map(({ peakBytes }) => peakBytes);
        measurements.push({
          bench: "memory",
          set: set.name,
          subject: name,
          unit: "bytes",
          median: median(runs),
          runs,
        });
        const largest = Math.max(...reports.map(({ largestBatchBytes }) => largestBatchBytes));
        rows.push([
          name,
          formatNumber(median(runs) / 1e6),
          name === "node" ? "" : formatNumber(largest / 1e6),
        ]);
      }
      output.print(`memory ${set.name}: ${formatNumber(file.numBytes / 1e6)} MB file`);
      for (const line of formatTable(rows)) output.print(`  ${line}`);
      output.print("");
    }
    return measurements;
  },
};

function runChild(args: readonly string[]): ChildReport {
  const { stdout, stderr, status } = spawnSync(process.execPath, [child, ...args], { encoding: "utf8" });
  if (status === 0) return JSON.parse(stdout) as ChildReport;
  throw new BenchError(`the child that measures memory ended with ${status}: ${stderr.trim()}`);
}
