import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, afterEach, expect, jest, test } from "@jest/globals";
import {
  type ShardManifest,
  planUnits,
  publishManifest,
  readManifest,
  type UnitPlan,
} from "@tfxio/beam/plan";
import { startWorkerPool, type WorkerPool } from "@tfxio/beam/pool";
import { describeRead, openTfxio } from "@tfxio/io";
import { createRequire } from "node:module";
import { beamRuntime } from "../../src/transforms/beam-runtime.js";
import type { Sdk } from "../../src/compat/sdk.js";
import { WriteUnits } from "../../src/transforms/write-units.js";
import { describeBundle, encodeElements, messages, outputOf, responseTo } from "./bundles.js";
import { type FnApiRunner, startFnApiRunner, type Stream } from "./runner.js";

let sdk: Sdk;
let runner: FnApiRunner;
let pool: WorkerPool;
let folder = "";
let plan: UnitPlan;
beforeAll(async () => {
  // loadSdk replaces a missing @google-cloud/pubsub with an empty module, but jest's module loader ignores that.
  jest.mock("@google-cloud/pubsub", () => ({}), { virtual: true });
  for (const method of ["log", "debug", "error", "warn", "info"] as const)
    jest.spyOn(console, method).mockImplementation(() => {});
  ({ sdk } = beamRuntime());
  folder = await mkdtemp(path.join(tmpdir(), "beam-worker-"));
  const rows = path.join(folder, "rows.jsonl");
  await writeFile(rows, Array.from({ length: 1000 }, (_, id) => `{"id":${id}}\n`).join(""));
  const tfxio = await openTfxio(rows, { inferSchema: "full" });
  plan = await planUnits(describeRead(tfxio), { unitBytes: 3000 });
  await tfxio.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  runner = await startFnApiRunner(sdk);
  pool = await startWorkerPool();
});
afterEach(async () => {
  await pool.stop();
  runner.stop();
});

/** Requests a worker from the pool, as a runner does, and waits until it has connected. */
async function startWorker(workerId: string): Promise<{ readonly pid: number; readonly control: Stream }> {
  const { BeamFnExternalWorkerPoolClient } = createRequire(import.meta.url)(
    "apache-beam/proto/beam_fn_api.grpc-client",
  ) as Sdk["clients"];
  const insecure = sdk.grpc.ChannelCredentials.createInsecure() as never;
  const client = new BeamFnExternalWorkerPoolClient(pool.address, insecure, {}, {});
  const request = { workerId, controlEndpoint: { url: runner.address }, params: {} };
  await new Promise<void>((resolve, reject) => {
    client.startWorker(request, (error) => (error === null ? resolve() : reject(error)));
  });
  client.close();
  return { control: await runner.control(), pid: pool.workers.get(workerId) as number };
}

async function untilGone(workerId: string): Promise<void> {
  while (pool.workers.has(workerId)) await sleep(10);
}

const text = (): unknown => new sdk.coders.StrUtf8Coder();
const entry = (): unknown => new sdk.requiredCoders.KVCoder(text() as never, text() as never);
const TEXT = "beam:coder:string_utf8:v1";

/** Registers a bundle that writes units as shards of a target, and returns the target. */
async function describeWrite(name: string): Promise<string> {
  const target = path.join(folder, name);
  const { counter } = sdk.transforms;
  describeBundle(sdk, runner, name, {
    doFn: await WriteUnits.of(plan.description, { target }),
    context: { rows: counter("num_written_rows"), shards: counter("num_shards") },
    elementCoder: TEXT,
    outputCoder: ["beam:coder:kv:v1", TEXT, TEXT],
  });
  return target;
}

const unitElements = (units: UnitPlan["units"]): Uint8Array =>
  encodeElements(
    sdk,
    units.map((unit) => JSON.stringify(unit)),
    text(),
  );
const { data: dataMessage, part, processBundle } = messages;
const shardFiles = async (name: string): Promise<string[]> =>
  (await readdir(folder)).filter((file) => file.startsWith(name)).sort();

test("after a worker is killed, a second worker retries its bundle, and every row is written once", async () => {
  const target = await describeWrite("killed.jsonl");
  const first = await startWorker("first");
  first.control.send(processBundle("attempt-1", "killed.jsonl"));
  const early = await runner.data();
  // The stream does not end, so the bundle stays unfinished for as long as the test needs.
  early.send(dataMessage(part("attempt-1", unitElements(plan.units.slice(0, 2)), false)));
  while ((await shardFiles("killed.jsonl")).length < 1) await sleep(5);
  process.kill(first.pid, "SIGKILL");
  await untilGone("first");

  const second = await startWorker("second");
  second.control.send(processBundle("attempt-2", "killed.jsonl"));
  const data = await runner.data();
  data.send(dataMessage(part("attempt-2", unitElements(plan.units), true)));
  expect(await responseTo(second.control, "attempt-2")).toMatchObject({ error: "" });
  const entries = (await outputOf(sdk, data, "attempt-2", entry())) as { readonly value: string }[];
  const shards = entries.map(({ value }) => JSON.parse(value) as ShardManifest["shards"][number]);
  await publishManifest(`${target}.manifest.json`, shards, plan.units.length);
  await expectAllRows(target);
  // The killed worker left no shards under other names.
  const expected = plan.units.map(({ id }) => `killed.jsonl-${id}`);
  expect(await shardFiles("killed.jsonl")).toEqual([...expected, "killed.jsonl.manifest.json"]);
});

test("two concurrent attempts at a bundle write every row once", async () => {
  const target = await describeWrite("raced.jsonl");
  const attempts = [];
  for (const name of ["left", "right"]) {
    const { control } = await startWorker(name);
    control.send(processBundle(name, "raced.jsonl"));
    attempts.push({ name, control, data: await runner.data() });
  }
  for (const { name, data } of attempts) data.send(dataMessage(part(name, unitElements(plan.units), true)));
  const entries = await Promise.all(
    attempts.map(async ({ name, control, data }) => {
      expect(await responseTo(control, name)).toMatchObject({ error: "" });
      return (await outputOf(sdk, data, name, entry())) as { readonly value: string }[];
    }),
  );
  // A runner keeps the output of only one attempt.
  expect(entries[0]).toEqual(entries[1]);
  const shards = (entries[0] ?? []).map(({ value }) => JSON.parse(value) as ShardManifest["shards"][number]);
  await publishManifest(`${target}.manifest.json`, shards, plan.units.length);
  await expectAllRows(target);
});

test("a worker exits when its runner disappears in the middle of a bundle, and the pool starts the next worker", async () => {
  await describeWrite("gone.jsonl");
  const { control } = await startWorker("orphan");
  control.send(processBundle("1", "gone.jsonl"));
  const data = await runner.data();
  data.send(dataMessage(part("1", unitElements(plan.units), false)));
  while ((await shardFiles("gone.jsonl")).length === 0) await sleep(5);
  runner.stop();
  await untilGone("orphan");
  // The pool still works.
  runner = await startFnApiRunner(sdk);
  await describeWrite("gone.jsonl");
  expect((await startWorker("next")).pid).toBeGreaterThan(0);
});

test("a worker survives a bundle in which one source fails while a second source is open", async () => {
  const { counter } = sdk.transforms;
  describeBundle(sdk, runner, "sources", {
    doFn: await WriteUnits.of(plan.description, { target: path.join(folder, "sources.jsonl") }),
    context: { rows: counter("num_written_rows"), shards: counter("num_shards") },
    elementCoder: TEXT,
    outputCoder: ["beam:coder:kv:v1", TEXT, TEXT],
    sources: ["left", "right"],
  });
  const { control } = await startWorker("survivor");
  for (const failing of ["left", "right"]) {
    control.send(processBundle(failing, "sources"));
    const data = failing === "left" ? await runner.data() : last;
    last = data;
    data.send(dataMessage(part(failing, encodeElements(sdk, ["no unit"], text()), true, failing)));
    await sleep(50);
    data.send(dataMessage(part(failing, new Uint8Array(0), true, failing === "left" ? "right" : "left")));
    expect(await responseTo(control, failing)).toMatchObject({ error: expect.stringContaining("no unit") });
  }
  expect(pool.workers.has("survivor")).toBe(true);
});
let last: Stream;

async function expectAllRows(target: string): Promise<void> {
  const { numRows, shards } = await readManifest(`${target}.manifest.json`);
  expect(numRows).toBe(1000);
  const written = await openTfxio(
    shards.map(({ uri }) => uri),
    { inferSchema: "full" },
  );
  const ids: number[] = [];
  for await (const row of written.rows()) ids.push(Number((row["id"] as readonly unknown[])[0]));
  await written.close();
  expect(ids).toEqual(Array.from({ length: 1000 }, (_, id) => id));
}
