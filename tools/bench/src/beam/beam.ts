import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { writeTfRecords } from "@tfxio/wire";
import { chosen } from "../chosen.js";
import { type Bench, BenchError, type BenchOutput, type Measurement } from "../measurement.js";
import { median } from "../statistics.js";
import { formatNumber, formatTable } from "../table.js";
import { runPipelineChild, runPlan } from "./run-child.js";
import { type BeamRunner, directRunner, portableRunners, startRunner } from "./runners.js";
import { measureWorkers, WORKERS } from "./workers.js";

/** A set of records for a pipeline to group by key. */
interface RecordSet {
  /** Name of the set on the command line. */
  readonly name: string;
  readonly numRecords: number;
  readonly recordBytes: number;
}

const recordSets: readonly RecordSet[] = [
  { name: "small", numRecords: 100_000, recordBytes: 200 },
  { name: "large", numRecords: 40, recordBytes: 2_000_000 },
];
/** Name of the set that measures planning alone: it plans a read but decodes nothing. */
const PLAN = "plan";
/** Number of units that plan-child.ts must report. */
const NUM_UNITS = 100_000;
/** Goal: maximum time and peak memory of a plan of 100,000 units for 1,000 workers. */
const mostOfPlan = { milliseconds: 1000, megabytes: 200 };

/** Measures planning for a cluster, decoding by one and by two workers, and grouping of records by key on Beam runners. */
export const beamBench: Bench = {
  name: "beam",
  about:
    "plans 100,000 units for 1,000 workers, decodes Examples on one and on two workers, and groups records by key on the direct runner, Beam's Python runner and prism",
  sets: [PLAN, WORKERS, ...recordSets.map(({ name }) => name)],
  subjects: [
    "time",
    "peak",
    "workers:1",
    "workers:2",
    "direct",
    "python",
    "python:runner-cpu",
    "prism",
    "prism:runner-cpu",
  ],
  run: async (options, output) => [
    ...(options.sets?.includes(PLAN) === false ? [] : measurePlan(options.rounds, output)),
    ...(options.sets?.includes(WORKERS) === false ? [] : await measureWorkers(options.rounds, output)),
    ...(await measureRunners(chosen(recordSets, options.sets), options, output)),
  ],
};

/** Measures the time and peak memory of planning. An idle child process shows how much memory Node and the modules need. */
function measurePlan(rounds: number, output: BenchOutput): Measurement[] {
  const reports = Array.from({ length: rounds }, () => runPlan("plan"));
  const wrong = reports.find(({ numUnits }) => numUnits !== NUM_UNITS);
  if (wrong) throw new BenchError(`beam plan: found ${wrong.numUnits} units, expected ${NUM_UNITS}`);
  const idle = median(Array.from({ length: rounds }, () => runPlan("idle").peakBytes));
  const times = reports.map(({ milliseconds }) => milliseconds);
  const peaks = reports.map(({ peakBytes }) => peakBytes);
  const row = (subject: string, unit: string, runs: number[]): Measurement => ({
    bench: "beam",
    set: PLAN,
    subject,
    unit,
    median: median(runs),
    runs,
  });
  const rows = [row("time", "ms", times), row("peak", "bytes", peaks)];
  output.print(`beam plan: ${NUM_UNITS} units for 1,000 workers`);
  output.print(`  time  ${formatNumber(median(times))} ms (goal: at most ${mostOfPlan.milliseconds})`);
  output.print(
    `  peak  ${formatNumber(median(peaks) / 1e6)} MB (goal: at most ${mostOfPlan.megabytes}), ` +
      `${formatNumber(idle / 1e6)} MB without a plan`,
  );
  output.print("");
  return rows;
}

async function measureRunners(
  sets: readonly RecordSet[],
  { subjects, rounds }: Parameters<Bench["run"]>[0],
  output: BenchOutput,
): Promise<Measurement[]> {
  if (sets.length === 0) return [];
  const folder = await mkdtemp(path.join(tmpdir(), "tfxio-bench-beam-"));
  const isWanted = (name: string): boolean => subjects?.includes(name) !== false;
  const runners: BeamRunner[] = isWanted("direct") ? [directRunner] : [];
  try {
    for (const name of Object.keys(portableRunners) as (keyof typeof portableRunners)[]) {
      const runner = isWanted(name) ? await startRunner(name, folder, output) : undefined;
      if (runner !== undefined) runners.push(runner);
    }
    const measurements: Measurement[] = [];
    for (const set of sets)
      measurements.push(...(await measureSet(set, { runners, rounds, folder, output })));
    return measurements;
  } finally {
    for (const runner of runners) await runner.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Settings shared by all sets of records. */
interface RunnerBench {
  readonly runners: readonly BeamRunner[];
  readonly rounds: number;
  /** Temporary folder for the input files and the totals of each run. */
  readonly folder: string;
  readonly output: BenchOutput;
}

/**
 * Runs one set once per round on every runner. A portable runner starts new worker processes for each run. The measured time
 * includes their start, but not the start of the child process that builds the pipeline.
 * @throws {BenchError} if a pipeline fails, or its groups do not contain every record.
 */
async function measureSet(
  { name, numRecords, recordBytes }: RecordSet,
  { runners, rounds, folder, output }: RunnerBench,
): Promise<Measurement[]> {
  const file = path.join(folder, `${name}.tfrecord`);
  await writeTfRecords(records(numRecords, recordBytes), file);
  const { size } = await stat(file);
  const seconds: number[][] = runners.map(() => []);
  const cpu: number[][] = runners.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, runner] of runners.entries()) {
      const before = runner.cpuMilliseconds();
      const report = runPipelineChild(runner.address, file, path.join(folder, `${name}-${index}-${round}`));
      const after = runner.cpuMilliseconds();
      if (report.numRecords !== numRecords) {
        throw new BenchError(
          `beam ${name} on ${runner.name}: grouped ${report.numRecords} records, expected ${numRecords}`,
        );
      }
      seconds[index]?.push(report.milliseconds / 1000);
      if (before !== undefined && after !== undefined) cpu[index]?.push(after - before);
    }
    output.progress(`  ${name}: round ${round + 1} of ${rounds}`);
  }
  const rows = [["", "records/s", "MB/s", "s of each run", "runner's processor time, s"]];
  const measurements: Measurement[] = [];
  for (const [index, { name: runner }] of runners.entries()) {
    const times = seconds[index] ?? [];
    const runs = times.map((time) => numRecords / time);
    const cpuRuns = cpu[index] ?? [];
    measurements.push({
      bench: "beam",
      set: name,
      subject: runner,
      unit: "records/s",
      median: median(runs),
      runs,
    });
    if (cpuRuns.length > 0) {
      const subject = `${runner}:runner-cpu`;
      measurements.push({
        bench: "beam",
        set: name,
        subject,
        unit: "ms",
        median: median(cpuRuns),
        runs: cpuRuns,
      });
    }
    rows.push([
      runner,
      formatNumber(median(runs)),
      formatNumber(size / 1e6 / median(times)),
      times.map(formatNumber).join(" "),
      cpuRuns.length === 0 ? "–" : formatNumber(median(cpuRuns) / 1000),
    ]);
  }
  output.print(
    `beam ${name}: ${numRecords} records of ${recordBytes} bytes; the times include the start of the workers`,
  );
  for (const line of formatTable(rows)) output.print(`  ${line}`);
  output.print("");
  return measurements;
}

/** Generates records. All bytes of record `i` are `i % 256`. */
function* records(numRecords: number, recordBytes: number): Generator<Uint8Array> {
  for (let record = 0; record < numRecords; record++) yield new Uint8Array(recordBytes).fill(record);
}
