import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { encodeExample } from "@tfxio/arrow-encoding";
import { planUnits } from "@tfxio/beam/plan";
import { describeRead, openTfxio } from "@tfxio/io";
import { writeTfRecords } from "@tfxio/wire";
import { BenchError, type BenchOutput, type Measurement } from "../measurement.js";
import { median } from "../statistics.js";
import { formatNumber, formatTable } from "../table.js";

/** Number of timed passes over a worker's share. */
const PASSES = 2;

/** A worker's report on the total of all timed passes. */
export interface WorkerReport {
  readonly numRecords: number;
  /** User and system time of all threads of the worker. */
  readonly cpuMilliseconds: number;
}

/** Name of the set that workers decode without a Beam runner. */
export const WORKERS = "workers";
/** Number of files. All have the same content. */
const NUM_FILES = 16;
const RECORDS_PER_FILE = 25_000;
const NUM_RECORDS = PASSES * NUM_FILES * RECORDS_PER_FILE;
/** Goal: minimum speed of two workers, as a multiple of one worker's speed. */
const WANTED = 1.4;

interface Run {
  /** Elapsed time until the slowest worker is done. */
  readonly seconds: number;
  /** Processor time of all workers together. */
  readonly cpuSeconds: number;
}

/**
 * Decodes 16 files of Examples, alternating between one worker process and two. No Beam runner takes part. The clock starts
 * after every worker has compiled its code, so only decoding is timed.
 */
export async function measureWorkers(rounds: number, output: BenchOutput): Promise<Measurement[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "tfxio-bench-workers-"));
  try {
    const { plan, numBytes } = await writePlan(folder);
    const runs = new Map<number, Run[]>([
      [1, []],
      [2, []],
    ]);
    for (let round = 0; round < rounds; round++) {
      for (const [numWorkers, all] of runs) all.push(await decodeOn(numWorkers, plan));
      output.progress(`  ${WORKERS}: round ${round + 1} of ${rounds}`);
    }
    return report(runs, numBytes, output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writePlan(folder: string): Promise<{ readonly plan: string; readonly numBytes: number }> {
  const first = path.join(folder, "part-0.tfrecord");
  await writeTfRecords(examples(), first);
  for (let file = 1; file < NUM_FILES; file++) {
    await copyFile(first, path.join(folder, `part-${file}.tfrecord`));
  }
  const tfxio = await openTfxio(path.join(folder, "*.tfrecord"), { inferSchema: "first" });
  const units = await planUnits(describeRead(tfxio), { unitBytes: 16 * 2 ** 20 });
  await tfxio.close();
  const plan = path.join(folder, "plan.json");
  await writeFile(plan, JSON.stringify(units));
  return { plan, numBytes: PASSES * NUM_FILES * (await stat(first)).size };
}

/** Generates records of 40 features: 20 with four integers each, and 20 with a short text. */
function* examples(): Generator<Uint8Array> {
  for (let row = 0; row < RECORDS_PER_FILE; row++) {
    const features = Array.from({ length: 20 }, (_, at) => [
      [`numbers_${at}`, { kind: "int64", values: [row, row * at, at, row + at] }] as const,
      [`text_${at}`, { kind: "bytes", values: [`value ${row % 97}`] }] as const,
    ]);
    yield encodeExample(Object.fromEntries(features.flat()));
  }
}

async function decodeOn(numWorkers: number, plan: string): Promise<Run> {
  // Node runs the script without a loader, so this must be the path of the compiled script.
  const script = path.join(import.meta.dirname, "../../dist/beam/workers-child.js");
  const workers = Array.from({ length: numWorkers }, (_, worker) =>
    fork(script, [plan, ...[worker, numWorkers, PASSES].map(String)]),
  );
  try {
    await Promise.all(workers.map(messageOf));
    const start = performance.now();
    const reports = workers.map((worker) => messageOf(worker) as Promise<WorkerReport>);
    for (const worker of workers) worker.send("start");
    const done = await Promise.all(reports);
    const seconds = (performance.now() - start) / 1000;
    const found = done.reduce((sum, { numRecords }) => sum + numRecords, 0);
    if (found !== NUM_RECORDS)
      throw new BenchError(`beam workers: decoded ${found} records, expected ${NUM_RECORDS}`);
    return { seconds, cpuSeconds: done.reduce((sum, each) => sum + each.cpuMilliseconds, 0) / 1000 };
  } finally {
    for (const worker of workers) worker.kill();
  }
}

/**
 * Resolves to the next message of a worker.
 * @throws {BenchError} if the worker exits first.
 */
async function messageOf(worker: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(worker, "exit", { signal }).then(([code, killedBy]) => {
    throw new BenchError(`beam workers: a worker ended with ${String(killedBy ?? `code ${code}`)}`);
  });
  try {
    const [message] = (await Promise.race([once(worker, "message", { signal }), ended])) as unknown[];
    return message;
  } finally {
    // The abort removes both listeners and rejects `ended`, which nobody awaits any more.
    ended.catch(() => {});
    over.abort();
  }
}

function report(
  runs: ReadonlyMap<number, readonly Run[]>,
  numBytes: number,
  output: BenchOutput,
): Measurement[] {
  const rows = [
    ["workers", "records/s", "MB/s", "s of each run", "processor time of all workers, s", "cores busy"],
  ];
  const measurements: Measurement[] = [];
  for (const [numWorkers, all] of runs) {
    const times = all.map(({ seconds }) => seconds);
    const rates = times.map((time) => NUM_RECORDS / time);
    const cpuSeconds = median(all.map((run) => run.cpuSeconds));
    measurements.push({
      bench: "beam",
      set: WORKERS,
      subject: `workers:${numWorkers}`,
      unit: "records/s",
      median: median(rates),
      runs: rates,
    });
    rows.push([
      String(numWorkers),
      formatNumber(median(rates)),
      formatNumber(numBytes / 1e6 / median(times)),
      times.map(formatNumber).join(" "),
      formatNumber(cpuSeconds),
      formatNumber(cpuSeconds / median(times)),
    ]);
  }
  const [one, two] = measurements as [Measurement, Measurement];
  output.print(`beam ${WORKERS}: ${NUM_RECORDS} Examples of 40 features, decoded without a runner`);
  for (const line of formatTable(rows)) output.print(`  ${line}`);
  output.print(
    `  two workers decode at ${formatNumber(two.median / one.median)} times the speed of one (goal: at least ${WANTED})`,
  );
  output.print("");
  return measurements;
}
