import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { RecordBatch } from "apache-arrow";
import { openTfxio, type Tfxio } from "../src/index.js";
import { collect, examples, idsOf, range, SCHEMA, tfRecordFile } from "./fixtures.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-fixed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const records = examples(0, 6);
const file = path.join(folder, "a.tfrecord");
writeFileSync(file, tfRecordFile(records));

const rawOf = (batches: readonly RecordBatch[], name: string): number[][] =>
  batches.flatMap((batch) => {
    const raw = batch.getChild(name);
    return range(0, batch.numRows).map((row) => Array.from(raw?.get(row)?.get(0)));
  });
const expected = records.map((record) => Array.from(record));

describe('listType "fixed"', () => {
  const open = (rawRecordColumn?: string): Promise<Tfxio> =>
    openTfxio(file, { schema: SCHEMA, rawRecordColumn, formatOptions: { listType: "fixed" } });

  test("does not change rawRecords, with or without rawRecordColumn", async () => {
    expect(rawOf(await collect((await open()).rawRecords()), "raw_record")).toEqual(expected);
    expect(rawOf(await collect((await open("raw")).rawRecords()), "raw")).toEqual(expected);
  });

  test.each([0, 1])(
    "yields fixed-size lists beside unchanged raw records if the workers option is %i",
    async (workers) => {
      const batches = await collect((await open("raw")).recordBatches({ workers, batchSize: 4 }));
      expect(batches.flatMap(idsOf)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(rawOf(batches, "raw")).toEqual(expected);
      expect(batches[0]?.schema.fields.map(({ type }) => String(type))).toEqual([
        "FixedSizeList[1]<Int64>",
        "FixedSizeList[2]<Float32>",
        "List<Binary>",
        "FixedSizeList[1]<Int64>",
        "List<Binary>",
      ]);
    },
  );

  test("is rejected without a schema, but accepted with an inferred schema", async () => {
    const formatOptions = { listType: "fixed" };
    await expect(openTfxio(file, { formatOptions })).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "listType",
    });
    await expect(openTfxio(file, { inferSchema: "full", formatOptions })).resolves.toBeDefined();
  });
});
