import { appendFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { encodeExample, plainRows } from "@tfxio/arrow-encoding";
import { createFormatRegistry, defineFormat, type Split } from "@tfxio/format";
import { describeRead, openTfxio, type ReadDescription } from "@tfxio/io";
import { encodeTfRecord, writeTfRecords } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import {
  planUnits,
  publishManifest,
  readManifest,
  runUnit,
  type Unit,
  type UnitPlan,
  unitsOfWorker,
  writeUnit,
} from "../../src/plan/index.js";
import { simulatedRead } from "./simulated-cluster.js";

let folder = "";
let description: ReadDescription;
const NUM_ROWS = 1000;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "beam-plan-"));
  const rows = Array.from({ length: NUM_ROWS }, (_, id) =>
    encodeExample({ id: { kind: "int64", values: [id] }, name: { kind: "bytes", values: [`row ${id}`] } }),
  );
  await writeTfRecords(rows.slice(0, 900), path.join(folder, "a.tfrecord"));
  await writeTfRecords(rows.slice(900, 940), path.join(folder, "b.tfrecord.gz"));
  await writeTfRecords(rows.slice(940), path.join(folder, "c.tfrecord"));
  const tfxio = await openTfxio(path.join(folder, "*.tfrecord*"), { inferSchema: "full" });
  description = describeRead(tfxio);
  await tfxio.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const idsOf = async (batches: AsyncIterable<RecordBatch>): Promise<number[]> => {
  const ids: number[] = [];
  for await (const batch of batches) {
    for (const row of plainRows(batch)) ids.push((row["id"] as number[])[0] as number);
  }
  return ids;
};
const asJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;
const allIds = Array.from({ length: NUM_ROWS }, (_, id) => id);

describe("planUnits", () => {
  test.each([1, 500, 5_000, 1_000_000])(
    "covers every row once and in order (unitBytes: %d)",
    async (unitBytes) => {
      const plan = asJson(await planUnits(description, { unitBytes }));
      const ids: number[] = [];
      for (const unit of plan.units) ids.push(...(await idsOf(runUnit(plan, unit))));
      expect(ids).toEqual(allIds);
    },
  );

  test("returns units that exceed unitBytes by at most one record, unless a file cannot be split", async () => {
    const { units } = await planUnits(description, { unitBytes: 20_000 });
    const oversized = units.filter(({ numBytes = 0 }) => numBytes > 20_000);
    // A part ends at the end of a record, so it may be larger than requested by up to one record.
    const record = encodeTfRecord(
      encodeExample({ id: { kind: "int64", values: [899] }, name: { kind: "bytes", values: ["row 899"] } }),
    ).length;
    for (const { parts, numBytes = 0 } of oversized) {
      const isGzip = parts.length === 1 && parts[0]?.uri.endsWith(".gz") === true;
      expect(isGzip || numBytes <= 20_000 + record).toBe(true);
    }
    expect(units.length).toBeGreaterThan(2);
  });

  test("puts small files into one unit", async () => {
    const { units } = await planUnits(description);
    expect(units.map(({ id, parts }) => [id, parts.length])).toEqual([["00000-of-00001", 3]]);
  });

  test("returns equal plans for the same files", async () => {
    const [first, second] = [await planUnits(description), await planUnits(description)];
    expect(asJson(first)).toEqual(asJson(second));
  });

  test("searches for split points in up to 16 files at once, and keeps the order of the files", async () => {
    let [numOpen, most] = [0, 0];
    const slow = defineFormat<object>({
      id: "simulated",
      extensions: [],
      defaults: {},
      contractVersion: 2,
      reads: { subdivide: true },
      open: async (sources) => ({
        plan: async () => ({
          splits: sources.map(({ uri }, index) => ({ index, uri })),
          async *read() {},
          subdivide: async (split: Split) => {
            most = Math.max(most, ++numOpen);
            // Files at odd indices respond sooner.
            await sleep(split.index % 2 === 0 ? 4 : 1);
            numOpen--;
            return [split];
          },
        }),
      }),
    });
    const read = simulatedRead({ numFiles: 100, fileBytes: 10 });
    const { units } = await planUnits(read, { unitBytes: 1, formats: createFormatRegistry(slow) });
    expect(most).toBe(16);
    expect(units.flatMap(({ parts }) => parts.map(({ uri }) => uri))).toEqual(
      read.sources.map(({ uri }) => uri),
    );
  });

  test("rejects a unit size of 0 bytes", async () => {
    await expect(planUnits(description, { unitBytes: 0 })).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "unitBytes",
    });
  });

  test("rejects with the reason of an aborted signal", async () => {
    const signal = AbortSignal.abort("enough");
    await expect(planUnits(description, { signal })).rejects.toBe("enough");
  });
});

describe("runUnit", () => {
  test("yields batches of the same sizes in every attempt", async () => {
    const plan = await planUnits(description, { unitBytes: 5_000 });
    const sizes = async (unit: Unit): Promise<number[]> => {
      const found: number[] = [];
      for await (const batch of runUnit(plan, unit)) found.push(batch.numRows);
      return found;
    };
    const unit = plan.units[1] as Unit;
    expect(await sizes(unit)).toEqual(await sizes(asJson(unit)));
  });

  test("rejects a source that has changed since the units were planned", async () => {
    const file = path.join(folder, "changing.tfrecord");
    await writeTfRecords([encodeExample({ id: { kind: "int64", values: [1] } })], file);
    const tfxio = await openTfxio(file, { inferSchema: "full" });
    const plan = await planUnits(describeRead(tfxio));
    await tfxio.close();
    await appendFile(file, "more");
    await expect(idsOf(runUnit(plan, plan.units[0] as Unit))).rejects.toMatchObject({
      code: "io-failed",
      reason: "source-changed",
    });
    await rm(file);
  });
});

describe("unitsOfWorker", () => {
  test("assigns every unit to exactly one worker", async () => {
    const { units } = await planUnits(description, { unitBytes: 2_000 });
    const dealt = [0, 1, 2].flatMap((worker) => unitsOfWorker(units, { worker, numWorkers: 3 }));
    expect(dealt.map(({ index }) => index).sort((a, b) => a - b)).toEqual(units.map(({ index }) => index));
  });

  test("assigns units to a worker without regard to their order in the list", async () => {
    const { units } = await planUnits(description, { unitBytes: 2_000 });
    const indicesOf = (list: readonly Unit[]): number[] =>
      unitsOfWorker(list, { worker: 1, numWorkers: 3 }).map(({ index }) => index);
    expect(indicesOf(units.toReversed()).sort((a, b) => a - b)).toEqual(indicesOf(units));
  });

  test("rejects a worker index equal to the number of workers", () => {
    expect(() => unitsOfWorker([], { worker: 2, numWorkers: 2 })).toThrow(
      "worker must be less than numWorkers (2), found 2",
    );
  });
});

describe("sharded output:", () => {
  const write = async (plan: UnitPlan, target: string) => {
    const shards = [];
    for (const unit of plan.units) shards.push(await writeUnit(plan, unit, target));
    return shards;
  };

  test("every row is written once, and a retried unit replaces its shard", async () => {
    const plan = asJson(await planUnits(description, { unitBytes: 5_000 }));
    const target = path.join(folder, "out.parquet");
    const shards = await write(plan, target);
    const retried = await writeUnit(plan, plan.units[0] as Unit, target);
    const uri = path.join(folder, "out.manifest.json");
    await publishManifest(uri, [...shards, retried], plan.units.length);

    const manifest = await readManifest(uri);
    expect(manifest.numRows).toBe(NUM_ROWS);
    const written = await openTfxio(
      manifest.shards.map((shard) => shard.uri),
      { inferSchema: "first" },
    );
    expect(await idsOf(written.recordBatches())).toEqual(allIds);
    await written.close();
    const names = (await readdir(folder)).filter((name) => name.startsWith("out.parquet"));
    expect(names).toHaveLength(plan.units.length);
  });

  test("publishManifest rejects a missing shard, and publishes nothing", async () => {
    const plan = await planUnits(description, { unitBytes: 5_000 });
    const shards = await write(plan, path.join(folder, "part.jsonl"));
    const uri = path.join(folder, "part.manifest.json");
    await expect(publishManifest(uri, shards.slice(1), plan.units.length)).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "incomplete-output",
    });
    expect((await readdir(folder)).some((name) => name.includes("part.manifest"))).toBe(false);
  });

  test("publishManifest rejects two attempts at one unit if their shards differ", async () => {
    const shard = { index: 0, uri: "a", numRows: 1, numBytes: 1 };
    await expect(publishManifest("x", [shard, { ...shard, numRows: 2 }], 1)).rejects.toThrow(
      "attempts at unit 0 differ",
    );
  });

  test("writeUnit writes a valid file for a unit without rows", async () => {
    const tfxio = await openTfxio(path.join(folder, "a.tfrecord"), { inferSchema: "full", filter: "id < 0" });
    const plan = await planUnits(describeRead(tfxio));
    const shard = await writeUnit(plan, plan.units[0] as Unit, path.join(folder, "none.parquet"));
    expect(shard.numRows).toBe(0);
    const empty = await openTfxio(shard.uri, { schema: tfxio.schema() });
    await tfxio.close();
    expect(await idsOf(empty.recordBatches())).toEqual([]);
    await empty.close();
  });

  test("readManifest rejects a file that is not a manifest", async () => {
    await expect(readManifest(path.join(folder, "a.tfrecord"))).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "manifest",
    });
  });
});
