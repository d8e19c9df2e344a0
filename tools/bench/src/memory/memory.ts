import { spawnSync } from "node:child_process";
import path from "node:path";
import { chosen } from "../chosen.js";
import { type Bench, BenchError, type BenchOptions, type Measurement } from "../measurement.js";
import { median } from "../statistics.js";
import { formatNumber, formatTable } from "../table.js";
import { type MemorySet, memorySets } from "./memory-sets.js";
import type { StreamRequest } from "./stream-batches.js";

// Node runs the script without a loader, so this must be the path of the compiled script.
const child = path.join(import.meta.dirname, "../../dist/memory/child.js");

/** The object that child.ts prints as JSON. */
interface ChildReport {
  readonly peakBytes: number;
  readonly numRows: number;
  readonly largestBatchBytes: number;
}

/** The reports on one set. Each list has one report for each round. */
interface Reports {
  readonly fileBytes: number;
  /** Reports of processes that read nothing. */
  readonly idle: readonly ChildReport[];
  readonly streaming: readonly ChildReport[];
  /** Empty if the set's format lends no memory. */
  readonly leasing: readonly ChildReport[];
}

const subjects = [
  {
    name: "baseline",
    about: "peak of a Node process that reads nothing",
    runs: ({ idle }: Reports) => idle.map(({ peakBytes }) => peakBytes),
  },
  {
    name: "peak",
    about: "peak while streaming the file",
    runs: ({ streaming }: Reports) => streaming.map(({ peakBytes }) => peakBytes),
  },
  {
    name: "peak-leased",
    about: "peak while streaming leased batches",
    runs: ({ leasing }: Reports) => leasing.map(({ peakBytes }) => peakBytes),
  },
  {
    name: "batch",
    about: "size of the largest batch",
    runs: ({ streaming }: Reports) => streaming.map(({ largestBatchBytes }) => largestBatchBytes),
  },
];

/** Measures the peak resident memory of a new process that streams a large file to record batches. */
export const memoryBench: Bench = {
  name: "memory",
  about: "peak memory of a process that streams a 2 GB file to record batches, for several file formats",
  sets: memorySets.map(({ name }) => name),
  subjects: subjects.map(({ name }) => name),
  run: async (options, output) => {
    const measurements: Measurement[] = [];
    for (const set of chosen(memorySets, options.sets)) {
      output.progress(`${set.name}: generating and streaming`);
      const reports = await measure(set, options);
      const rows = [["", "MB", "MB of each run", ""]];
      for (const { name: subject, about, runs: runsOf } of chosen(subjects, options.subjects)) {
        const runs = runsOf(reports);
        if (runs.length === 0) continue;
        const row = { bench: "memory", set: set.name, subject, unit: "bytes", median: median(runs), runs };
        measurements.push(row);
        const megabytes = (bytes: number): string => formatNumber(bytes / 1e6);
        rows.push([subject, megabytes(row.median), runs.map(megabytes).join(" "), about]);
      }
      output.print(`memory ${set.name}: ${formatNumber(reports.fileBytes / 1e6)} MB file`);
      for (const line of formatTable(rows)) output.print(`  ${line}`);
      output.print("");
    }
    return measurements;
  },
};

async function measure(set: MemorySet, options: BenchOptions): Promise<Reports> {
  const { rounds } = options;
  const file = await set.write(options);
  try {
    const idle = Array.from({ length: rounds }, () => runChild());
    const open = await set.openOptions();
    const stream = (isLeased: boolean): ChildReport[] =>
      Array.from({ length: rounds }, () => runChild({ file: file.path, ...open, isLeased }));
    const [streaming, leasing] = [stream(false), set.isLeasable ? stream(true) : []];
    const wrong = [...streaming, ...leasing].find(({ numRows }) => numRows !== file.numRecords);
    if (wrong)
      throw new BenchError(`memory ${set.name}: read ${wrong.numRows} records, expected ${file.numRecords}`);
    return { fileBytes: file.numBytes, idle, streaming, leasing };
  } finally {
    await file.remove();
  }
}

function runChild(request?: StreamRequest): ChildReport {
  const args = request === undefined ? [] : [JSON.stringify(request)];
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, [child, ...args], {
    encoding: "utf8",
  });
  if (status === 0) return JSON.parse(stdout) as ChildReport;
  throw new BenchError(
    `memory: the measured process ended with ${signal ?? `code ${status}`}: ${stderr.trim()}`,
  );
}
