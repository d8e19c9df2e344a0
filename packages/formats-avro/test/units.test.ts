import { describe, expect, test } from "@jest/globals";
import { recordBatchOf } from "@tfxio/arrow-encoding";
import { avro } from "@tfxio/formats-avro";
import { memoryTarget } from "@tfxio/wire";
import {
  type Data,
  type DataType,
  DateMillisecond,
  Dictionary,
  DurationMillisecond,
  Field,
  Int32,
  List,
  makeData,
  Map_,
  type RecordBatch,
  Schema as ArrowSchema,
  Struct,
  TimeNanosecond,
  TimeSecond,
  TimestampSecond,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { avroBatches, avroFile } from "./avro-rows.js";
import { avscRows, avscValue } from "./avsc-file.js";
import { fileOf } from "./file-of.js";

/** Creates a batch with one column `c` that stores `data`. */
function batchOf(type: DataType, data: Int32Array | BigInt64Array): RecordBatch {
  const column = makeData({ type, data, length: data.length } as Parameters<typeof makeData>[0]);
  return recordBatchOf(new ArrowSchema([new Field("c", type, false)]), data.length, [column]);
}

describe("the Avro writer", () => {
  // avsc lacks these logical types, so it returns the stored numbers.
  test.each([
    [
      "converts a time in seconds to milliseconds",
      new TimeSecond(),
      Int32Array.of(0, 86_399),
      [0, 86_399_000],
    ],
    [
      "converts a timestamp in seconds to milliseconds",
      new TimestampSecond("UTC"),
      BigInt64Array.of(5n, -7n, 9_007_199_254_740n),
      // avsc returns a long with a logical type as a number.
      [5000, -7000, 9_007_199_254_740_000],
    ],
    [
      "writes a time in nanoseconds as a plain long",
      new TimeNanosecond(),
      BigInt64Array.of(86_399_999_999_999n),
      [86_399_999_999_999n],
    ],
    [
      "rounds a date in milliseconds down to a whole day, even before 1970",
      new DateMillisecond(),
      BigInt64Array.of(86_400_000n, 86_399_999n, -1n),
      [1, 0, -1],
    ],
  ])("%s", async (_, type, data, expected) => {
    const rows = await avscRows(await avroFile([batchOf(type, data)]));
    expect(rows).toEqual(expected.map((c) => ({ c })));
  });

  test.each([
    ["a time", new TimeSecond(), Int32Array.of(1, 2_147_484), "avro-int", 2_147_484_000],
    ["a date", new DateMillisecond(), BigInt64Array.of(0n, 86_400_000n * 2n ** 31n), "avro-int", 2 ** 31],
    ["a timestamp", new TimestampSecond(), BigInt64Array.of(0n, 2n ** 62n), "int64", 2n ** 62n * 1000n],
  ])(
    "rejects %s that does not fit in its Avro type, and names the column and row",
    async (_, type, data, reason, value) => {
      await expect(avroFile([batchOf(type, data)])).rejects.toMatchObject({
        code: "out-of-range",
        reason,
        columnPath: "c",
        row: 1,
        message: expect.stringContaining(`Row 1 of column "c" would be written as ${value},`),
      });
    },
  );

  // Row 0 has the first two values. Row 1 has the third value, which is bad.
  const valueOffsets = Int32Array.of(0, 2, 3);
  const times = makeData({ type: new TimeSecond(), data: Int32Array.of(1, 2, 2_147_484) });
  const nulls = makeData({
    type: new Int32(),
    data: Int32Array.of(1, 2, 0),
    nullBitmap: Uint8Array.of(0b011),
  });
  const keys = vectorFromArray(["a", "b", "c"], new Utf8()).data[0]!;
  const lists = (items: Data): Data =>
    makeData({ type: new List(new Field("item", items.type, false)), valueOffsets, child: items });
  const maps = (values: Data): Data => {
    const type = new Struct([new Field("key", keys.type, false), new Field("value", values.type, false)]);
    const entries = makeData({ type, length: 3, children: [keys, values] as never });
    return makeData({
      type: new Map_(new Field("entries", type, false)),
      valueOffsets,
      child: entries as never,
    });
  };
  const coded = (values: Data): Data => {
    const type = new Dictionary(values.type, new Int32());
    return makeData({ type, data: Int32Array.of(0, 2), dictionary: new Vector([values]) });
  };

  test.each([
    ["a list", lists(times), "out-of-range", "c.item"],
    ["a list", lists(nulls), "not-convertible", "c.item"],
    ["a map", maps(times), "out-of-range", "c.value"],
    ["a map", maps(nulls), "not-convertible", "c.value"],
    ["a dictionary", coded(times), "out-of-range", "c"],
  ])("names the row of the batch if %s has a bad value", async (_, column, code, columnPath) => {
    const batch = recordBatchOf(new ArrowSchema([new Field("c", column.type, false)]), 2, [column]);
    await expect(avroFile([batch])).rejects.toMatchObject({
      code,
      columnPath,
      row: 1,
      message: expect.stringMatching(/\brow 1\b/i) as unknown,
    });
  });

  test("writes the rows before a bad row, and accepts a valid batch after it", async () => {
    const column = { type: new TimeSecond(), data: Int32Array.of(1, 2_147_484) };
    const other = makeData({ type: new Int32(), data: Int32Array.of(7, 8) });
    const fields = [new Field("other", other.type, false), new Field("c", column.type, false)];
    const batch = recordBatchOf(new ArrowSchema(fields), 2, [other, makeData(column)]);
    const target = memoryTarget();
    const writer = await avro.createWriter(target, { arrowSchema: batch.schema });
    await expect(writer.write(batch)).rejects.toMatchObject({ code: "out-of-range", row: 1 });
    await writer.write(batch.slice(0, 1));
    await writer.finish();
    await target.commit();
    expect(await avscRows(target.bytes())).toEqual([
      { other: 7, c: 1000 },
      { other: 7, c: 1000 },
    ]);
  });
});

describe("durations", () => {
  // Avro 1.12 specification, "Duration": 12 bytes, which are three little-endian uint32 values (months, days, milliseconds).
  const type = { type: "fixed", name: "D", size: 12, logicalType: "duration" };
  const monthDaySecond = Buffer.of(1, 0, 0, 0, 2, 0, 0, 0, 0xe8, 3, 0, 0);

  test("of Avro are read as their twelve bytes", async () => {
    const schema = { type: "record", name: "R", fields: [{ name: "c", type }] };
    const file = fileOf(schema, avscValue(schema, { c: monthDaySecond }));
    const [batch] = await avroBatches(file);
    expect(String(batch!.schema.fields[0]!.type)).toBe("FixedSizeBinary[12]");
    expect(batch!.getChildAt(0)!.get(0)).toEqual(new Uint8Array(monthDaySecond));
  });

  test("of Arrow are rejected by the writer", async () => {
    await expect(
      avroFile([batchOf(new DurationMillisecond(), BigInt64Array.of(1000n))]),
    ).rejects.toMatchObject({
      code: "unsupported",
      reason: "column-type",
      message: expect.stringContaining('Column "c" has type Duration<MILLISECOND>'),
    });
  });
});
