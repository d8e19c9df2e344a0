import { spawnSync } from "node:child_process";
import path from "node:path";
import { chosen } from "../chosen.js";
import { type Bench, BenchError, type BenchOutput, type Measurement } from "../measurement.js";
import { median, rotated } from "../statistics.js";
import { formatNumber, formatTable } from "../table.js";

// Node runs the script without a loader, so this must be the path of the compiled script.
const child = path.join(import.meta.dirname, "../../dist/import/child.js");

/** The cost of one process: wall time from start to exit, processor time, and memory in bytes at the end. */
interface ProcessCost {
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  readonly rss: number;
  readonly heapUsed: number;
}

const sets = [
  { name: "time", unit: "ms", of: ({ milliseconds }: ProcessCost) => milliseconds, scale: 1 },
  { name: "cpu", unit: "ms", of: ({ cpuMilliseconds }: ProcessCost) => cpuMilliseconds, scale: 1 },
  { name: "rss", unit: "bytes", of: ({ rss }: ProcessCost) => rss, scale: 1e6 },
  { name: "heap", unit: "bytes", of: ({ heapUsed }: ProcessCost) => heapUsed, scale: 1e6 },
];

const arrow = { name: "apache-arrow", args: ["apache-arrow"] };
const subjects = [{ name: "node", args: [] }, arrow, { name: "tfxio", args: ["tfxio"] }];
/** Goal: maximum cost of `tfxio` beyond that of apache-arrow, which `tfxio` always loads. `time` is in ms, and `rss` in MB. */
export const mostBeyondArrow = { time: 60, rss: 15 };

/** Measures the cost of importing the umbrella package `tfxio` in a new Node process. */
export const importBench: Bench = {
  name: "import",
  about:
    "wall time, processor time and final memory of processes that import tfxio, only apache-arrow, or nothing",
  sets: sets.map(({ name }) => name),
  subjects: subjects.map(({ name }) => name),
  run: async (options, output) => {
    const measured = chosen(subjects, options.subjects);
    for (const { args } of measured) costOf(args); // fills the file system's cache
    const costs: ProcessCost[][] = measured.map(() => []);
    for (let round = 0; round < options.rounds; round++) {
      for (const index of rotated([...measured.keys()], round)) {
        costs[index]?.push(costOf(measured[index]?.args ?? []));
      }
      output.progress(`  round ${round + 1} of ${options.rounds}`);
    }
    return chosen(sets, options.sets).flatMap((set) => {
      const rows = measured.map(({ name: subject }, index): Measurement => {
        const runs = (costs[index] ?? []).map(set.of);
        return { bench: "import", set: set.name, subject, unit: set.unit, median: median(runs), runs };
      });
      report(set, rows, output);
      return rows;
    });
  },
};

/** Runs one process until it exits, and returns its cost. @throws {BenchError} if the import fails. */
function costOf(args: readonly string[]): ProcessCost {
  const start = performance.now();
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, [child, ...args], {
    encoding: "utf8",
  });
  const milliseconds = performance.now() - start;
  if (status !== 0)
    throw new BenchError(
      `import: the process that imports ${args[0] ?? "nothing"} ended with ${signal ?? `code ${status}`}: ${stderr.trim()}`,
    );
  return { milliseconds, ...(JSON.parse(stdout) as Omit<ProcessCost, "milliseconds">) };
}

function report(set: (typeof sets)[number], rows: readonly Measurement[], output: BenchOutput): void {
  const unit = set.scale === 1 ? set.unit : "MB";
  const scaled = (value: number): string => formatNumber(value / set.scale);
  const before = (index: number): string => {
    const predecessor = rows[index - 1];
    return predecessor === undefined ? "" : scaled((rows[index]?.median ?? Number.NaN) - predecessor.median);
  };
  output.print(`import ${set.name}`);
  const header = ["", unit, `${unit} of each run`, "− row above"];
  const lines = rows.map((row, index) => [
    row.subject,
    scaled(row.median),
    row.runs.map(scaled).join(" "),
    before(index),
  ]);
  for (const line of formatTable([header, ...lines])) output.print(`  ${line}`);
  const [alone, ours] = [arrow.name, "tfxio"].map((name) => rows.find(({ subject }) => subject === name));
  const goal = (mostBeyondArrow as Partial<Record<string, number>>)[set.name];
  if (goal !== undefined && alone !== undefined && ours !== undefined) {
    const beyond = scaled(ours.median - alone.median);
    output.print(`  goal: tfxio − apache-arrow at most ${goal} ${unit}, measured ${beyond} ${unit}`);
  }
  output.print("");
}
