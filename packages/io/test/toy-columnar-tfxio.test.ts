import { beforeAll, describe, expect, test } from "@jest/globals";
import { createFormatRegistry } from "@tfxio/format";
import { parseSchemaText } from "@tfxio/schema";
import { memoryTarget } from "@tfxio/wire";
import {
  Bool,
  type DataType,
  Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { openTfxio, type Tfxio, type TfxioOptions, writeTfxio } from "../src/index.js";
import { collect, range } from "./fixtures.js";
import { toyColumnar } from "./toy-columnar.js";

// These tests cover what TFRecord lacks: stored columns, and row groups that a filter excludes.

const NUM_ROWS = 100;
const arrowSchema = new ArrowSchema([
  new Field("age", new Int32(), true),
  new Field("score", new Float64(), true),
  new Field("word", new Utf8(), true),
  new Field("good", new Bool(), true),
]);
const columns: Readonly<Record<string, readonly unknown[]>> = {
  age: range(0, NUM_ROWS),
  score: range(0, NUM_ROWS).map((age) => (age % 10 === 0 ? null : age / 4)),
  word: range(0, NUM_ROWS).map((age) => `w${age}`),
  good: range(0, NUM_ROWS).map((age) => age % 2 === 0),
};
const children = arrowSchema.fields.map(
  ({ name, type }) => vectorFromArray(columns[name] as never[], type as DataType).data[0]!,
);
const batch = new RecordBatch(
  arrowSchema,
  makeData({ type: new Struct(arrowSchema.fields), length: NUM_ROWS, nullCount: 0, children }),
);
const formats = createFormatRegistry(toyColumnar);

let file: Uint8Array;
beforeAll(async () => {
  const target = memoryTarget("people.tcol");
  const summary = await writeTfxio([batch], target, { formats, formatOptions: { groupRows: 10 } });
  expect(summary).toEqual({ uris: ["people.tcol"], numRows: NUM_ROWS, numBytes: target.bytes().length });
  file = target.bytes();
});
const open = (options: TfxioOptions = {}): Promise<Tfxio> => openTfxio(file, { formats, ...options });
const agesOf = async (tfxio: Tfxio): Promise<unknown[]> =>
  (await collect(tfxio.rows())).map((row) => (row["age"] as number[])[0]);

describe("a file in a custom columnar format", () => {
  test("is detected by its first bytes, and yields lists of one value", async () => {
    const tfxio = await open();
    const rows = await collect(tfxio.rows());
    expect(rows).toHaveLength(NUM_ROWS);
    expect(rows[0]).toEqual({ age: [0], score: null, word: ["w0"], good: [true] });
    expect(rows[99]).toEqual({ age: [99], score: [24.75], word: ["w99"], good: [false] });
  });

  test("keeps its types in stored form", async () => {
    const [stored] = await collect((await open({ columnForm: "stored" })).recordBatches());
    expect(stored?.schema.fields.map(String)).toEqual(arrowSchema.fields.map(String));
  });

  test("skips row groups that a filter excludes, and yields only matching rows", async () => {
    const tfxio = await open({ filter: "age >= 42 and good == true", columns: ["age"], splitBytes: 1 });
    expect(await agesOf(tfxio)).toEqual(range(42, 100).filter((age) => age % 2 === 0));
    const plan = await tfxio.plan();
    expect(plan.filtered).toBe("rows");
    const parts = await plan.subdivide?.(plan.splits[0]!);
    // Row groups have ten rows. Those with ages 0 to 39 have no matching row.
    expect(parts?.map(({ numRows }) => numRows)).toEqual([10, 10, 10, 10, 10, 10]);
  });

  test("keeps row positions under a filter, as lists of one value", async () => {
    const tfxio = await open({ filter: "age > 96", columns: ["word"], rowPositionColumn: "at" });
    expect(await collect(tfxio.rows())).toEqual([
      { word: ["w97"], at: [97] },
      { word: ["w98"], at: [98] },
      { word: ["w99"], at: [99] },
    ]);
  });

  test("is converted to the types of a schema, and read as a dataset", async () => {
    const schema = parseSchemaText(
      'feature { name: "score" type: FLOAT } feature { name: "age" type: INT presence { min_fraction: 1 } shape {} }',
    );
    const tfxio = await open({ schema });
    expect(tfxio.arrowSchema().fields.map(String)).toEqual(["score: List<Float32>", "age: List<Int64>"]);
    const elements = await tfxio.dataset({ shuffle: false, batchSize: 40 }).toArray();
    const ages = elements.map((element) => (element as Record<string, { values?: unknown }>)["age"]?.values);
    expect(ages.map((values) => Array.from(values as BigInt64Array, Number))).toEqual([
      range(0, 40),
      range(40, 80),
      range(80, 100),
    ]);
  });

  test("is shuffled by the library: the seed fixes the order, and every row appears once", async () => {
    const tfxio = await open({ inferSchema: "full" });
    const order = async (seed: number): Promise<unknown[]> =>
      (await collect(tfxio.rows({ shuffle: true, shuffleSeed: seed }))).map(
        (row) => (row["age"] as number[])[0],
      );
    const first = await order(1);
    expect(first.toSorted((a, b) => Number(a) - Number(b))).toEqual(range(0, NUM_ROWS));
    expect(first).not.toEqual(range(0, NUM_ROWS));
    expect(await order(1)).toEqual(first);
    expect(await order(2)).not.toEqual(first);
  });

  test("is split into disjoint training and validation rows", async () => {
    const { train, validation } = (await open()).split({ validation: 0.3, seed: 4 });
    const [left, right] = [await agesOf(train), await agesOf(validation)];
    expect([...left, ...right].toSorted((a, b) => Number(a) - Number(b))).toEqual(range(0, NUM_ROWS));
    expect(right.length).toBeGreaterThan(10);
    expect(right.length).toBeLessThan(50);
  });

  test("can be read from a stream only once", async () => {
    const tfxio = await openTfxio(
      (async function* () {
        for (let at = 0; at < file.length; at += 100) yield file.subarray(at, at + 100);
      })(),
      { formats, filter: "age < 3" },
    );
    expect(await agesOf(tfxio)).toEqual([0, 1, 2]);
    await expect(agesOf(tfxio)).rejects.toMatchObject({ reason: "stream-consumed" });
  });

  test("obeys the limit on the size of footers", async () => {
    const tfxio = await open({ limits: { maxMetadataBytes: 20 } });
    await expect(agesOf(tfxio)).rejects.toMatchObject({ code: "limit-exceeded", uri: "bytes:0" });
  });

  test("rejects a request for raw records", async () => {
    await expect(open({ rawRecordColumn: "raw" })).rejects.toMatchObject({
      code: "unsupported",
      reason: "undeclared-request",
    });
  });

  test("is converted to TFRecords that yield the same rows", async () => {
    const records = memoryTarget("people.tfrecord.gz");
    await writeTfxio(await open({ columns: ["age", "word"] }), records);
    const again = await openTfxio(records.bytes(), { inferSchema: "full" });
    expect(await collect(again.rows())).toEqual(
      await collect((await open({ columns: ["age", "word"] })).rows()),
    );
  });
});
