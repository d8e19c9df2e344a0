import { describe, expect, test } from "@jest/globals";
import { bytes, defineSchema, float, formatSchemaText, int, parseSchemaText, struct } from "@tfxio/schema";
import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  Field,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int32,
  Int64,
  IntervalYearMonth,
  LargeList,
  makeData,
  Map_,
  Null,
  type RecordBatch,
  Schema as ArrowSchema,
  Struct,
  TimeMicrosecond,
  TimestampMillisecond,
  Uint64,
  Utf8,
} from "apache-arrow";
import {
  conformBatch,
  conformedSchema,
  createBatchConformer,
  createExampleDecoder,
  createSequenceExampleDecoder,
  encodeExample,
  encodeSequenceExample,
  inferSchemaFromBatches,
  listColumnsSchema,
  schemaFromArrow,
  toListColumns,
} from "../../src/index.js";
import { plainRows } from "../plain-rows.js";
import { batchOf, batchWith, columnOf, dictionaryOf, listOf } from "../batches.js";

const columnsOf = (batch: RecordBatch): Record<string, unknown[]> =>
  Object.fromEntries(batch.schema.names.map((name, i) => [name, plainRows(batch.data.children[i]!)]));
const typesOf = ({ fields }: ArrowSchema): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, type }) => [name, String(type)]));
// The types of arrow-js do not accept a struct with fields of different types as map entries, hence the cast.
const entry = new Struct([new Field("k", new Utf8(), false), new Field("v", new Int32(), true)]) as never;

describe("conformBatch", () => {
  const table = batchOf({
    dropped: columnOf(new Int32(), [9, 9, 9]),
    name: columnOf(new Utf8(), ["a", null, "c"]),
    score: columnOf(new Float64(), [0.5, null, Number.NaN]),
    age: columnOf(new Int32(), [1, 2, null]),
    flag: columnOf(new Bool(), [true, false, null]),
  });
  const schema = defineSchema({
    features: { age: int(), flag: int(), score: float(), name: bytes(), missing: float() },
  });

  test("returns the schema's features as columns, in the schema's order and with its types", () => {
    const batch = conformBatch(table, schema);
    expect(typesOf(batch.schema)).toEqual({
      age: "List<Int64>",
      flag: "List<Int64>",
      score: "List<Float32>",
      name: "List<Binary>",
      missing: "List<Float32>",
    });
    expect(batch.schema.names).toEqual(["age", "flag", "score", "name", "missing"]);
    expect(columnsOf(batch)).toEqual({
      age: [["1n"], ["2n"], null],
      flag: [["1n"], ["0n"], null],
      score: [[0.5], null, [Number.NaN]],
      name: [["a"], null, ["c"]],
      missing: [null, null, null],
    });
    expect(columnsOf(conformBatch(table.slice(1, 3), schema))["name"]).toEqual([null, ["c"]]);
  });

  test("is idempotent, and returns equal rows for a table and its list form", () => {
    const expected = columnsOf(conformBatch(table, schema));
    expect(columnsOf(conformBatch(toListColumns(table), schema))).toEqual(expected);
    expect(columnsOf(conformBatch(conformBatch(table, schema), schema))).toEqual(expected);
  });

  test("shares one Arrow schema object among the batches of a conformer", () => {
    const conform = createBatchConformer(schema);
    expect(conform(table).schema).toBe(conform(table.slice(0, 1)).schema);
    expect(typesOf(conform(table).schema)).toEqual(typesOf(conformedSchema(schema)));
  });

  test("keeps the types and rows of decoded tf.Examples, and borrows their values, if the schema is inferred", async () => {
    const batch = createExampleDecoder().decode([
      encodeExample({ a: { kind: "int64", values: [1n, 2n] }, b: { kind: "bytes", values: [] } }),
      encodeExample({ a: null, b: { kind: "bytes", values: ["x"] } }),
    ]);
    const conformed = conformBatch(batch, await inferSchemaFromBatches([batch]), { unlisted: "error" });
    expect(typesOf(conformed.schema)).toEqual(typesOf(batch.schema));
    expect(columnsOf(conformed)).toEqual(columnsOf(batch));
    const valuesOf = ({ data }: RecordBatch): Data => data.children[0]!.children[0]!;
    expect(valuesOf(conformed).values.buffer).toBe(valuesOf(batch).values.buffer);
  });

  test("keeps the types and rows of decoded tf.SequenceExamples, given an inferred schema", async () => {
    const batch = createSequenceExampleDecoder().decode([
      encodeSequenceExample({
        context: { id: { kind: "int64", values: [1n] } },
        featureLists: {
          steps: [
            { kind: "float", values: [1, 2] },
            { kind: "float", values: [3] },
          ],
        },
      }),
    ]);
    const conformed = conformBatch(batch, await inferSchemaFromBatches([batch]), { unlisted: "error" });
    expect(typesOf(conformed.schema)).toEqual(typesOf(batch.schema));
    expect(columnsOf(conformed)).toEqual(columnsOf(batch));
  });

  test("conforms structs, lists of structs and lists of lists, and rejects unlisted fields on request", () => {
    const user = new Struct([new Field("age", new Int32(), true), new Field("other", new Bool(), true)]);
    const batch = batchOf({
      user: columnOf(user, [{ age: 1, other: true }, null]),
      users: columnOf(listOf(user), [[{ age: 1, other: true }, null], null]),
      grid: columnOf(listOf(new LargeList(new Field("item", new Float64(), true))), [[[0.5], []], [null]]),
    });
    const nested = parseSchemaText(`
      feature { name: "grid" type: FLOAT value_counts { value_count {} value_count {} } }
      feature { name: "users" type: STRUCT value_count {} struct_domain {
        feature { name: "age" type: INT } feature { name: "name" type: BYTES } } }
      feature { name: "user" type: STRUCT struct_domain { feature { name: "age" type: INT } } }
    `);
    expect(columnsOf(conformBatch(batch, nested))).toEqual({
      grid: [[[0.5], []], [null]],
      users: [[{ age: ["1n"], name: null }, null], null],
      user: [{ age: ["1n"] }, null],
    });
    expect(() => conformBatch(batch, nested, { unlisted: "error" })).toThrow(
      expect.objectContaining({ reason: "unlisted-feature", columnPath: "users.other" }),
    );
  });

  test("accepts columns and lists of Null for any feature", () => {
    const nulls = makeData({ type: new Null(), length: 2 });
    const lists = columnOf(listOf(new Null()), [null, [null]]);
    const any = defineSchema({ features: { a: int(), b: struct({ x: int() }), c: bytes() } });
    expect(columnsOf(conformBatch(batchOf({ a: nulls, b: nulls, c: lists }), any))).toEqual({
      a: [null, null],
      b: [null, null],
      c: [null, [null]],
    });
  });

  test("drops unlisted columns, even those of types that list columns cannot hold", () => {
    const spans = makeData({ type: new IntervalYearMonth(), length: 1, data: Int32Array.of(1) });
    const batch = batchOf({ spans, age: columnOf(new Int32(), [1]) });
    expect(columnsOf(conformBatch(batch, defineSchema({ features: { age: int() } })))).toEqual({
      age: [["1n"]],
    });
  });
});

describe("conformBatch rejects", () => {
  const one = (data: Data) => batchOf({ x: data });
  const mismatch = (reason: string) =>
    expect.objectContaining({ code: "schema-mismatch", reason, columnPath: "x" });

  test.each<[string, Data, Parameters<typeof defineSchema>[0]["features"]]>([
    ["text for INT", columnOf(new Utf8(), ["1"]), { x: int() }],
    ["floats for INT", columnOf(new Float32(), [1]), { x: int() }],
    ["integers for FLOAT", columnOf(new Int32(), [1]), { x: float() }],
    ["booleans for BYTES", columnOf(new Bool(), [true]), { x: bytes() }],
    ["lists of lists for INT", columnOf(listOf(listOf(new Int64())), [[[1n]]]), { x: int() }],
    ["lists for STRUCT", columnOf(listOf(new Int64()), [[1n]]), { x: struct({ y: int() }) }],
  ])("%s", (_, data, features) => {
    expect(() => conformBatch(one(data), defineSchema({ features }))).toThrow(mismatch("wrong-kind"));
  });

  test("unlisted columns, on request", () => {
    const schema = defineSchema({ features: { y: int() } });
    expect(() => conformBatch(one(columnOf(new Int32(), [1])), schema, { unlisted: "error" })).toThrow(
      mismatch("unlisted-feature"),
    );
  });

  test("float64 values that are not exact in float32, unless nulls hide them or rounding is requested", () => {
    const schema = defineSchema({ features: { x: float() } });
    const lists = one(columnOf(listOf(new Float64()), [[0.5], null, [], [1, 0.1]]));
    expect(() => conformBatch(lists, schema)).toThrow(
      expect.objectContaining({ code: "out-of-range", reason: "float32-inexact", columnPath: "x", row: 3 }),
    );
    const rounded = conformBatch(lists, schema, { float64: "float32-lossy" });
    // The float32 nearest to 0.1 in IEEE 754.
    expect(columnsOf(rounded)).toEqual({ x: [[0.5], null, [], [1, 0.10000000149011612]] });
    const hidden = makeData({
      type: new Float64(),
      length: 2,
      nullCount: 1,
      nullBitmap: Uint8Array.of(0b10),
      data: Float64Array.of(0.1, Infinity),
    });
    expect(columnsOf(conformBatch(one(hidden), schema))).toEqual({ x: [null, [Infinity]] });
  });

  test("unsigned integers beyond int64", () => {
    const schema = defineSchema({ features: { x: int() } });
    expect(() => conformBatch(one(columnOf(new Uint64(), [2n ** 63n])), schema)).toThrow(
      expect.objectContaining({ code: "out-of-range", reason: "int64", columnPath: "x", row: 0 }),
    );
  });

  test("unknown options, invalid option values, and features without a type", () => {
    expect(() => conformedSchema(parseSchemaText('feature { name: "x" }'))).toThrow(
      expect.objectContaining({ code: "schema-invalid", reason: "bad-schema-type", columnPath: "x" }),
    );
    const schema = defineSchema({ features: { x: int() } });
    expect(() => createBatchConformer(schema, { unlisted: "keep" as never })).toThrow(
      expect.objectContaining({ argument: "unlisted" }),
    );
    expect(() => createBatchConformer(schema, { strict: true } as never)).toThrow(
      expect.objectContaining({ reason: "unknown-option" }),
    );
  });
});

describe("schemaFromArrow", () => {
  const fields = (...types: [string, DataType, boolean?][]): ArrowSchema =>
    new ArrowSchema(types.map(([name, type, nullable = true]) => new Field(name, type, nullable)));

  const item = (type: DataType): Field => new Field("item", type, true);
  const schema = fields(
    ["id", new Uint64(), false],
    ["age", new Int32()],
    ["flag", new Bool()],
    ["day", new DateDay()],
    ["at", new TimestampMillisecond()],
    ["clock", new TimeMicrosecond()],
    ["half", new Float16()],
    ["double", new Float64()],
    ["price", new Decimal(2, 9, 128)],
    ["country", new Dictionary(new Utf8(), new Int32())],
    ["tags", listOf(new Utf8())],
    ["point", new FixedSizeList(2, item(new Float32())), false],
    ["grid", listOf(new FixedSizeList(3, item(new Int64())))],
    ["nothing", new Null()],
    ["user", new Struct([new Field("age", new Int32(), true), new Field("nothing", new Null(), true)])],
    ["users", listOf(new Struct([new Field("age", new Int32(), true)])), false],
    ["counts", new Map_(new Field("entries", entry, false))],
  );

  test("describes every column except Null columns", () => {
    expect(formatSchemaText(schemaFromArrow(schema))).toBe(
      formatSchemaText(
        parseSchemaText(`
          feature { name: "id" type: INT presence { min_fraction: 1 min_count: 1 } shape { dim { size: 1 } } }
          feature { name: "age" type: INT value_count { min: 1 max: 1 } }
          feature { name: "flag" type: INT value_count { min: 1 max: 1 } bool_domain {} }
          feature { name: "day" type: INT value_count { min: 1 max: 1 } time_domain { integer_format: UNIX_DAYS } }
          feature { name: "at" type: INT value_count { min: 1 max: 1 } time_domain { integer_format: UNIX_MILLISECONDS } }
          feature { name: "clock" type: INT value_count { min: 1 max: 1 } int_domain { min: 0 max: 86399999999 } }
          feature { name: "half" type: FLOAT value_count { min: 1 max: 1 } }
          feature { name: "double" type: FLOAT value_count { min: 1 max: 1 } }
          feature { name: "price" type: BYTES value_count { min: 1 max: 1 } }
          feature { name: "country" type: BYTES value_count { min: 1 max: 1 } }
          feature { name: "tags" type: BYTES value_count { min: 0 } }
          feature { name: "point" type: FLOAT presence { min_fraction: 1 min_count: 1 } shape { dim { size: 2 } } }
          feature { name: "grid" type: INT value_counts { value_count { min: 0 } value_count { min: 3 max: 3 } } }
          feature { name: "user" type: STRUCT struct_domain { feature { name: "age" type: INT value_count { min: 1 max: 1 } } } }
          feature { name: "users" type: STRUCT presence { min_fraction: 1 min_count: 1 } value_count { min: 0 }
            struct_domain { feature { name: "age" type: INT value_count { min: 1 max: 1 } } } }
          feature { name: "counts" type: STRUCT value_count { min: 0 } struct_domain {
            feature { name: "key" type: BYTES presence { min_fraction: 1 min_count: 1 } shape { dim { size: 1 } } }
            feature { name: "value" type: INT value_count { min: 1 max: 1 } } } }
        `),
      ),
    );
  });

  test("describes the columns of the list form, but omits Null columns and the widths of floats and booleans", () => {
    const text = (type: DataType): string =>
      String(type).replaceAll("Float64", "Float32").replaceAll("Uint8", "Int64");
    const listed = listColumnsSchema(schema).fields.filter(({ name }) => name !== "nothing");
    const conformed = conformedSchema(schemaFromArrow(schema)).fields;
    expect(conformed.map(({ name }) => name)).toEqual(listed.map(({ name }) => name));
    for (const [index, { name, type }] of conformed.entries()) {
      if (name !== "user") expect([name, text(type)]).toEqual([name, text(listed[index]!.type)]);
    }
  });

  test("returns the same names and types for a table and its list form, and reads domains from the list form's metadata", () => {
    const described = schemaFromArrow(listColumnsSchema(schema));
    expect(described.feature.map(({ name, type }) => [name, type])).toEqual(
      schemaFromArrow(schema).feature.map(({ name, type }) => [name, type]),
    );
    expect(described.feature.find(({ name }) => name === "day")?.domainInfo.case).toBe("timeDomain");
    expect(described.feature.find(({ name }) => name === "flag")?.domainInfo.case).toBe("boolDomain");
  });

  test("returns a schema to which the described table conforms", () => {
    const table = batchWith(
      [new Field("c", new Dictionary(new Utf8(), new Int32()), true), new Field("n", new Int32(), false)],
      [dictionaryOf(["DE", "FR"], [0, null, 1]), columnOf(new Int32(), [1, 2, 3])],
    );
    const batch = conformBatch(table, schemaFromArrow(table.schema), { unlisted: "error" });
    expect(columnsOf(batch)).toEqual({ c: [["DE"], null, ["FR"]], n: [["1n"], ["2n"], ["3n"]] });
  });

  test("rejects types that list columns cannot hold", () => {
    expect(() => schemaFromArrow(fields(["span", new IntervalYearMonth()]))).toThrow(
      expect.objectContaining({ code: "unsupported", reason: "column-type" }),
    );
  });
});
