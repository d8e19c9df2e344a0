import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { bytesSource, isTfxioError, memoryTarget } from "@tfxio/wire";
import * as ownArrow from "apache-arrow";
import type { Data, DataType, RecordBatch } from "apache-arrow";
import { openTfxio, writeTfxio, type WriteTfxioOptions } from "../../src/index.js";
import { collect } from "../fixtures.js";

type Arrow = typeof ownArrow;

// `require` loads the CommonJS files of apache-arrow, whereas `import` loads its ES modules.
const foreignArrow = createRequire(import.meta.url)("apache-arrow") as Arrow;

/** Uses the given copy of apache-arrow to create the data of a column. */
type MakeColumn = (arrow: Arrow) => Data;

/** Returns a function that creates a column of `values` with the builders of apache-arrow. */
const column =
  (typeOf: (arrow: Arrow) => DataType, ...values: readonly unknown[]): MakeColumn =>
  (arrow) =>
    arrow.vectorFromArray(values as never[], typeOf(arrow)).data[0] as Data;

const item = (arrow: Arrow, type: DataType): ownArrow.Field => new arrow.Field("item", type, true);
const threeInts = ({ makeData, Int32 }: Arrow): Data =>
  makeData({ type: new Int32(), length: 3, data: Int32Array.of(1, 2, 3) }) as Data;

const COLUMNS: Readonly<Record<string, MakeColumn>> = {
  Null: ({ makeData, Null }) => makeData({ type: new Null(), length: 3 }),
  Int8: column(({ Int8 }) => new Int8(), -1, null, 3),
  Int16: column(({ Int16 }) => new Int16(), -1, null, 3),
  Int32: column(({ Int32 }) => new Int32(), -1, null, 3),
  Int64: column(({ Int64 }) => new Int64(), -1n, null, 3n),
  Uint8: column(({ Uint8 }) => new Uint8(), 1, null, 3),
  Uint16: column(({ Uint16 }) => new Uint16(), 1, null, 3),
  Uint32: column(({ Uint32 }) => new Uint32(), 1, null, 3),
  Uint64: column(({ Uint64 }) => new Uint64(), 1n, null, 3n),
  Float16: column(({ Float16 }) => new Float16(), 0.5, null, 3),
  Float32: column(({ Float32 }) => new Float32(), 0.5, null, 3),
  Float64: column(({ Float64 }) => new Float64(), 0.5, null, 3),
  Bool: column(({ Bool }) => new Bool(), true, null, false),
  Utf8: column(({ Utf8 }) => new Utf8(), "x", null, "yé"),
  LargeUtf8: column(({ LargeUtf8 }) => new LargeUtf8(), "x", null, "yé"),
  Utf8View: column(({ Utf8View }) => new Utf8View(), "x", null, "a text of more than twelve bytes"),
  Binary: column(({ Binary }) => new Binary(), Uint8Array.of(97), null, Uint8Array.of(98, 99)),
  LargeBinary: column(({ LargeBinary }) => new LargeBinary(), Uint8Array.of(97), null, Uint8Array.of(98)),
  BinaryView: column(
    ({ BinaryView }) => new BinaryView(),
    Uint8Array.of(97),
    null,
    new Uint8Array(20).fill(97),
  ),
  FixedSizeBinary: column(
    ({ FixedSizeBinary }) => new FixedSizeBinary(2),
    Uint8Array.of(97, 98),
    null,
    Uint8Array.of(99, 100),
  ),
  Decimal: ({ makeData, Decimal }) =>
    makeData({
      type: new Decimal(2, 10, 128),
      length: 3,
      data: Uint32Array.from({ length: 12 }, (_, at) => +(at % 4 === 0)),
    }),
  DateDay: column(({ DateDay }) => new DateDay(), new Date(86_400_000), null, new Date(0)),
  DateMillisecond: column(
    ({ DateMillisecond }) => new DateMillisecond(),
    new Date(86_400_000),
    null,
    new Date(0),
  ),
  TimeSecond: column(({ TimeSecond }) => new TimeSecond(), 1, null, 3),
  TimeNanosecond: column(({ TimeNanosecond }) => new TimeNanosecond(), 1n, null, 3n),
  "Timestamp without a zone": column(({ TimestampMillisecond }) => new TimestampMillisecond(), 1, null, 3),
  "Timestamp with a zone": column(({ TimestampSecond }) => new TimestampSecond("UTC"), 1000, null, 3000),
  Duration: column(({ DurationMicrosecond }) => new DurationMicrosecond(), 1n, null, 3n),
  Interval: ({ makeData, IntervalYearMonth }) =>
    makeData({ type: new IntervalYearMonth(), length: 3, data: Int32Array.of(1, 2, 3) }),
  List: column((arrow) => new arrow.List(item(arrow, new arrow.Int32())), [1, 2], null, []),
  "List of lists": column(
    (arrow) => new arrow.List(item(arrow, new arrow.List(item(arrow, new arrow.Utf8())))),
    [["a"], []],
    null,
    [["b", "c"]],
  ),
  LargeList: column((arrow) => new arrow.LargeList(item(arrow, new arrow.Float32())), [1, 2], null, []),
  FixedSizeList: column(
    (arrow) => new arrow.FixedSizeList(2, item(arrow, new arrow.Float32())),
    [1, 2],
    null,
    [3, 4],
  ),
  Struct: column(
    ({ Struct, Field, Int32, Utf8 }) =>
      new Struct([new Field("p", new Int32(), true), new Field("q", new Utf8(), true)]),
    { p: 1, q: "x" },
    null,
    { p: null, q: "y" },
  ),
  Map: column(
    ({ Map_, Field, Struct, Utf8, Int32 }) =>
      new Map_(
        new Field(
          "entries",
          new Struct([new Field("key", new Utf8(), false), new Field("value", new Int32(), true)]) as never,
          false,
        ),
      ),
    { a: 1 },
    null,
    { b: 2, c: 3 },
  ),
  Dictionary: column(
    ({ Dictionary, Utf8, Int8 }) => new Dictionary(new Utf8(), new Int8(), 7),
    "x",
    null,
    "y",
  ),
  "List of dictionary values": (arrow) => {
    const values = arrow.vectorFromArray(
      ["x", "y", "x"],
      new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 8),
    ).data[0] as Data;
    const type = new arrow.List(item(arrow, values.type));
    return arrow.makeData({
      type,
      length: 3,
      valueOffsets: Int32Array.of(0, 2, 2, 3),
      child: values,
    }) as Data;
  },
  SparseUnion: (arrow) => {
    const { SparseUnion, Field, Int32 } = arrow;
    const fields = [new Field("a", new Int32(), true), new Field("b", new Int32(), true)];
    const children = [threeInts(arrow), threeInts(arrow)];
    return arrow.makeData({
      type: new SparseUnion([0, 1], fields),
      length: 3,
      typeIds: Int8Array.of(0, 1, 0),
      children: children as never[],
    }) as Data;
  },
  DenseUnion: (arrow) => {
    const { DenseUnion, Field, Int32 } = arrow;
    const fields = [new Field("a", new Int32(), true), new Field("b", new Int32(), true)];
    return arrow.makeData({
      type: new DenseUnion([3, 5], fields),
      length: 3,
      typeIds: Int8Array.of(3, 5, 3),
      valueOffsets: Int32Array.of(0, 1, 2),
      children: [threeInts(arrow), threeInts(arrow)] as never[],
    }) as Data;
  },
};

/** Creates a batch with one column `a`, and metadata. */
function batchOf(arrow: Arrow, make: MakeColumn): RecordBatch {
  const data = make(arrow);
  const field = new arrow.Field("a", data.type, true, new Map([["unit", "m"]]));
  const struct = arrow.makeData({ type: new arrow.Struct([field]), length: data.length, children: [data] });
  return new arrow.RecordBatch(new arrow.Schema([field], new Map([["made", "here"]])), struct);
}

/** Returns the written bytes in hexadecimal, or the error. */
async function outcome(batches: readonly RecordBatch[], options: WriteTfxioOptions): Promise<unknown> {
  const target = memoryTarget("written");
  try {
    await writeTfxio(batches, target, options);
  } catch (error) {
    expect(isTfxioError(error)).toBe(true);
    return error;
  }
  const bytes = Buffer.from(target.bytes()).toString("hex");
  // An Avro file ends with its random marker, 16 bytes that also follow its header and each block.
  return options.format === "avro" ? bytes.replaceAll(bytes.slice(-32), "") : bytes;
}

/** Returns the outcome of writing each column in two batches, the second of which is a slice of the first. */
async function outcomes(arrow: Arrow, options: WriteTfxioOptions): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, make] of Object.entries(COLUMNS)) {
    const batch = batchOf(arrow, make);
    found[name] = await outcome([batch, batch.slice(1)], options);
  }
  return found;
}

test("CommonJS and ES modules get different copies of apache-arrow", () => {
  expect(foreignArrow.DataType).not.toBe(ownArrow.DataType);
  expect(new foreignArrow.Int32()).not.toBeInstanceOf(ownArrow.DataType);
});

describe("writeTfxio with batches from another copy of apache-arrow", () => {
  // A lower limit for the number of column types that each format can write.
  test.each([
    ["arrow", 39],
    ["parquet", 35],
    ["avro", 33],
    ["jsonl", 34],
    ["csv", 20],
    ["tsv", 20],
    ["tfrecord", 31],
    ["sequence-tfrecord", 31],
  ])(
    "writes the same %s bytes, or rejects the same column types, as with batches from its own copy",
    async (format, numWritten) => {
      // Lets CSV represent a row whose only cell is null.
      const formatOptions = /^[ct]sv$/.test(format) ? { skipBlankLines: false } : {};
      const expected = await outcomes(ownArrow, { format, formatOptions });
      expect(await outcomes(foreignArrow, { format, formatOptions })).toEqual(expected);
      const written = Object.values(expected).filter((bytes) => typeof bytes === "string");
      expect(written.length).toBeGreaterThanOrEqual(numWritten);
    },
  );

  test("accepts an Arrow schema from either copy, and writes several shards", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "tfxio-copies-"));
    try {
      const [own, foreign] = [ownArrow, foreignArrow].map((arrow) =>
        batchOf(arrow, COLUMNS["List of lists"] as MakeColumn),
      ) as [RecordBatch, RecordBatch];
      for (const [at, arrowSchema] of [undefined, own.schema, foreign.schema].entries()) {
        for (const batches of [[own], [foreign]]) {
          const target = path.join(folder, `${at}.jsonl`);
          const { uris } = await writeTfxio(batches, target, { numShards: 2, arrowSchema });
          expect(uris.map((uri) => readFileSync(uri, "utf8"))).toEqual([
            '{"a":[["a"],[]]}\n{"a":[["b","c"]]}\n',
            '{"a":null}\n',
          ]);
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("preserves their rows", async () => {
    const { batches } = foreignArrow.tableFromArrays({ a: [1, 2, 3], b: ["x", "y", "z"] });
    for (const format of ["arrow", "jsonl", "tfrecord", "parquet", "csv"]) {
      const target = memoryTarget("rows");
      await writeTfxio(batches as never, target, { format });
      const rows = (await openTfxio(bytesSource(target.bytes()), { format })).rows();
      expect((await collect(rows)).map((row) => JSON.stringify(row))).toEqual([
        '{"a":[1],"b":["x"]}',
        '{"a":[2],"b":["y"]}',
        '{"a":[3],"b":["z"]}',
      ]);
    }
  });
});
