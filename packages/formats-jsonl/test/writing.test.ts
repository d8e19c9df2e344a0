import { describe, expect, test } from "@jest/globals";
import { gunzipSync } from "node:zlib";
import { plainRows, recordBatchOf, toListColumns } from "@tfxio/arrow-encoding";
import { jsonl, type JsonlOptions } from "@tfxio/formats-jsonl";
import { isTfxioError, memoryTarget } from "@tfxio/wire";
import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  Field,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  List,
  makeData,
  Map_,
  Null,
  type RecordBatch,
  Schema as ArrowSchema,
  Struct,
  TimestampMillisecond,
  Uint64,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { readBatches, readRows } from "./read-rows.js";

// Expected text is written by hand. It follows RFC 8259, except for the NaN and infinities that `nonFinite` accepts.

/** Creates a batch from the types and values of its columns. */
function batchOf(columns: Readonly<Record<string, readonly [DataType, readonly unknown[]]>>): RecordBatch {
  const entries = Object.entries(columns);
  const fields = entries.map(([name, [type]]) => new Field(name, type, true));
  const children = entries.map(([, [type, values]]) => vectorFromArray(values, type).data[0]!);
  return recordBatchOf(new ArrowSchema(fields), entries[0]?.[1][1].length ?? 0, children);
}

async function write(
  batches: readonly RecordBatch[],
  options: Partial<JsonlOptions> = {},
  uri = "rows.jsonl",
): Promise<Uint8Array> {
  const target = memoryTarget(uri);
  const arrowSchema = batches[0]?.schema ?? new ArrowSchema([]);
  const writer = await jsonl.createWriter(target, { arrowSchema, options });
  for (const batch of batches) await writer.write(batch);
  await writer.finish();
  await target.commit();
  return target.bytes();
}

const textOf = async (...writing: Parameters<typeof write>): Promise<string> => {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await write(...writing));
};

describe("values", () => {
  test.each<[string, DataType, readonly unknown[], string]>([
    [
      "of type int64 are written with all digits",
      new Int64(),
      [2n ** 63n - 1n, -(2n ** 63n), 9007199254740993n, -5n],
      "9223372036854775807,-9223372036854775808,9007199254740993,-5",
    ],
    ["of type int16 are written as integers", new Int16(), [-32768, 7], "-32768,7"],
    ["of type uint64 are written with all digits", new Uint64(), [9007199254740993n], "9007199254740993"],
    [
      "of type float64 are written with a point or an exponent",
      new Float64(),
      [1, -0, 0.1, 1e21, 5e-324, 1e20],
      "1.0,-0.0,0.1,1e+21,5e-324,100000000000000000000.0",
    ],
    [
      "of type float32 are written with the fewest digits that identify each value",
      new Float32(),
      [0.1, 16777216, 3.4028234663852886e38],
      "0.1,16777216.0,3.4028235e+38",
    ],
    ["of type float16 are written with a point", new Float16(), [0.5, 2], "0.5,2.0"],
    ["that are booleans are written as true or false", new Bool(), [true, false], "true,false"],
    [
      "that are text are written with only the escapes that JSON requires",
      new Utf8(),
      ["", 'a"b\\c/\b\f\n\r\t\u0000\u001f\u007f', "é日\u{1f389}\u2028"],
      '"","a\\"b\\\\c/\\b\\f\\n\\r\\t\\u0000\\u001f\u007f","é日\u{1f389}\u2028"',
    ],
    [
      "in a dictionary are written like plain text",
      new Dictionary(new Utf8(), new Int32()),
      ["x", "y", "x"],
      '"x","y","x"',
    ],
    ["that are bytes in UTF-8 are written as text", new Binary(), [Uint8Array.of(0xc3, 0xa9)], '"é"'],
    ["that are days are written as dates", new DateDay(), [new Date("2024-02-29")], '"2024-02-29"'],
    [
      "that are timestamps are written in ISO 8601",
      new TimestampMillisecond(),
      [Date.UTC(2024, 1, 29, 23, 59, 58, 250)],
      '"2024-02-29T23:59:58.250"',
    ],
    ["of type Null are written as null", new Null(), [null, null], "null,null"],
  ])("%s", async (_, type, values, expected) => {
    const lines = (await textOf([batchOf({ a: [type, [...values]] })])).trimEnd().split("\n");
    expect(lines.map((line) => line.slice('{"a":'.length, -1)).join(",")).toBe(expected);
    for (const line of lines) JSON.parse(line);
  });

  test("that are decimals are written as text", async () => {
    const data = makeData({
      type: new Decimal(2, 10, 128),
      length: 1,
      nullCount: 0,
      data: Uint32Array.of(12345, 0, 0, 0),
    });
    const batch = recordBatchOf(new ArrowSchema([new Field("a", data.type, true)]), 1, [data]);
    expect(await textOf([batch])).toBe('{"a":"123.45"}\n');
  });

  test("that are null stay distinct from empty lists, even in nested lists and structs", async () => {
    const item = new Field("item", new Int32(), true);
    const struct = new Struct([new Field("x", new List(item), true), new Field("y", new Utf8(), true)]);
    const batch = batchOf({
      l: [new List(item), [[1, null], [], null, [3]]],
      s: [struct, [{ x: [1], y: "a" }, { x: [], y: null }, null, { x: null, y: "d" }]],
      d: [
        new List(new Field("item", struct, true)),
        [[{ x: [1], y: "a" }, null], [], null, [{ x: null, y: "" }]],
      ],
      f: [new FixedSizeList(2, item), [[1, 2], null, [3, null], [5, 6]]],
    });
    expect(await textOf([batch])).toBe(
      [
        '{"l":[1,null],"s":{"x":[1],"y":"a"},"d":[{"x":[1],"y":"a"},null],"f":[1,2]}',
        '{"l":[],"s":{"x":[],"y":null},"d":[],"f":null}',
        '{"l":null,"s":null,"d":null,"f":[3,null]}',
        '{"l":[3],"s":{"x":null,"y":"d"},"d":[{"x":null,"y":""}],"f":[5,6]}',
        "",
      ].join("\n"),
    );
  });

  test("outside a slice are not written", async () => {
    const item = new Field("item", new Utf8(), true);
    const batch = batchOf({
      a: [new Int32(), [1, null, 3, 4]],
      b: [new List(item), [["x"], ["y", "z"], null, []]],
    });
    expect(await textOf([batch.slice(1, 3)])).toBe('{"a":null,"b":["y","z"]}\n{"a":3,"b":null}\n');
  });

  test("that are maps are written as lists of objects with a key and a value", async () => {
    const entries = new Struct([new Field("key", new Utf8(), false), new Field("value", new Int32(), true)]);
    const type = new Map_(new Field("entries", entries, false) as never);
    const batch = batchOf({ m: [type, [new Map([["a", 1]]), new Map()]] });
    expect(await textOf([batch])).toBe('{"m":[{"key":"a","value":1}]}\n{"m":[]}\n');
  });

  test("are written under the name of the column, which can be any text", async () => {
    const name = '__proto__"\n';
    expect(JSON.parse(await textOf([batchOf({ [name]: [new Int32(), [1]] })]))).toEqual({ [name]: 1 });
  });
});

describe("columns in list form", () => {
  const lists = toListColumns(
    batchOf({ a: [new Int64(), [1n, null]], t: [new Utf8(), ["x", ""]], b: [new Bool(), [true, false]] }),
  );

  test("are written as lists, or as single values with unwrapSingle", async () => {
    expect(await textOf([lists])).toBe('{"a":[1],"t":["x"],"b":[true]}\n{"a":null,"t":[""],"b":[false]}\n');
    expect(await textOf([lists], { unwrapSingle: true })).toBe(
      '{"a":1,"t":"x","b":true}\n{"a":null,"t":"","b":false}\n',
    );
  });

  test("are unwrapped only at the innermost level, and only if a list consists of one value that is not null", async () => {
    const item = new Field("item", new Int32(), true);
    const batch = batchOf({
      a: [new List(item), [[1, 2], [], [null], [3]]],
      b: [new List(new Field("item", new List(item), true)), [[[1]], [], null, [[1], [2]]]],
    });
    const rows = (await textOf([batch], { unwrapSingle: true })).trimEnd().split("\n");
    expect(rows).toEqual([
      '{"a":[1,2],"b":[1]}',
      '{"a":[],"b":[]}',
      '{"a":[null],"b":null}',
      '{"a":3,"b":[1,2]}',
    ]);
  });
});

describe("the JSON writer", () => {
  const batch = batchOf({ a: [new Int32(), [1, 2]] });

  test.each<[string, Partial<JsonlOptions>, string, string]>([
    ["rows.jsonl", {}, '{"a":1}\n{"a":2}\n{"a":1}\n{"a":2}\n', ""],
    ["rows.json", {}, '[\n{"a":1},\n{"a":2},\n{"a":1},\n{"a":2}\n]\n', "[]\n"],
    ["rows.json", { layout: "lines" }, '{"a":1}\n{"a":2}\n{"a":1}\n{"a":2}\n', ""],
    ["rows.jsonl", { layout: "array" }, '[\n{"a":1},\n{"a":2},\n{"a":1},\n{"a":2}\n]\n', "[]\n"],
  ])(
    "chooses the layout of %s from the options %j, or else from the name",
    async (uri, options, expected, ofNothing) => {
      expect(await textOf([batch, batch], options, uri)).toBe(expected);
      expect(await textOf([], options, uri)).toBe(ofNothing);
      expect(gunzipSync(await write([batch, batch], options, `${uri}.gz`)).toString()).toBe(expected);
    },
  );

  test("writes a row without columns as an empty object", async () => {
    expect(await textOf([recordBatchOf(new ArrowSchema([]), 2, [])])).toBe("{}\n{}\n");
  });

  test("writes many rows in chunks of at most about 1 MiB, and loses no row", async () => {
    const values = Array.from({ length: 30_000 }, (_, row) => `${"x".repeat(row % 100)}${row}`);
    const sizes: number[] = [];
    const target = memoryTarget("rows.jsonl");
    const arrow = batchOf({ a: [new Utf8(), values] });
    const writer = await jsonl.createWriter(
      {
        ...target,
        uri: target.uri,
        commit: () => target.commit(),
        discard: () => target.discard(),
        write: (bytes) => (sizes.push(bytes.length), target.write(bytes)),
      },
      { arrowSchema: arrow.schema },
    );
    await writer.write(arrow);
    await writer.finish();
    await target.commit();
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(2 ** 20 + 200);
    expect((await readRows(target.bytes())).map(({ a }) => a)).toEqual(values);
  });
});

describe("the JSON writer", () => {
  const nonFinite = batchOf({ a: [new Float64(), [0.5, Number.NaN, Number.NEGATIVE_INFINITY]] });

  test("rejects NaN and infinities, writes their names, or writes null, as nonFinite requests", async () => {
    await expect(write([nonFinite])).rejects.toMatchObject({
      code: "not-convertible",
      reason: "non-finite",
      columnPath: "a",
      row: 1,
    });
    expect(await textOf([nonFinite], { nonFinite: "accept" })).toBe(
      '{"a":0.5}\n{"a":NaN}\n{"a":-Infinity}\n',
    );
    expect(await textOf([nonFinite], { nonFinite: "null" })).toBe('{"a":0.5}\n{"a":null}\n{"a":null}\n');
  });

  test("rejects bytes that are not UTF-8, or writes bytes in base64 on request", async () => {
    const inStruct = new Struct([new Field("b", new Binary(), true)]);
    const batch = batchOf({ t: [new Utf8(), ["x"]], s: [inStruct, [{ b: Uint8Array.of(0xff, 0xfe) }]] });
    await expect(write([batch])).rejects.toMatchObject({
      code: "not-convertible",
      reason: "not-utf8",
      columnPath: "s.b",
      row: 0,
    });
    expect(await textOf([batch], { binary: "base64" })).toBe('{"t":"x","s":{"b":"//4="}}\n');
  });

  test("rejects two columns with the same name, and unsigned integers beyond int64", async () => {
    const one = batchOf({ a: [new Int32(), [1]] });
    const twice = recordBatchOf(new ArrowSchema([...one.schema.fields, ...one.schema.fields]), 1, [
      ...one.data.children,
      ...one.data.children,
    ]);
    await expect(write([twice])).rejects.toMatchObject({ reason: "duplicate-column", columnPath: "a" });
    await expect(write([batchOf({ a: [new Uint64(), [2n ** 63n]] })])).rejects.toMatchObject({
      code: "out-of-range",
    });
  });

  test("keeps the rows before a rejected row, and can then write further rows", async () => {
    const target = memoryTarget("rows.json");
    const writer = await jsonl.createWriter(target, { arrowSchema: nonFinite.schema });
    await expect(writer.write(nonFinite)).rejects.toMatchObject({ reason: "non-finite" });
    await writer.write(batchOf({ a: [new Float64(), [7]] }));
    await writer.finish();
    await target.commit();
    expect(JSON.parse(new TextDecoder().decode(target.bytes()))).toEqual([{ a: 0.5 }, { a: 7 }]);
  });

  test.each([[{ onMixed: "widen" }], [{ onBadLine: "skip" }], [{ maxDepth: 3 }]])(
    "rejects the options %j, which apply only to reading",
    async (options) => {
      const error: unknown = await write([nonFinite], options as Partial<JsonlOptions>).catch(
        (caught: unknown) => caught,
      );
      expect(isTfxioError(error, "invalid-argument")).toBe(true);
    },
  );
});

test("rows and their types stay unchanged if they are read, written and read again", async () => {
  const content = [
    '{"i":9007199254740993,"f":1.0,"t":"é\\u0000","b":false,"l":[[1.5],[],null],"s":{"x":null,"y":[{"z":-0.0}]},"e":[],"n":null}',
    '{"i":-1,"f":1e300,"t":"","b":true,"l":[],"s":null,"e":[],"n":null}',
  ].join("\n");
  const batches = await readBatches(content);
  const again = await readBatches(await write(batches));
  expect(again.map(({ schema }) => String(schema))).toEqual(batches.map(({ schema }) => String(schema)));
  expect(again.flatMap(plainRows)).toEqual(batches.flatMap(plainRows));
});
