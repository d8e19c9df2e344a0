import { describe, expect, test } from "@jest/globals";
import {
  Binary,
  Bool,
  type Data,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  DurationSecond,
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
  IntervalYearMonth,
  LargeBinary,
  LargeList,
  LargeUtf8,
  type List,
  makeData,
  Map_,
  Null,
  type RecordBatch,
  Schema as ArrowSchema,
  Struct,
  TimeMicrosecond,
  Timestamp,
  TimestampNanosecond,
  TimeUnit,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import {
  columnElements,
  createExampleDecoder,
  encodeExample,
  listColumnsSchema,
  toListColumns,
} from "../../src/index.js";
import { plainRows } from "../plain-rows.js";
import { Draw, seededRandom } from "../random.js";
import { randomBatch, randomType } from "../random-column.js";
import { batchOf, batchWith, columnOf, dictionaryOf, listOf } from "../batches.js";

/** Returns the type, rows and metadata of one column in list form. */
function listed(data: Data): { type: string; rows: unknown[]; metadata: Record<string, string> } {
  const batch = toListColumns(batchOf({ x: data }));
  const [column] = batch.data.children as [Data];
  const [field] = batch.schema.fields as [Field];
  expect(String(field.type)).toBe(String(column.type));
  return { type: String(column.type), rows: plainRows(column), metadata: Object.fromEntries(field.metadata) };
}

describe("toListColumns represents", () => {
  test.each<[DataType, unknown[], string, unknown[]]>([
    [new Int8(), [-128, null, 127], "List<Int64>", [["-128n"], null, ["127n"]]],
    [new Int16(), [-32768, 1], "List<Int64>", [["-32768n"], ["1n"]]],
    [new Int32(), [-2147483648, null, 5], "List<Int64>", [["-2147483648n"], null, ["5n"]]],
    [new Int64(), [2n ** 63n - 1n, null], "List<Int64>", [["9223372036854775807n"], null]],
    [new Uint8(), [255], "List<Int64>", [["255n"]]],
    [new Uint16(), [65535], "List<Int64>", [["65535n"]]],
    [new Uint32(), [4294967295, null], "List<Int64>", [["4294967295n"], null]],
    [new Uint64(), [2n ** 63n - 1n, null], "List<Int64>", [["9223372036854775807n"], null]],
    [new Float32(), [0.5, null], "List<Float32>", [[0.5], null]],
    [new Float64(), [0.1, null], "List<Float64>", [[0.1], null]],
    [new Utf8(), ["é", null, ""], "List<Binary>", [["Ã©"], null, [""]]],
    [new LargeUtf8(), ["a", null, "bc"], "List<Binary>", [["a"], null, ["bc"]]],
    [new Binary(), [Uint8Array.of(97), null], "List<Binary>", [["a"], null]],
    [new LargeBinary(), [Uint8Array.of(97), null], "List<Binary>", [["a"], null]],
    [new FixedSizeBinary(2), [Uint8Array.of(97, 98), null], "List<Binary>", [["ab"], null]],
  ])("%s values as one-element lists", (type, values, listType, rows) => {
    expect(listed(columnOf(type, values))).toEqual({ type: listType, rows, metadata: {} });
    const data = columnOf(type, [...values, ...values]);
    expect(listed(data.slice(values.length, values.length)).rows).toEqual(rows);
  });

  test("float16 values as lists of float32", () => {
    const data = makeData({ type: new Float16(), length: 2, data: Uint16Array.of(0x3e00, 0xfc00) });
    expect(listed(data)).toEqual({ type: "List<Float32>", rows: [[1.5], [-Infinity]], metadata: {} });
  });

  test("columns of type Null as null rows of List<Null>, even in a slice", () => {
    const nulls = makeData({ type: new Null(), length: 3 });
    expect(listed(nulls)).toEqual({ type: "List<Null>", rows: [null, null, null], metadata: {} });
    expect(listed(nulls.slice(1, 2)).rows).toEqual([null, null]);
  });

  test("dictionaries as lists of their values", () => {
    const data = dictionaryOf(["DE", null, "FR"], [0, 2, 1, null, 0]);
    const rows = [["DE"], ["FR"], null, null, ["DE"]];
    expect(listed(data)).toEqual({ type: "List<Binary>", rows, metadata: {} });
    expect(listed(data.slice(1, 3)).rows).toEqual(rows.slice(1, 4));
    expect(listed(dictionaryOf([], [null, null])).rows).toEqual([null, null]);
  });
});

describe("in list form, the metadata of a field states the logical type of", () => {
  const words = Uint32Array.of(1420, 0, 0, 0, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff);
  test.each<[string, Data, string, unknown[], Record<string, string>]>([
    [
      "booleans",
      columnOf(new Bool(), [true, null, false]),
      "List<Uint8>",
      [[1], null, [0]],
      { "tfxio.logical": "bool" },
    ],
    [
      "dates in days",
      makeData({ type: new DateDay(), length: 1, data: Int32Array.of(-1) }),
      "List<Int64>",
      [["-1n"]],
      { "tfxio.logical": "date", "tfxio.unit": "day" },
    ],
    [
      "dates in milliseconds",
      makeData({ type: new DateMillisecond(), length: 1, data: BigInt64Array.of(86400000n) }),
      "List<Int64>",
      [["86400000n"]],
      { "tfxio.logical": "date", "tfxio.unit": "millisecond" },
    ],
    [
      "times",
      makeData({ type: new TimeMicrosecond(), length: 1, data: BigInt64Array.of(5n) }),
      "List<Int64>",
      [["5n"]],
      { "tfxio.logical": "time", "tfxio.unit": "microsecond" },
    ],
    [
      "timestamps",
      makeData({ type: new TimestampNanosecond(), length: 1, data: BigInt64Array.of(2n ** 62n) }),
      "List<Int64>",
      [["4611686018427387904n"]],
      { "tfxio.logical": "timestamp", "tfxio.unit": "nanosecond" },
    ],
    [
      "timestamps with a time zone",
      makeData({
        type: new Timestamp(TimeUnit.SECOND, "Europe/Berlin"),
        length: 1,
        data: BigInt64Array.of(7n),
      }),
      "List<Int64>",
      [["7n"]],
      { "tfxio.logical": "timestamp", "tfxio.unit": "second", "tfxio.timezone": "Europe/Berlin" },
    ],
    [
      "durations",
      makeData({ type: new DurationSecond(), length: 1, data: BigInt64Array.of(9n) }),
      "List<Int64>",
      [["9n"]],
      { "tfxio.logical": "duration", "tfxio.unit": "second" },
    ],
    [
      "decimals",
      makeData({ type: new Decimal(2, 9, 128), length: 2, data: words }),
      "List<Binary>",
      [["14.20"], ["-0.01"]],
      { "tfxio.logical": "decimal", "tfxio.precision": "9", "tfxio.scale": "2" },
    ],
    [
      "decimals with a negative scale",
      makeData({ type: new Decimal(-3, 9, 128), length: 2, data: words }),
      "List<Binary>",
      [["1420000"], ["-1000"]],
      { "tfxio.logical": "decimal", "tfxio.precision": "9", "tfxio.scale": "-3" },
    ],
  ])("%s", (_, data, type, rows, metadata) => {
    expect(listed(data)).toEqual({ type, rows, metadata });
  });

  test("list elements and struct fields, and keeps the original metadata except the extension name", () => {
    const flags = columnOf(listOf(new Bool()), [[true, false], null, [], [null]]);
    const struct = new Struct([new Field("day", new DateDay(), true)]);
    const days = makeData({
      type: struct,
      length: 4,
      nullCount: 0,
      children: [makeData({ type: new DateDay(), length: 4, data: Int32Array.of(1, 2, 3, 4) })],
    });
    const own = new Map([
      ["origin", "survey"],
      ["ARROW:extension:name", "arrow.bool8"],
    ]);
    const batch = toListColumns(
      batchWith([new Field("flags", flags.type, true, own), new Field("s", struct, true)], [flags, days]),
    );
    const [first, second] = batch.schema.fields as [Field, Field];
    expect(Object.fromEntries(first.metadata)).toEqual({ origin: "survey", "tfxio.logical": "bool" });
    expect(plainRows(batch.data.children[0]!)).toEqual([[1, 0], null, [], [null]]);
    expect(second.metadata.size).toBe(0);
    const [day] = (second.type as Struct).children as [Field];
    expect(Object.fromEntries(day.metadata)).toEqual({ "tfxio.logical": "date", "tfxio.unit": "day" });
  });
});

test("listColumnsSchema keeps the metadata that declares the items of a list as booleans", () => {
  const declared = new Map([["tfxio.logical", "bool"]]);
  const flags = new LargeList(new Field("item", new Uint8(), true, declared));
  const [field] = listColumnsSchema(new ArrowSchema([new Field("flags", flags, true)])).fields as [Field];
  expect(String(field.type)).toBe("List<Uint8>");
  const [item] = (field.type as List).children as [Field];
  expect(Object.fromEntries(item.metadata)).toEqual({ "tfxio.logical": "bool" });
});

describe("nested columns", () => {
  const user = new Struct([new Field("age", new Int32(), true), new Field("tags", listOf(new Utf8()), true)]);

  test("keep their nesting, while large and fixed-size lists become plain lists", () => {
    const large = new LargeList(new Field("item", new Int32(), true));
    const values = [[1, 2], null, [], [null, 3]];
    const rows = [["1n", "2n"], null, [], [null, "3n"]];
    expect(listed(columnOf(listOf(new Int32()), values))).toMatchObject({ type: "List<Int64>", rows });
    expect(listed(columnOf(large, values))).toMatchObject({ type: "List<Int64>", rows });
    expect(listed(columnOf(large, [[9], ...values]).slice(1, 4)).rows).toEqual(rows);
    const fixed = new FixedSizeList(2, new Field("item", new Int32(), true));
    expect(listed(columnOf(fixed, [[1, 2], null, [3, null]]))).toMatchObject({
      type: "List<Int64>",
      rows: [["1n", "2n"], null, ["3n", null]],
    });
    expect(listed(columnOf(listOf(large), [[[1], []], null, [null]]))).toMatchObject({
      type: "List<List<Int64>>",
      rows: [[["1n"], []], null, [null]],
    });
  });

  test("keep structs, whose fields take list form", () => {
    const rows = [{ age: 1, tags: ["a"] }, null, { age: null, tags: [] }];
    expect(listed(columnOf(user, rows)).rows).toEqual([
      { age: ["1n"], tags: ["a"] },
      null,
      { age: null, tags: [] },
    ]);
    const { type, rows: inLists } = listed(columnOf(listOf(user), [rows, [], null]));
    expect(type).toBe("List<Struct<{age:List<Int64>, tags:List<Binary>}>>");
    expect(inLists).toEqual([[{ age: ["1n"], tags: ["a"] }, null, { age: null, tags: [] }], [], null]);
  });

  test("become lists of key-value structs if they are maps", () => {
    const entry = new Struct([new Field("k", new Utf8(), false), new Field("v", new Int32(), true)]);
    const map = new Map_(new Field("entries", entry, false));
    const rows = [new Map([["a", 1]]), null, new Map<string, number | null>([["b", null]]), new Map()];
    expect(listed(columnOf(map, rows)).rows).toEqual([
      [{ key: ["a"], value: ["1n"] }],
      null,
      [{ key: ["b"], value: null }],
      [],
    ]);
  });
});

describe("toListColumns", () => {
  test("borrows values, and shares one array of offsets among flat columns without nulls", () => {
    const a = columnOf(new Int64(), [1n, 2n]);
    const b = columnOf(new Utf8(), ["x", "y"]);
    const c = columnOf(new Uint64(), [1n, 2n]);
    const [x, y, z] = toListColumns(batchOf({ a, b, c })).data.children as [Data, Data, Data];
    expect(x.children[0]!.values.buffer).toBe(a.values.buffer);
    expect(y.children[0]!.values.buffer).toBe(b.values.buffer);
    expect(y.children[0]!.valueOffsets.buffer).toBe(b.valueOffsets.buffer);
    expect(z.children[0]!.values.buffer).toBe(c.values.buffer);
    expect(x.valueOffsets).toBe(y.valueOffsets);
    expect(z.valueOffsets).toBe(y.valueOffsets);
  });

  test("returns the batch itself if the batch is already in list form", () => {
    const decoder = createExampleDecoder();
    const examples = [
      encodeExample({
        a: { kind: "int64", values: [1n] },
        b: { kind: "bytes", values: ["x"] },
        c: { kind: "float", values: [0.5] },
      }),
      encodeExample({ a: { kind: "int64", values: [] } }),
    ];
    const batch = decoder.decode(examples);
    expect(toListColumns(batch)).toBe(batch);
    expect(listColumnsSchema(batch.schema)).toBe(batch.schema);
    const flat = batchOf({ n: columnOf(new Int32(), [1, null]), f: columnOf(new Bool(), [true, false]) });
    const once = toListColumns(flat);
    expect(once).not.toBe(flat);
    expect(toListColumns(once)).toBe(once);
    expect(toListColumns(flat).schema).toBe(once.schema);
  });

  test("converts a flat column, and keeps the data of a column that is already in list form", () => {
    const lists = columnOf(listOf(new Int64()), [[1n], null]);
    const batch = toListColumns(batchOf({ lists, flat: columnOf(new Int32(), [1, 2]) }));
    expect(batch.data.children[0]).toBe(lists);
  });
});

describe("rejections", () => {
  test("name the column and the row of an integer beyond int64", () => {
    const rejection = (columnPath: string, row: number) =>
      expect.objectContaining({ code: "out-of-range", reason: "int64", columnPath, row });
    const flat = columnOf(new Uint64(), [1n, null, 2n ** 63n]);
    expect(() => toListColumns(batchOf({ id: flat }))).toThrow(rejection("id", 2));
    const nested = columnOf(listOf(listOf(new Uint64())), [[[1n]], null, [[], [2n, 2n ** 64n - 1n]]]);
    expect(() => toListColumns(batchOf({ ids: nested }))).toThrow(rejection("ids", 2));
    const struct = columnOf(new Struct([new Field("id", new Uint64(), true)]), [
      { id: 1n },
      { id: 2n ** 63n },
    ]);
    expect(() => toListColumns(batchOf({ user: struct }))).toThrow(rejection("user.id", 1));
  });

  test("do not apply to values hidden under nulls", () => {
    const hidden = makeData({
      type: new Uint64(),
      length: 2,
      nullCount: 1,
      nullBitmap: Uint8Array.of(0b10),
      data: BigUint64Array.of(2n ** 64n - 1n, 5n),
    });
    expect(listed(hidden).rows).toEqual([null, ["5n"]]);
    const struct = makeData({
      type: new Struct([new Field("id", new Uint64(), true)]),
      length: 2,
      nullCount: 1,
      nullBitmap: Uint8Array.of(0b10),
      children: [makeData({ type: new Uint64(), length: 2, data: BigUint64Array.of(2n ** 64n - 1n, 5n) })],
    });
    expect(listed(struct).rows).toEqual([null, { id: ["5n"] }]);
  });

  test("do not apply to dictionary entries that no row uses", () => {
    const dictionary = vectorFromArray([7n, 2n ** 63n], new Uint64());
    const uses = (...keys: number[]) =>
      makeData({
        type: new Dictionary(new Uint64(), new Int32()),
        length: keys.length,
        nullCount: 1,
        nullBitmap: Uint8Array.of(0b1),
        data: Int32Array.from(keys),
        dictionary,
      });
    expect(listed(uses(0, 1)).rows).toEqual([["7n"], null]);
    expect(() => toListColumns(batchOf({ id: uses(1, 0) }))).toThrow(
      expect.objectContaining({ reason: "int64", columnPath: "id", row: 0 }),
    );
  });

  test("name a type that list form cannot represent", () => {
    const type = new Struct([new Field("span", new IntervalYearMonth(), true)]);
    const rejection = () => listColumnsSchema(new ArrowSchema([new Field("s", type, true)]));
    expect(rejection).toThrow(expect.objectContaining({ code: "unsupported", reason: "column-type" }));
    expect(rejection).toThrow(/s\.span.*found Interval/);
  });

  test("name an argument that is not a batch or an Arrow schema", () => {
    expect(() => toListColumns({} as RecordBatch)).toThrow(expect.objectContaining({ argument: "batch" }));
    expect(() => listColumnsSchema({} as ArrowSchema)).toThrow(
      expect.objectContaining({ argument: "schema" }),
    );
  });
});

test("toListColumns agrees with arrow-js's reading of random columns and slices", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const draw = new Draw(seededRandom(seed));
    const whole = randomBatch(draw, { x: randomType(draw, 3), y: randomType(draw, 1) }, 1 + draw.below(12));
    const from = draw.below(whole.numRows);
    const batch = draw.oneIn(2) ? whole : whole.slice(from, from + draw.below(whole.numRows - from + 1));
    const result = toListColumns(batch);
    expect(toListColumns(result)).toBe(result);
    expect(result.schema).toBe(listColumnsSchema(batch.schema));
    for (const [index, { type }] of batch.schema.fields.entries()) {
      const expected = plainRows(batch.data.children[index]!).map((value) => inListForm(type, value, false));
      const column = result.data.children[index]!;
      expect(String(column.type)).toBe(String(result.schema.fields[index]!.type));
      expect(columnElements(column).length).toBe(batch.numRows);
      expect({ seed, rows: plainRows(column) }).toEqual({ seed, rows: expected });
    }
  }
});

/** Returns the list form of a plain value, computed independently of the library. */
function inListForm(type: DataType, value: unknown, isInList: boolean): unknown {
  if (value === null) return null;
  if (type instanceof Struct) {
    const row = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      type.children.map((f: Field) => [f.name, inListForm(f.type, row[f.name], false)]),
    );
  }
  if (Array.isArray(value)) return value.map((item) => inListForm((type as List).valueType, item, true));
  const one =
    type instanceof Int32 ? `${String(value)}n` : typeof value === "boolean" ? Number(value) : value;
  return isInList ? one : [one];
}
