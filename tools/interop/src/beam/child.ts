// node child.js JOB_ENDPOINT FOLDER: runs the checks of `beam` that need no Python. It is a separate process because the SDK
// prints to the console.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeExample } from "@tfxio/arrow-encoding";
import { writeBeam } from "@tfxio/beam";
import { readManifest } from "@tfxio/beam/plan";
import { startWorkerPool } from "@tfxio/beam/pool";
import { openTfxio, type Tfxio } from "@tfxio/io";
import { writeTfRecords } from "@tfxio/wire";
import { assertSame } from "../assert-same.js";
import { childReporter } from "../run-in-child.js";
import { FIRST_ID } from "./functions.js";
import {
  type Engine,
  readTotals,
  rowsOfWindows,
  runPipeline,
  totalsFolder,
  totalsOfIds,
  totalsOfRecords,
} from "./pipelines.js";

const [jobEndpoint = "", folder = ""] = process.argv.slice(2);
const NUM_ROWS = 400_000;
const NUM_UNITS = 20_000;
const NUM_LARGE = 134;
const LARGE_BYTES = 3_000_000;
const LIMIT_MS = 90_000;

const report = childReporter();
const pool = await startWorkerPool({ modules: [path.join(import.meta.dirname, "functions.js")] });
const engine: Engine = { jobEndpoint, workerPool: pool.address };
try {
  await checkRows();
  await checkWindows();
  await checkLargeRecords();
} finally {
  await pool.stop();
}
// The SDK never closes its channel to the job service, and the open channel would keep this process alive.
process.exit(0);

/** Checks grouping, a job whose function throws, a large plan, and a write whose workers are killed. */
async function checkRows(): Promise<void> {
  const file = path.join(folder, "rows.tfrecord");
  await writeTfRecords(examples(), file);
  const tfxio = await openTfxio(file, { inferSchema: "full" });
  await report.check(`${NUM_ROWS} rows are grouped exactly, and counted`, async () => {
    const totals = await totalsFolder(folder, "rows");
    const result = await withinLimit(runPipeline(engine, totalsOfIds(tfxio, totals)));
    assertSame(expectedIds(), sorted(await readTotals(totals)));
    const { num_rows: rows } = (await result.distributions()) as {
      readonly num_rows?: { readonly sum: number };
    };
    assertSame(NUM_ROWS, rows?.sum);
  });
  await report.check("a job fails with the error that a function throws, and writes nothing", async () => {
    const totals = await totalsFolder(folder, "failing");
    const failAt = FIRST_ID + NUM_ROWS / 2;
    const why = await withinLimit(failureOf(runPipeline(engine, totalsOfIds(tfxio, totals, failAt))));
    if (!why.includes(`planted fault at id ${failAt}`))
      throw new Error(`the job's error must contain the planted fault, found "${why}"`);
    assertSame([], await readTotals(totals));
  });
  await report.check(`a plan of ${NUM_UNITS} units, over 4 MiB as JSON, is submitted and read`, () =>
    checkManyUnits(),
  );
  await report.check(
    "a write fails when its workers are killed, and a second write produces every row exactly once",
    () => checkKilledWorker(tfxio),
  );
  await tfxio.close();
}

/** Reads units of one record each. Their plan is too large for one gRPC message. */
async function checkManyUnits(): Promise<void> {
  const file = path.join(folder, "units.tfrecord");
  await writeTfRecords(examples(NUM_UNITS), file);
  const tfxio = await openTfxio(file, { inferSchema: "full" });
  const totals = await totalsFolder(folder, "units");
  await withinLimit(runPipeline(engine, totalsOfIds(tfxio, totals, -1, 1)));
  await tfxio.close();
  assertSame(
    groups(NUM_UNITS, (row) => row),
    sorted(await readTotals(totals)),
  );
}

/** Kills the workers while they write. The failed write must leave no manifest, and a second write must produce all rows. */
async function checkKilledWorker(tfxio: Tfxio): Promise<void> {
  const output = await totalsFolder(folder, "converted");
  const target = path.join(output, "rows.parquet");
  const write = (): Promise<unknown> =>
    runPipeline(engine, async (root) => {
      await root.applyAsync(writeBeam(tfxio, target, { unitBytes: 4_000_000 }));
    });
  const over = new AbortController();
  const failure = failureOf(write()).finally(() => over.abort());
  // Wait until the first shard exists. At that time, the other shards of its bundle are not yet written.
  while (!over.signal.aborted && (await readdir(output)).length === 0) await sleep(1);
  for (const pid of pool.workers.values()) process.kill(pid, "SIGKILL");
  const why = await withinLimit(failure);
  if (why === "") throw new Error("the job with killed workers must fail, but it succeeded");
  if ((await readdir(output)).includes("rows.parquet.manifest.json"))
    throw new Error("a failed job must not write a manifest");
  await withinLimit(write());
  const { shards } = await readManifest(`${target}.manifest.json`);
  const written = await openTfxio(
    shards.map(({ uri }) => uri),
    { inferSchema: "full" },
  );
  const totals = await totalsFolder(folder, "second");
  await withinLimit(runPipeline(engine, totalsOfIds(written, totals)));
  await written.close();
  assertSame(expectedIds(), sorted(await readTotals(totals)));
}

/** Checks windows of 1000 s over records that are 1 s apart. Fixed windows start every 1000 s, and sliding ones every 500 s. */
async function checkWindows(): Promise<void> {
  const file = path.join(folder, "events.tfrecord");
  const numEvents = 20_000;
  await writeTfRecords(events(numEvents), file);
  const tfxio = await openTfxio(file, { format: "tfrecord-raw" });
  for (const [kind, periodSeconds] of [
    ["fixed", 1000],
    ["sliding", 500],
  ] as const) {
    await report.check(`batches of records keep their ${kind} windows`, async () => {
      const totals = await totalsFolder(folder, kind);
      await withinLimit(runPipeline(engine, rowsOfWindows(tfxio, totals, periodSeconds)));
      const found = await readTotals(totals);
      const starts = Array.from(
        { length: numEvents / periodSeconds + (periodSeconds === 500 ? 1 : 0) },
        (_, at) => at * periodSeconds - (1000 - periodSeconds),
      );
      const expected = starts.map((start) => {
        const [from, to] = [Math.max(start, 0), Math.min(start + 1000, numEvents)];
        return {
          key: `w${start}`,
          count: to - from,
          distinct: to - from,
          sum: ((from + to - 1) * (to - from)) / 2,
        };
      });
      assertSame(sorted(expected), sorted(found));
    });
  }
  await tfxio.close();
}

function* events(count: number): Iterable<Uint8Array> {
  for (let second = 0; second < count; second++)
    yield encodeExample({ second: { kind: "int64", values: [second] } });
}

/** Checks records whose total size is many times the size limit of a gRPC message. */
async function checkLargeRecords(): Promise<void> {
  const file = path.join(folder, "large.tfrecord");
  await writeTfRecords(largeRecords(), file);
  const tfxio = await openTfxio(file, { format: "tfrecord-raw" });
  await report.check(`${NUM_LARGE} records of ${LARGE_BYTES} bytes are grouped exactly`, async () => {
    const totals = await totalsFolder(folder, "large");
    await withinLimit(runPipeline(engine, totalsOfRecords(tfxio, totals)));
    const expected = groups(NUM_LARGE, (record) => record * LARGE_BYTES);
    assertSame(expected, sorted(await readTotals(totals)));
  });
  await tfxio.close();
}

function* examples(numRows = NUM_ROWS): Iterable<Uint8Array> {
  const filler = { kind: "bytes", values: [new Uint8Array(160).fill(97)] } as const;
  for (let row = 0; row < numRows; row++)
    yield encodeExample({ id: { kind: "int64", values: [FIRST_ID + row] }, filler });
}

/** Generates records. Every byte of record `i` is `i`. */
function* largeRecords(): Iterable<Uint8Array> {
  for (let record = 0; record < NUM_LARGE; record++) yield new Uint8Array(LARGE_BYTES).fill(record);
}

function expectedIds(): unknown {
  return groups(NUM_ROWS, (row) => row);
}

/** Computes the expected totals of 16 groups arithmetically. */
function groups(count: number, valueOf: (index: number) => number): unknown {
  const totals = Array.from({ length: 16 }, (_, key) => {
    const members = Array.from({ length: Math.ceil((count - key) / 16) }, (_member, at) => key + at * 16);
    const sum = members.reduce((total, index) => total + valueOf(index), 0);
    return { key: `k${key}`, count: members.length, distinct: members.length, sum };
  });
  return sorted(totals);
}

function sorted<Total extends { readonly key: string }>(totals: readonly Total[]): Total[] {
  return totals.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Resolves to the error message of a job, or to an empty string if the job succeeds. */
async function failureOf(job: Promise<unknown>): Promise<string> {
  try {
    await job;
    return "";
  } catch (error) {
    return String(error);
  }
}

/** Resolves to the result of a job. @throws {Error} if the job does not end within 90 s. */
async function withinLimit<Result>(job: Promise<Result>): Promise<Result> {
  const limit = new AbortController();
  const late = sleep(LIMIT_MS, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`the job did not end within ${LIMIT_MS / 1000} s`);
  });
  try {
    return await Promise.race([job, late]);
  } finally {
    limit.abort();
  }
}
