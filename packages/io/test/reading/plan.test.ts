import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type PlainRow, plainRows } from "@tfxio/arrow-encoding";
import { defineFormat, type ReadOptions, type ReadPlan, type Split } from "@tfxio/format";
import type { Position } from "@tfxio/wire";
import { openTfxio, type TfxioOptions } from "../../src/index.js";
import { collect, range } from "../fixtures.js";
import { PEOPLE, peopleFile } from "../people.js";
import { importTable, tableFile } from "../worker-formats/index.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-plan-"));
const files = [0, 1, 2].map((index) => path.join(folder, `${index}.tfrecord`));
beforeAll(() => {
  for (const [index, file] of files.entries()) writeFileSync(file, peopleFile(40 * index, 40 * index + 40));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function rowsOf(plan: ReadPlan, split: Split, options?: ReadOptions): Promise<PlainRow[]> {
  return (await collect(plan.read(split, options))).flatMap(plainRows);
}

const OPTIONS: readonly [string, TfxioOptions][] = [
  ["all columns", {}],
  ["small batches", { batchBytes: 300 }],
  ["a filter", { filter: "age >= 20", batchBytes: 300 }],
  ["a filter on a column that is not requested", { filter: "age >= 20", columns: ["id"], batchBytes: 300 }],
  ["raw records and row positions", { rawRecordColumn: "raw", rowPositionColumn: "at", batchBytes: 300 }],
  ["no schema", { schema: undefined }],
];

describe.each(OPTIONS)("a plan with %s", (_, options) => {
  const open = (): ReturnType<typeof openTfxio> => openTfxio(files, { schema: PEOPLE, ...options });

  test("has splits that survive JSON and together yield all rows", async () => {
    const tfxio = await open();
    const plan = await tfxio.plan();
    const splits = JSON.parse(JSON.stringify(plan.splits)) as Split[];
    expect(splits).toEqual(plan.splits);
    expect(splits.map(({ uri }) => uri)).toEqual(files);
    const rows: PlainRow[] = [];
    for (const split of splits) rows.push(...(await rowsOf(plan, split)));
    expect(rows).toEqual(await collect(tfxio.rows({ workers: 0 })));
    expect(rows.length).toBeGreaterThan(0);
  });

  test("resumes from every reported position, even after the position makes a round trip through JSON", async () => {
    const tfxio = await open();
    const plan = await tfxio.plan();
    const [, split] = plan.splits;
    const all = await rowsOf(plan, split!);
    let position: Position | undefined;
    let numSeen = 0;
    const reading = plan.read(split!, { onProgress: (progress) => (position = progress.position) });
    for await (const batch of reading) {
      numSeen += batch.numRows;
      const from = JSON.parse(JSON.stringify(position)) as Position;
      expect(await rowsOf(plan, split!, { from })).toEqual(all.slice(numSeen));
    }
    expect(numSeen).toBe(all.length);
  });
});

describe("a plan", () => {
  test("of a validation part yields its rows in order or shuffled, and can add the index of each row's split", async () => {
    const { validation } = (await openTfxio(files, { schema: PEOPLE })).split({ validation: 0.3 });
    const plan = await validation.plan();
    const rows: PlainRow[] = [];
    for (const split of plan.splits) rows.push(...(await rowsOf(plan, split)));
    expect(rows).toEqual(await collect(validation.rows()));
    const shuffle = { seed: 3, numRows: 50, with: plan.splits.slice(1) };
    const shuffled = await rowsOf(plan, plan.splits[0]!, { shuffle });
    expect(new Set(shuffled.map((row) => JSON.stringify(row)))).toEqual(
      new Set(rows.map((row) => JSON.stringify(row))),
    );
    const indexed = await rowsOf(plan, plan.splits[0]!, {
      shuffle: { ...shuffle, splitIndexColumn: "file" },
    });
    expect(indexed.map(({ file }) => file)).toEqual(
      indexed.map(({ id }) => Math.floor((id as number[])[0]! / 40)),
    );
  });

  test("states the Arrow schema of its batches, and whether they are filtered", async () => {
    const plan = await (
      await openTfxio(files, { schema: PEOPLE, filter: "id < 3", columns: ["age"] })
    ).plan();
    expect(plan.filtered).toBe("rows");
    expect(plan.arrowSchema?.fields.map(String)).toEqual(["age: List<Int64>"]);
    expect((await (await openTfxio(files, { schema: PEOPLE })).plan()).filtered).toBe("no");
  });

  test("is cached, and a projection has a cached plan of its own", async () => {
    const tfxio = await openTfxio(files, { schema: PEOPLE });
    expect(await tfxio.plan()).toBe(await tfxio.plan());
    const projected = tfxio.project(["id"]);
    expect((await projected.plan()).arrowSchema?.names).toEqual(["id"]);
    expect(await projected.plan()).toBe(await projected.plan());
  });

  test("can neither be made nor read after its TFXIO is closed", async () => {
    const tfxio = await openTfxio(files, { schema: PEOPLE });
    const projected = tfxio.project(["id"]);
    const plan = await tfxio.plan();
    await tfxio.close();
    const closed = { code: "invalid-argument", reason: "reader-closed" };
    await expect(tfxio.plan()).rejects.toMatchObject(closed);
    await expect(projected.plan()).rejects.toMatchObject(closed);
    await expect(collect(plan.read(plan.splits[0]!))).rejects.toMatchObject(closed);
    await expect(collect(tfxio.rows())).rejects.toMatchObject(closed);
    await expect(collect(tfxio.recordBatches())).rejects.toMatchObject(closed);
    await tfxio.close();
  });

  test("rejects a split that is not its own", async () => {
    const plan = await (await openTfxio(files, { schema: PEOPLE })).plan();
    await expect(collect(plan.read({ index: 7, uri: "elsewhere" }))).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "unknown-split",
    });
  });

  test("has the subdivide method of the format's plan, which is called during a read if splitBytes is set", async () => {
    const table = await importTable();
    const cut: Split[] = [];
    // Each file is one split, which is subdivided only when it is read.
    const late = defineFormat({
      id: "late",
      contractVersion: 2,
      extensions: [".late"],
      defaults: {},
      reads: { subdivide: true },
      async open(sources, { signal }) {
        const reader = await table.open(sources, { signal });
        return {
          async plan({ batchSize, columns, signal: planSignal }) {
            const plan = await reader.plan({ batchSize, columns, signal: planSignal });
            return {
              ...plan,
              async subdivide(split): Promise<readonly Split[]> {
                cut.push(split);
                const half = Math.floor((split.numRows ?? 0) / 2);
                return [
                  { ...split, start: 0, end: half },
                  { ...split, start: half, end: split.numRows },
                ];
              },
              async *read(split, options) {
                const { start = 0, end = split.numRows ?? 0 } = split;
                const own = plan.splits[split.index]!;
                let row = 0;
                for await (const batch of plan.read(own, { signal: options?.signal })) {
                  const part = batch.slice(
                    Math.max(0, start - row),
                    Math.max(0, Math.min(batch.numRows, end - row)),
                  );
                  row += batch.numRows;
                  if (part.numRows > 0) yield part;
                }
              },
            };
          },
        };
      },
    });
    const sources = [range(0, 90), range(90, 130)].map((ids) => tableFile(ids.map((id) => ({ id }))));
    const options = { format: late, columns: ["id"], filter: "id != 5" };
    const whole = await openTfxio(sources, options);
    const parts = await openTfxio(sources, { ...options, splitBytes: 10 });
    const expected = range(0, 130).filter((id) => id !== 5);
    expect((await collect(whole.rows())).map(({ id }) => (id as number[])[0])).toEqual(expected);
    expect(cut).toEqual([]);
    expect((await collect(parts.rows())).map(({ id }) => (id as number[])[0])).toEqual(expected);
    expect(cut).toHaveLength(2);
    const plan = await parts.plan();
    const subdivided = (await plan.subdivide?.(plan.splits[0]!)) ?? [];
    expect(JSON.parse(JSON.stringify(subdivided))).toEqual(subdivided);
    const rows: PlainRow[] = [];
    for (const split of subdivided) rows.push(...(await rowsOf(plan, split)));
    expect(rows.map(({ id }) => (id as number[])[0])).toEqual(expected.slice(0, 89));
  });
});

describe("row counts", () => {
  const table = importTable;

  test("accumulate over epochs and files, and so do byte counts", async () => {
    const tfxio = await openTfxio(files, { schema: PEOPLE });
    const seen: { epoch: number; uri: string; numRows: number; numBytes: number }[] = [];
    await collect(
      tfxio.recordBatches({ numEpochs: 2, workers: 0, onProgress: (progress) => seen.push(progress) }),
    );
    expect(seen.map(({ epoch, uri, numRows }) => [epoch, uri, numRows])).toEqual(
      range(0, 6).map((index) => [Math.floor(index / 3), files[index % 3], 40 * (index + 1)]),
    );
    const bytes = [0, 1, 2].map((index) => peopleFile(40 * index, 40 * index + 40).length);
    expect(seen.at(-1)?.numBytes).toBe(2 * bytes.reduce((sum, length) => sum + length));
    const again: number[] = [];
    await collect(tfxio.recordBatches({ workers: 0, onProgress: ({ numRows }) => again.push(numRows) }));
    expect(again.at(-1)).toBe(120);
  });

  test("include the rows of all epochs of a shuffled read", async () => {
    const tfxio = await openTfxio(files, { schema: PEOPLE });
    const seen: { epoch: number; numRows: number }[] = [];
    const reading = { shuffle: true, readerNumThreads: 2, numEpochs: 3, workers: 0 };
    await collect(tfxio.recordBatches({ ...reading, onProgress: (progress) => seen.push(progress) }));
    expect(seen.at(-1)).toMatchObject({ epoch: 2, numRows: 360 });
  });

  test("are passed to onProgress, and the read ends in a user-function error if onProgress throws", async () => {
    for (const options of [{}, { batchBytes: 300 }]) {
      const tfxio = await openTfxio(tableFile([{ id: 1 }]), { format: await table(), ...options });
      const reading = { onProgress: () => JSON.parse("{") as void };
      await expect(collect(tfxio.recordBatches(reading))).rejects.toMatchObject({ code: "user-function" });
    }
  });

  test("of the splits give a dataset its cardinality", async () => {
    const rows = tableFile(range(0, 70).map((id) => ({ id })));
    const options = { format: await table(), inferSchema: "first" } as const;
    const tfxio = await openTfxio([rows, rows], options);
    const count = (from: typeof tfxio, reading: object): unknown =>
      from.dataset({ shuffle: false, batchSize: 40, ...reading }).cardinality();
    expect(count(tfxio, {})).toBe(4);
    expect(count(tfxio, { dropFinalBatch: true })).toBe(3);
    expect(count(tfxio, { shuffle: true, shuffleSeed: 1 })).toBe(4);
    expect(count(tfxio, { numEpochs: 3 })).toBe(11);
    expect(count(tfxio, { numEpochs: Number.POSITIVE_INFINITY })).toBe("infinite");
    expect(count(tfxio.project(["id"]), {})).toBe(4);
    expect(tfxio.dataset({ batchSize: 40 }).size).toBe(4);
    expect(await tfxio.dataset({ batchSize: 40 }).toArray()).toHaveLength(4);
    expect(count(tfxio.split({ validation: 0.5 }).train, {})).toBe("unknown");
    expect(count(await openTfxio([rows, rows], { ...options, filter: "id < 3" }), {})).toBe("unknown");
    const records = await openTfxio(files, { schema: PEOPLE });
    expect(count(records, {})).toBe("unknown");
    expect(records.dataset().size).toBeNull();
  });
});

describe("leases of batches", () => {
  test.each<[string, TfxioOptions]>([
    ["a filter", { filter: "age >= 20" }],
    ["a filter that keeps all rows", { filter: "id >= 0" }],
    ["a filter that keeps no rows", { filter: "id < 0" }],
    ["a filter on a column that is dropped", { filter: "age >= 20", columns: ["id"] }],
    ["row positions", { rowPositionColumn: "at" }],
    ["raw records", { rawRecordColumn: "raw", columns: ["id"] }],
    ["stored columns", { columnForm: "stored" }],
  ])("with %s yield the same rows as rows()", async (_, options) => {
    const tfxio = await openTfxio(files, { schema: PEOPLE, batchBytes: 300, ...options });
    const rows: PlainRow[] = [];
    for await (const lease of tfxio.leasedBatches()) {
      rows.push(...plainRows(lease.batch));
      lease.release();
    }
    expect(rows).toEqual(await collect(tfxio.rows({ workers: 0 })));
  });

  test("of a projection or a validation part yield the same rows as rows()", async () => {
    const tfxio = await openTfxio(files, { schema: PEOPLE, batchBytes: 300 });
    for (const one of [tfxio.project(["id"]), tfxio.split({ validation: 0.4 }).validation]) {
      const rows: PlainRow[] = [];
      for await (const lease of one.leasedBatches()) {
        rows.push(...plainRows(lease.batch));
        lease.release();
      }
      expect(rows).toEqual(await collect(one.rows({ workers: 0 })));
    }
  });
});
