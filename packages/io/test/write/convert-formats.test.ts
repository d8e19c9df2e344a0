import { describe, expect, test } from "@jest/globals";
import { conformBatch, plainRows, recordBatchOf, schemaFromArrow } from "@tfxio/arrow-encoding";
import { openTfxio, writeTfxio } from "@tfxio/io";
import { isTfxioError, memoryTarget } from "@tfxio/wire";
import {
  Binary,
  Bool,
  type Data,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  DurationMillisecond,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  LargeBinary,
  LargeUtf8,
  List,
  makeData,
  Null,
  type RecordBatch,
  Schema as ArrowSchema,
  Struct,
  TimeMicrosecond,
  TimeMillisecond,
  TimeNanosecond,
  TimeSecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  vectorFromArray,
} from "apache-arrow";

type FormatName = "arrow" | "parquet" | "avro" | "jsonl" | "csv" | "tsv" | "tfrecord" | "sequence-tfrecord";
const formats: readonly FormatName[] = [
  "arrow",
  "parquet",
  "avro",
  "jsonl",
  "csv",
  "tsv",
  "tfrecord",
  "sequence-tfrecord",
];
const fileNames: Readonly<Record<FormatName, string>> = {
  arrow: "x.arrow",
  parquet: "x.parquet",
  avro: "x.avro",
  jsonl: "x.jsonl",
  csv: "x.csv",
  tsv: "x.tsv",
  tfrecord: "x.tfrecord",
  "sequence-tfrecord": "x.tfrecord",
};

const columnar: readonly FormatName[] = ["arrow", "parquet", "avro"];
const item = (type: DataType): Field => new Field("item", type, true);
const point = new Struct([new Field("u", new Int32(), true), new Field("v", new Utf8(), true)]);
const day = new Date("2024-02-29");

/** Three values, in most cases one of them null. If tf.Examples can represent the type, they can represent these values. */
interface ColumnCase {
  readonly type: DataType;
  readonly values: readonly unknown[];
  /** The values as Arrow stores them, if `vectorFromArray` does not accept them. */
  readonly data?: Data;
  /** Formats that can hold the column. Default: all. */
  readonly heldBy?: readonly FormatName[];
  /** The format that stores the values in a different unit, or in a form that contradicts the schema. */
  readonly otherwiseIn?: FormatName;
  readonly options?: Partial<Record<FormatName, Readonly<Record<string, unknown>>>>;
}

const lists: Pick<ColumnCase, "options"> = {
  options: {
    csv: { multivalentColumns: ["x"], secondaryDelimiter: "|" },
    tsv: { multivalentColumns: ["x"], secondaryDelimiter: "|" },
  },
};
const bigints = (type: DataType, values: readonly bigint[]): Data =>
  makeData({
    type: type as Int64,
    length: 3,
    nullCount: 1,
    nullBitmap: Uint8Array.of(0b101),
    data: BigInt64Array.from([values[0]!, 0n, values[1]!]),
  });

const cases: Readonly<Record<string, ColumnCase>> = {
  bool: { type: new Bool(), values: [true, null, false] },
  int8: { type: new Int8(), values: [-128, null, 127] },
  int16: { type: new Int16(), values: [-32768, null, 32767] },
  int32: { type: new Int32(), values: [-(2 ** 31), null, 7] },
  int64: { type: new Int64(), values: [-(2n ** 63n), null, 2n ** 63n - 1n] },
  uint8: { type: new Uint8(), values: [255, null, 0] },
  uint16: { type: new Uint16(), values: [65535, null, 0] },
  uint32: { type: new Uint32(), values: [2 ** 32 - 1, null, 0] },
  uint64: { type: new Uint64(), values: [2n ** 63n - 1n, null, 0n] },
  float16: { type: new Float16(), values: [0.5, null, -2] },
  float32: { type: new Float32(), values: [Math.fround(0.1), null, 3e38] },
  float64: { type: new Float64(), values: [0.5, null, -1.25] },
  text: { type: new Utf8(), values: ["é,|\"'\n", null, "x"] },
  "large text": { type: new LargeUtf8(), values: ["é", null, "x"] },
  bytes: { type: new Binary(), values: [Uint8Array.of(65, 66), null, Uint8Array.of(67)] },
  "large bytes": { type: new LargeBinary(), values: [Uint8Array.of(65, 66), null, Uint8Array.of(67)] },
  "fixed-size bytes": {
    type: new FixedSizeBinary(2),
    values: [Uint8Array.of(65, 66), null, Uint8Array.of(67, 68)],
  },
  dictionary: { type: new Dictionary(new Utf8(), new Int32()), values: ["a", null, "b"] },
  date: { type: new DateDay(), values: [day, null, new Date(-86_400_000)] },
  "date in milliseconds": {
    otherwiseIn: "avro",
    type: new DateMillisecond(),
    values: [day, null, new Date(0)],
  },
  "time in seconds": { otherwiseIn: "avro", type: new TimeSecond(), values: [86_399, null, 0] },
  "time in milliseconds": { type: new TimeMillisecond(), values: [86_399_999, null, 0] },
  "time in microseconds": { type: new TimeMicrosecond(), values: [86_399_999_999n, null, 0n] },
  "time in nanoseconds": { type: new TimeNanosecond(), values: [86_399_999_999_999n, null, 0n] },
  "timestamp in seconds": {
    otherwiseIn: "avro",
    type: new TimestampSecond(),
    values: [],
    data: bigints(new TimestampSecond(), [1_709_210_096n, -1n]),
  },
  "timestamp in milliseconds": {
    type: new TimestampMillisecond(),
    values: [],
    data: bigints(new TimestampMillisecond(), [1_709_210_096_789n, -1n]),
  },
  "timestamp in microseconds": {
    type: new TimestampMicrosecond("UTC"),
    values: [],
    data: bigints(new TimestampMicrosecond("UTC"), [1_709_210_096_789_012n, -1n]),
  },
  "timestamp in nanoseconds": {
    type: new TimestampNanosecond(),
    values: [],
    data: bigints(new TimestampNanosecond(), [1_709_210_096_789_012_345n, -1n]),
  },
  duration: {
    otherwiseIn: "avro",
    type: new DurationMillisecond(),
    values: [],
    data: bigints(new DurationMillisecond(), [90_061_001n, -1n]),
  },
  decimal: {
    type: new Decimal(2, 10, 128),
    values: [],
    data: makeData({
      type: new Decimal(2, 10, 128),
      length: 3,
      nullCount: 1,
      nullBitmap: Uint8Array.of(0b101),
      data: Uint32Array.of(12345, 0, 0, 0, 0, 0, 0, 0, 0xffffff85, -1, -1, -1),
    }),
  },
  null: {
    otherwiseIn: "parquet",
    type: new Null(),
    values: [],
    data: makeData({ type: new Null(), length: 3 }),
  },
  "list of integers": { type: new List(item(new Int32())), values: [[1, 2], null, [3]], ...lists },
  "list of booleans": { type: new List(item(new Bool())), values: [[true, false], null, [true]], ...lists },
  "list of dates": { type: new List(item(new DateDay())), values: [[day, day], null, [day]], ...lists },
  "list of text": { type: new List(item(new Utf8())), values: [["a", "b|c"], null, ["d"]], ...lists },
  "fixed-size list": {
    type: new FixedSizeList(2, item(new Float32())),
    values: [[1, 2], null, [3, 4]],
    ...lists,
  },
  "list of lists": {
    type: new List(item(new List(item(new Int64())))),
    values: [[[1n], [2n, 3n]], null, [[4n]]],
    heldBy: [...columnar, "jsonl"],
  },
  struct: {
    type: point,
    values: [
      { u: 1, v: "a" },
      { u: null, v: "b" },
      { u: 2, v: null },
    ],
    heldBy: [...columnar, "jsonl"],
  },
  "list of structs": {
    type: new List(item(point)),
    values: [
      [{ u: 1, v: "a" }],
      null,
      [
        { u: 2, v: "b" },
        { u: 3, v: "c" },
      ],
    ],
    heldBy: [...columnar, "jsonl"],
  },
};

/** Creates a batch of `x` and `id`, the row index. Without `id`, a null would be a blank CSV line. */
function batchOf({ type, values, data }: ColumnCase): RecordBatch {
  const id = vectorFromArray([0n, 1n, 2n], new Int64()).data[0]!;
  const x = data ?? (vectorFromArray([...values], type).data[0] as Data);
  return recordBatchOf(new ArrowSchema([new Field("id", id.type, true), new Field("x", x.type, true)]), 3, [
    id,
    x,
  ]);
}

describe.each(Object.entries(cases))("a column of type %s", (_, one) => {
  const batch = batchOf(one);
  const schema = schemaFromArrow(batch.schema);
  const expected = plainRows(conformBatch(batch, schema));
  const kept = formats.filter((format) => format !== one.otherwiseIn);
  const holds = (format: FormatName): boolean => one.heldBy?.includes(format) ?? true;
  const options = (format: FormatName) => ({ format, formatOptions: one.options?.[format] ?? {} });

  /** Writes `data` to a file in the given format. */
  async function written(data: Parameters<typeof writeTfxio>[0], format: FormatName): Promise<File> {
    const target = memoryTarget(fileNames[format]);
    await writeTfxio(data, target, options(format));
    return new File([target.bytes()], fileNames[format]);
  }
  const open = (file: File, format: FormatName) => openTfxio(file, { schema, ...options(format) });

  test.each(kept.filter(holds))(
    "is converted from %s to the formats that keep its values, and rejected by the formats that cannot hold it",
    async (from) => {
      const first = await written([batch], from);
      for (const into of kept) {
        const data = await open(first, from);
        if (holds(into)) {
          const second = await open(await written(data, into), into);
          const rows = [];
          for await (const row of second.rows()) rows.push(row);
          expect({ into, rows }).toEqual({ into, rows: expected });
        } else {
          const error = await written(data, into).catch((reason: unknown) => reason);
          expect(
            isTfxioError(error, "unsupported", "schema-mismatch", "not-convertible", "shape-mismatch"),
          ).toBe(true);
          expect((error as Error).message).toMatch(/"x".*(List|Struct)/);
        }
      }
    },
  );
});
