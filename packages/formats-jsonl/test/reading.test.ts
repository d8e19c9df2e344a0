import { describe, expect, test } from "@jest/globals";
import { gzipSync } from "node:zlib";
import { batchByteSize } from "@tfxio/arrow-encoding";
import type { ReadProgress } from "@tfxio/format";
import { jsonl } from "@tfxio/formats-jsonl";
import {
  bytes,
  ColumnPath,
  createMessage,
  defineSchema,
  FeatureType,
  float,
  int,
  parseSchemaText,
  SchemaSchema,
  struct,
} from "@tfxio/schema";
import { bytesSource, Random } from "@tfxio/wire";
import { readBatches, readError, readRows, readTypes } from "./read-rows.js";

describe("without a schema, the column types", () => {
  test.each([
    ['{"a":1}\n{"a":-2}', "a: Int64"],
    ['{"a":1}\n{"a":2.5}', "a: Float64"],
    ['{"a":1.0}\n{"a":2}', "a: Float64"],
    ['{"a":1e2}', "a: Float64"],
    ['{"a":"x"}', "a: Utf8"],
    ['{"a":true}\n{"a":null}', "a: Bool"],
    ['{"a":null}', "a: Null"],
    ['{"a":[]}', "a: List<Null>"],
    ['{"a":[]}\n{"a":[null,"x"]}', "a: List<Utf8>"],
    ['{"a":[[1],[2.5]]}', "a: List<List<Float64>>"],
    ['{"a":{}}', "a: Struct<{}>"],
    ['{"a":{"b":1}}\n{"a":{"c":[{"d":"x"}]}}', "a: Struct<{b:Int64, c:List<Struct<{d:Utf8}>>}>"],
  ])("of %j are %s", async (content, type) => {
    expect(await readTypes(content)).toEqual([type]);
  });

  test("may differ between batches, even inside structs", async () => {
    const content = `{"a":{"x":1}}\n{"a":{"y":1}}`;
    expect(await readTypes(content, { request: { batchSize: 1 } })).toEqual([
      "a: Struct<{x:Int64}>",
      "a: Struct<{y:Int64}>",
    ]);
  });

  test("depend only on the rows of the batch, and so does the order of the columns", async () => {
    const content = '{"a":1,"b":2}\n{"b":"x","c":null}\n{"c":[],"a":0.5}';
    expect(await readTypes(content, { request: { batchSize: 1 } })).toEqual([
      "a: Int64, b: Int64",
      "b: Utf8, c: Null",
      "c: List<Null>, a: Float64",
    ]);
  });
});

describe("values", () => {
  test("of int64 keep all digits", async () => {
    const content = '{"a":9223372036854775807,"b":-9223372036854775808,"c":[9007199254740993],"d":-0}';
    const [batch] = await readBatches(content);
    expect(batch!.getChild("a")!.get(0)).toBe(2n ** 63n - 1n);
    expect(batch!.getChild("b")!.get(0)).toBe(-(2n ** 63n));
    expect(batch!.getChild("c")!.get(0).get(0)).toBe(2n ** 53n + 1n);
    expect(batch!.getChild("d")!.get(0)).toBe(0n);
  });

  test("that are long integers are exact in int64 columns, and rounded only on request in float64 columns", async () => {
    const random = Random.of(1, 5);
    const integers = Array.from({ length: 2000 }, () => {
      const digits = Array.from({ length: 16 + random.below(4) }, () => random.below(10)).join("");
      return BigInt.asIntN(64, BigInt(digits) * (random.below(2) === 0 ? 1n : -1n));
    });
    const lines = integers.map((integer) => `{"a":${integer},"b":${integer}}`);
    const [batch] = await readBatches(`{"b":0.5}\n${lines.join("\n")}`, { options: { onMixed: "widen" } });
    expect(Array.from(batch!.getChild("a")!).slice(1)).toEqual(integers);
    expect(Array.from(batch!.getChild("b")!).slice(1)).toEqual(integers.map(Number));
    for (const integer of integers.slice(0, 100)) {
      const isExact = BigInt(Number(integer)) === integer;
      const found = await readBatches(`{"b":0.5}\n{"b":${integer}}`).then(
        () => true,
        () => false,
      );
      expect(found).toBe(isExact);
    }
  });

  test("are rounded to the nearest float64, as Number rounds them", async () => {
    const texts = [
      "0.1",
      "123456789.12345679",
      "5e-324",
      "2.4703282292062327e-324",
      "1.7976931348623157e308",
      "9007199254740993.0",
      "0.30000000000000004",
      "1e22",
      "1e23",
      "123456789012345678901234567890e-20",
      "4.35",
      "0.000001",
      "1E+2",
      "-0.0",
      `0.${"1".repeat(400)}`,
      `${"9".repeat(300)}.5`,
      "8.442911973260991817129021e-309",
    ];
    const [batch] = await readBatches(`{"a":[${texts.join(",")}]}`);
    expect(Array.from(batch!.getChild("a")!.get(0))).toEqual(texts.map(Number));
  });

  test("that are null differ from an empty list, but not from an absent member", async () => {
    const rows = await readRows('{"a":[],"b":1}\n{"a":null}\n{"b":null}\n{"a":[null]}');
    expect(rows.map(({ a }) => a)).toEqual([[], null, null, [null]]);
  });

  test("are null where the input has null or no member, and nowhere else", async () => {
    const isNull = (row: number): boolean => row < 300 && row % 7 === 3;
    const lines = Array.from({ length: 1000 }, (_, row) => {
      return isNull(row)
        ? `{"a":null,"b":[null],"c":{}}`
        : `{"a":${row},"b":[${row}],"c":{"d":${row % 2 === 0}}}`;
    });
    for (const [row, { a, b, c }] of (await readRows(lines.join("\n"))).entries()) {
      const value = isNull(row) ? null : row;
      expect([a, b, c]).toEqual([value, [value], { d: value === null ? null : row % 2 === 0 }]);
    }
  });

  test("of a repeated name are replaced by the last value, but the name keeps its first position", async () => {
    expect(
      JSON.stringify(await readRows('{"a":1,"b":[1,2],"a":2,"b":[3],"c":{"d":1,"e":2},"c":{"d":3}}')),
    ).toBe('[{"a":2,"b":[3],"c":{"d":3,"e":null}}]');
  });

  test("that are null stay null if a name is repeated in an object many rows later", async () => {
    const lines = ['{"a":null}', ...Array.from({ length: 99 }, (_, row) => `{"a":${row}}`), '{"a":1,"a":2}'];
    for (const batch of await readBatches([...lines, ...lines].join("\n"), { request: { batchSize: 101 } })) {
      expect(batch.getChildAt(0)?.nullCount).toBe(1);
      expect(batch.getChildAt(0)?.get(0)).toBeNull();
    }
  });

  test("may have any name, even that of a member of Object.prototype", async () => {
    const content = '{"__proto__":1,"constructor":{"toString":2},"":3,"a.b":4,"\\u0061":5}\n{"a":6}';
    expect((await readRows(content))[0]).toEqual(
      JSON.parse('{"__proto__":1,"constructor":{"toString":2},"":3,"a.b":4,"a":5}'),
    );
    expect((await readRows(content))[1]).toMatchObject({ a: 6 });
  });

  test("are assigned by name, whatever the order and number of members", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `name${index}`);
    const objects = Array.from({ length: 50 }, (_, row) => {
      const own = names.filter((__, index) => (index * 7 + row) % 3 > 0);
      return Object.fromEntries(
        (row % 2 === 0 ? own : own.toReversed()).map((name) => [name, `${name}:${row}`]),
      );
    });
    const rows = await readRows(objects.map((one) => JSON.stringify(one)).join("\n"));
    rows.forEach((row, index) => {
      for (const name of names) expect(row[name] ?? null).toBe(objects[index]![name] ?? null);
    });
  });
});

describe("the JSON reader", () => {
  test("skips blank lines, but counts them as records", async () => {
    const content = '\n{"a":1}\r\n \t\r\n{"a":2}\n\n';
    expect(await readRows(content)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(await readError(`${content}{"a":}`)).toMatchObject({ recordIndex: 5, byteOffset: 28 });
  });

  test.each([
    ['[{"a":1},{"a":2}]'],
    ['\ufeff [\n{"a":1}\n,\n{"a":2}\n]\n '],
    ['\n\n{"a":1}\n{"a":2}'],
    ['{"a":1}\r\n{"a":2}\r\n'],
  ])("reads two rows from %j, plain or compressed", async (content) => {
    expect(await readRows(content)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(await readRows(gzipSync(content))).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test.each([[""], [" \n\t\r\n"], ["\ufeff"], ["[]"], [" [ ] "]])("reads no row from %j", async (content) => {
    expect(await readBatches(content)).toEqual([]);
  });

  test("reads array elements that are long or have brackets in their strings", async () => {
    const long = '[{\\"]}'.repeat(300_000);
    const rows = await readRows(`[{"a":"${long}"},{"a":"]"}\n,{"b":[[{}],[]]}]`);
    expect(rows.map(({ a }) => (a as string | null)?.length)).toEqual([1_500_000, 1, undefined]);
  });
});

describe("bad input", () => {
  test.each([
    ['{"a":1}\n{"a":x}', "json-syntax", 1, 13],
    ['{"a":1}\n{"a":1}}', "json-syntax", 1, 15],
    ['{"a":1,}', "json-syntax", 0, 7],
    ['{"a":1', "json-syntax", 0, 6],
    ['{"a":"x', "json-syntax", 0, 7],
    ['{"a":[1,]}', "json-syntax", 0, 8],
    ['{"a":tru}', "json-syntax", 0, 5],
    ['{"a":01}', "json-syntax", 0, 6],
    ['{"a":-}', "json-syntax", 0, 6],
    ['{"a":1.}', "json-syntax", 0, 7],
    ['{"a":1e+}', "json-syntax", 0, 8],
    ['{"a":"\t"}', "json-syntax", 0, 6],
    ['{"a":"\\x"}', "json-syntax", 0, 7],
    ['{"a":"\\u12g4"}', "json-syntax", 0, 10],
    ['{"a":"\\ud800x"}', "lone-surrogate", 0, 6],
    ['{"a":"\\udc00"}', "lone-surrogate", 0, 6],
    ['{"a":"\\ud800\\u0041"}', "lone-surrogate", 0, 6],
    ['{"a":NaN}', "non-finite", 0, 5],
    ['{"a":1e309}', "number-range", 0, 5],
    ["7", "not-an-object", 0, 0],
    ['{"a":1}\nnull', "not-an-object", 1, 8],
    ['[{"a":1}{"a":2}]', "json-syntax", 1, 8],
    ['[{"a":1},]', "json-syntax", 1, 9],
    ['[,{"a":1}]', "json-syntax", 0, 1],
    ['[{"a":1}] x', "json-syntax", 1, 10],
    ['[{"a":1},{"a":2]]', "json-syntax", 1, 15],
    ['[{"a":1},3]', "not-an-object", 1, 9],
  ])("such as %j is rejected with reason %s", async (content, reason, recordIndex, byteOffset) => {
    expect(await readError(content)).toMatchObject({
      code: "malformed-payload",
      uri: "rows.jsonl",
      reason,
      recordIndex,
      byteOffset,
    });
  });

  test.each([
    [[0xc0, 0x80]],
    [[0xe0, 0x80, 0x80]],
    [[0xed, 0xa0, 0x80]],
    [[0xf4, 0x90, 0x80, 0x80]],
    [[0xff]],
    [[0xc3]],
    [[0x80]],
    [[0xf0, 0x9f, 0x8e]],
  ])("with the bytes %p, which are not UTF-8, is rejected", async (bad) => {
    const content = Uint8Array.from([...Buffer.from('{"a":"é'), ...bad, ...Buffer.from('"}')]);
    expect(await readError(content)).toMatchObject({ reason: "json-utf8", byteOffset: 8 });
  });

  test("between array elements is shown in the error as a character, or in hexadecimal if not printable ASCII", async () => {
    expect(String(await readError('[{"a":1}x]'))).toContain('expected "," or "]", found "x".');
    expect(String(await readError('[{"a":1}é]'))).toContain('expected "," or "]", found byte 0xc3.');
  });

  test("that ends within an array is reported as truncated", async () => {
    for (const content of ['[{"a":1}', '[{"a":1},', '[{"a":1},{"a"', "[", "[ "]) {
      expect(await readError(content)).toMatchObject({ code: "truncated-record", reason: "record-end" });
    }
  });

  test("is skipped and counted on request, and does not affect column names or types", async () => {
    const content = '{"a":1}\n{"b":"x","a":"y"\n[1]\n{"a":2,"c":NaN}\n{"a":3}\n\n';
    const progress: ReadProgress[] = [];
    const reading = {
      options: { onBadLine: "skip" },
      onProgress: (one: ReadProgress) => progress.push(one),
    } as const;
    expect(await readRows(content, reading)).toEqual([{ a: 1 }, { a: 3 }]);
    expect(progress.at(-1)).toMatchObject({ numSkipped: 3, numRows: 2 });
    expect(await readRows('[{},7,{"a"},{}]', reading)).toEqual([{}, {}]);
  });

  test("is rejected if it nests too deeply, or if one batch gets too many columns", async () => {
    const deep = (levels: number): string => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    expect(await readRows(deep(512))).toHaveLength(1);
    expect(await readError(deep(513))).toMatchObject({
      code: "limit-exceeded",
      reason: "nesting-depth",
      byteOffset: 516,
    });
    expect(await readRows(deep(1000), { options: { maxDepth: 1000 } })).toHaveLength(1);
    const limits = { maxColumns: 3 };
    expect(await readRows('{"a":1,"b":{"c":1}}\n{"a":2}', { limits })).toHaveLength(2);
    expect(await readError('{"a":1,"b":{"c":1}}\n{"d":2}', { limits })).toMatchObject({
      code: "limit-exceeded",
      reason: "column-count",
      recordIndex: 1,
    });
    // The columns of each batch are counted separately.
    const request = { batchSize: 1 };
    expect(await readRows('{"a":1,"b":{"c":1}}\n{"d":2}', { limits, request })).toHaveLength(2);
  });

  test.each([
    ["a line", '{"a":1}\n{"a":"xxxxxxxxxxxxxxxxxxxx"}\n', 1],
    ["an array element", `[${" ".repeat(100)}{"a":1} ,${" ".repeat(100)}{"a":"xxxxxxxxxxxxxxxxxxxx"}]`, 1],
    ["a line without an end", `{"a":1}\n{"a":"${"x".repeat(1000)}`, 1],
    ["an array element without an end", `[{"a":1},{"a":"${"x".repeat(1000)}`, 1],
  ])(
    "is rejected at an oversized record (%s), but the rows before that record are read",
    async (_, content, recordIndex) => {
      const source = bytesSource(new TextEncoder().encode(content), "rows.jsonl");
      const reader = await jsonl.open([source], { limits: { maxRecordBytes: 20 } });
      const plan = await reader.plan({ batchSize: 1 });
      let numRows = 0;
      const read = async (): Promise<void> => {
        for await (const batch of plan.read(plan.splits[0]!)) numRows += batch.numRows;
      };
      await expect(read()).rejects.toMatchObject({
        code: "limit-exceeded",
        reason: "record-length",
        recordIndex,
      });
      expect(numRows).toBe(1);
    },
  );

  test("leaves the plan usable for the next file", async () => {
    const reader = await jsonl.open([
      bytesSource(new TextEncoder().encode('{"a":1}\n{"a":'), "bad"),
      bytesSource(new TextEncoder().encode('{"a":"x"}'), "good"),
    ]);
    const plan = await reader.plan();
    const types: string[] = [];
    for (const [index, split] of plan.splits.entries()) {
      const read = async (): Promise<void> => {
        for await (const batch of plan.read(split)) types.push(String(batch.schema.fields[0]!.type));
      };
      if (index === 0) await expect(read()).rejects.toMatchObject({ code: "malformed-payload" });
      else await read();
    }
    expect(types).toEqual(["Utf8"]);
  });
});

describe("values in one column", () => {
  test.each([
    ['{"a":1}\n{"a":"x"}', "a"],
    ['{"a":"x"}\n{"a":1}', "a"],
    ['{"a":true}\n{"a":1}', "a"],
    ['{"a":[1]}\n{"a":1}', "a"],
    ['{"a":{}}\n{"a":[]}', "a"],
    ['{"a":{"b":1}}\n{"a":{"b":false}}', "a.b"],
    ['{"a":1.5}\n{"a":[{"b":1.5}]}', "a"],
    ['{"a":9007199254740993}\n{"a":0.5}', "a"],
  ])("that differ in kind, as in %j, are rejected", async (content, columnPath) => {
    const error = await readError(content);
    expect(error).toMatchObject({
      code: "schema-mismatch",
      reason: "wrong-kind",
      columnPath,
      uri: "rows.jsonl",
      recordIndex: 1,
    });
  });

  test.each([
    ['{"a":true}\n{"a":1}', 'column "a" holds booleans, but this record has integers ('],
    ['{"a":1}\n{"a":true}', 'column "a" holds integers, but this record has booleans ('],
  ])(
    "that differ in kind, as in %j, are rejected, and the error names both kinds",
    async (content, message) => {
      expect(await readError(content)).toHaveProperty("message", expect.stringContaining(message));
    },
  );

  test("that are floats after large integers are rejected, and the error names an integer that float64 would change", async () => {
    expect(await readError('{"a":9007199254740993}\n{"a":0.5}')).toHaveProperty(
      "message",
      expect.stringContaining(
        'column "a" holds integers that float64 cannot represent exactly, such as 9007199254740993, but this record has floats (',
      ),
    );
  });

  test.each([
    ['{"a":9223372036854775808}', 0],
    ['{"a":1}\n{"a":-9223372036854775809}', 1],
    ['{"a":0.5}\n{"a":9007199254740993}', 1],
  ])(
    "that include an integer that the column type cannot hold exactly, as in %j, are rejected",
    async (content, recordIndex) => {
      expect(await readError(content)).toMatchObject({
        code: "schema-mismatch",
        reason: "integer-range",
        columnPath: "a",
        recordIndex,
      });
    },
  );

  test("that include an integer of 100,000 digits are rejected", async () => {
    expect(await readError(`{"a":${"9".repeat(100_000)}}`)).toMatchObject({
      code: "schema-mismatch",
      reason: "integer-range",
      columnPath: "a",
      recordIndex: 0,
    });
  });

  test("can be floats together with integers that float64 can hold exactly", async () => {
    expect(await readRows('{"a":0.5}\n{"a":100000000000000000000}\n{"a":9007199254740994}')).toEqual([
      { a: 0.5 },
      { a: 1e20 },
      { a: 9007199254740994 },
    ]);
  });

  test.each([
    ['{"a":1}\n{"a":"x"}\n{"a":null}\n{"a":2.50}', ["1", "x", null, "2.50"]],
    ['{"a":"x"}\n{"a":{"b" : [1]}}\n{"a":true}', ["x", '{"b" : [1]}', "true"]],
    ['{"a":[1]}\n{"a":1}\n{"a":[ ]}', ["[1]", "1", "[ ]"]],
    ['{"a":9007199254740993}\n{"a":0.5}', [9007199254740992, 0.5]],
    ['{"a":9223372036854775808}\n{"a":1}', [9223372036854775808, 1]],
    [
      '{"a":{"b":1}}\n{"a":{"b":[]}}\n{"a":{"c":1}}',
      [
        { b: "1", c: null },
        { b: "[]", c: null },
        { b: null, c: 1 },
      ],
    ],
    ['{"a":[1,"x"]}\n{"a":[null]}', [["1", "x"], [null]]],
  ])("that are otherwise rejected, as in %j, are widened on request", async (content, values) => {
    expect((await readRows(content, { options: { onMixed: "widen" } })).map(({ a }) => a)).toEqual(values);
  });

  test("that differ in kind widen the column only in their own batch", async () => {
    const content = '{"a":{"b":1},"c":1}\n{"a":{"b":"x"},"c":"y"}\n{"a":{"b":1},"c":1}\n{"a":2,"c":2}';
    const reading = { options: { onMixed: "widen" }, request: { batchSize: 2 } } as const;
    expect(await readTypes(content, reading)).toEqual(["a: Struct<{b:Utf8}>, c: Utf8", "a: Utf8, c: Int64"]);
    expect(await readTypes(content, { ...reading, request: { batchSize: 3 } })).toEqual([
      "a: Struct<{b:Utf8}>, c: Utf8",
      "a: Int64, c: Int64",
    ]);
  });
});

describe("with a schema", () => {
  const schema = defineSchema({ features: { id: int(), score: float(), name: bytes() } });

  test("a single value becomes a list of one value with the feature's type", async () => {
    const content =
      '{"name":"x","id":1,"score":2,"other":{}}\n{"id":[2,3],"score":[],"name":["y",null]}\n{"id":true}';
    expect(await readTypes(content, { request: { schema } })).toEqual([
      "id: List<Int64>, score: List<Float32>, name: List<Utf8>",
    ]);
    expect(await readRows(content, { request: { schema } })).toEqual([
      { id: [1], score: [2], name: ["x"] },
      { id: [2, 3], score: [], name: ["y", null] },
      { id: [1], score: null, name: null },
    ]);
  });

  test('NaN becomes null, alone or in a list, with `nonFinite: "null"`', async () => {
    const reading = { request: { schema }, options: { nonFinite: "null" } } as const;
    const rows = await readRows('{"score":NaN}\n{"score":[NaN,1]}\n{"score":2}', reading);
    expect(rows.map(({ score }) => score)).toEqual([null, [null, 1], [2]]);
  });

  test.each([
    ['{"id":1.5}', "id"],
    ['{"id":"1"}', "id"],
    ['{"score":"1"}', "score"],
    ['{"score":[[1]]}', "score"],
    ['{"name":1}', "name"],
    ['{"name":{}}', "name"],
  ])("a value of the wrong kind, as in %j, is rejected", async (content, columnPath) => {
    expect(await readError(content, { request: { schema } })).toMatchObject({
      reason: "wrong-kind",
      columnPath,
    });
  });

  test("a number in a FLOAT feature is rounded to float32, however many digits are given", async () => {
    const content = '{"score":0.1}\n{"score":[16777217,3.4028234663852886e38,1e-45,-0.1]}';
    const batches = await readBatches(content, { request: { schema } });
    expect(
      batches[0]!
        .getChild("score")!
        .toJSON()
        .map((row) => [...row]),
    ).toEqual([[Math.fround(0.1)], [16777216, 3.4028234663852886e38, 2 ** -149, Math.fround(-0.1)]]);
  });

  test("a number beyond float32 is rejected, or becomes Infinity or null, as nonFinite requests", async () => {
    const request = { schema };
    const content = '{"score":1}\n{"score":[2,3.5e38]}';
    expect(await readError(content, { request })).toMatchObject({
      code: "malformed-payload",
      reason: "number-range",
      recordIndex: 1,
      byteOffset: 24,
      message: expect.stringContaining("float32 can hold"),
    });
    const rows = (nonFinite: "accept" | "null") => readRows(content, { request, options: { nonFinite } });
    expect((await rows("accept"))[1]).toMatchObject({ score: [2, "Infinity"] });
    expect((await rows("null"))[1]).toMatchObject({ score: [2, null] });
  });

  test("a number has the precision of float64 if the schema is inferred, otherwise that of float32", async () => {
    const scoreOf = async (isInferred: boolean): Promise<unknown> => {
      const [batch] = await readBatches('{"score":0.1}', { request: { schema, isInferred } });
      const [row] = batch!.getChild("score")!.toJSON() as Iterable<number>[];
      return [...row!];
    };
    expect(await scoreOf(true)).toEqual([0.1]);
    expect(await scoreOf(false)).toEqual([Math.fround(0.1)]);
  });

  const dated = parseSchemaText(`
    feature { name: "day" type: INT time_domain { integer_format: UNIX_DAYS } }
    feature { name: "at" type: INT time_domain { integer_format: UNIX_MILLISECONDS } }
  `);

  test("text of a date or time becomes an integer in the unit of the feature's time domain", async () => {
    const content =
      '{"day":"2024-02-29","at":["2024-02-29T12:34:56.789Z","2024-02-29T13:34:56.789+01:00",7]}';
    const at = Date.parse("2024-02-29T12:34:56.789Z");
    expect(await readRows(content, { request: { schema: dated } })).toEqual([
      { day: [Date.parse("2024-02-29") / 86_400_000], at: [at, at, 7] },
    ]);
  });

  test.each(["2024-02-30", "2024-02-29T00:00:01", "29.2.2024", "", "1"])(
    "the text %j is rejected in a feature whose unit is days",
    async (text) => {
      expect(
        await readError(`{"day":${JSON.stringify(text)}}`, { request: { schema: dated } }),
      ).toMatchObject({
        reason: "wrong-kind",
        columnPath: "day",
        byteOffset: 7,
        actual: "text",
        message: expect.stringContaining(`, but this record has ${JSON.stringify(text)}.`),
      });
    },
  );

  test("widening converts values of other kinds to text, but only in a BYTES feature", async () => {
    const reading = { request: { schema }, options: { onMixed: "widen" } } as const;
    expect(await readRows('{"name":[1.50,{"a":null},"x"]}', reading)).toMatchObject([
      { name: ["1.50", '{"a":null}', "x"] },
    ]);
    expect(await readError('{"id":"1"}', reading)).toMatchObject({ reason: "wrong-kind" });
  });

  test("structs have the fields of their domain or of the requested paths, and unlisted fields can be rejected", async () => {
    const nested = defineSchema({ features: { at: struct({ lat: float(), zip: int() }), id: int() } });
    const content = '{"id":1,"at":{"lat":2,"more":1}}\n{"at":null}\n{"at":{"zip":[3,4],"lat":null}}';
    expect(await readTypes(content, { request: { schema: nested } })).toEqual([
      "at: Struct<{lat:List<Float32>, zip:List<Int64>}>, id: List<Int64>",
    ]);
    expect(await readRows(content, { request: { schema: nested } })).toEqual([
      { at: { lat: [2], zip: null }, id: [1] },
      { at: null, id: null },
      { at: { lat: null, zip: [3, 4] }, id: null },
    ]);
    const columns = [ColumnPath.of("at", "zip")];
    expect(await readTypes(content, { request: { schema: nested, columns } })).toEqual([
      "at: Struct<{zip:List<Int64>}>",
    ]);
    const unlisted = { schema: nested, unlisted: "error" } as const;
    expect(await readError(content, { request: unlisted })).toMatchObject({
      reason: "unlisted-feature",
      columnPath: "at.more",
    });
    expect(await readError(content, { request: { ...unlisted, columns } })).toMatchObject({
      columnPath: "at.more",
    });
    const unknown = [ColumnPath.of("at", "lon")];
    expect(await readError(content, { request: { schema: nested, columns: unknown } })).toMatchObject({
      code: "schema-mismatch",
      reason: "unknown-column",
      columnPath: "at.lon",
    });
  });

  test("features with several value counts are lists of lists", async () => {
    const valueCounts = { case: "valueCounts" as const, value: { valueCount: [{}, {}] } };
    const nested = createMessage(SchemaSchema, {
      feature: [{ name: "a", type: FeatureType.INT, shapeType: valueCounts }],
    });
    const content = '{"a":[[1,2],[],null]}\n{"a":[]}\n{"a":[3,[4]]}';
    expect(await readTypes(content, { request: { schema: nested } })).toEqual(["a: List<List<Int64>>"]);
    expect(await readRows(content, { request: { schema: nested } })).toEqual([
      { a: [[1, 2], [], null] },
      { a: [] },
      { a: [[3], [4]] },
    ]);
  });

  test("an unlisted name is dropped, or on request rejected with its position", async () => {
    const content = '{"id":1}\n{"id":1,"more":2}';
    expect(await readRows(content, { request: { schema } })).toHaveLength(2);
    expect(await readError(content, { request: { schema, unlisted: "error" } })).toMatchObject({
      code: "schema-mismatch",
      reason: "unlisted-feature",
      columnPath: "more",
      recordIndex: 1,
      byteOffset: 17,
    });
  });

  test.each(["null", "[]", "{}", "[null]", '{"x":null}', '[{"x":[]},null]'])(
    "an unlisted name is accepted while its values are empty, such as %s, and rejected at the first value that is not empty",
    async (empty) => {
      const request = { schema, unlisted: "error" } as const;
      expect(await readRows(`{"id":1,"more":${empty}}\n{"id":2}`, { request })).toEqual([
        { id: [1], name: null, score: null },
        { id: [2], name: null, score: null },
      ]);
      for (const value of ["0", '"x"', "false", "[[1]]", '{"x":null,"y":2}']) {
        const content = `{"id":1,"more":${empty}}\n{"more":${value}}`;
        expect(await readError(content, { request })).toMatchObject({
          reason: "unlisted-feature",
          columnPath: "more",
          recordIndex: 1,
        });
      }
    },
  );
});

describe("columns", () => {
  const content = '{"a":{"b":1,"c":"x"},"d":[{"e":1,"f":2}],"g":true}\n{"a":3.5,"d":null}';

  test("can be selected inside structs, even through lists", async () => {
    const columns = [ColumnPath.of("a", "b"), ColumnPath.of("d", "f")];
    expect(await readRows(content.split("\n")[0]!, { request: { columns } })).toEqual([
      { a: { b: 1 }, d: [{ f: 2 }] },
    ]);
  });

  test("that are not selected are still checked for syntax, but not for different kinds of values", async () => {
    const columns = [ColumnPath.of("a")];
    expect(await readError('{"a":1,"b":[1,}', { request: { columns } })).toMatchObject({
      code: "malformed-payload",
    });
    expect(await readRows('{"a":1,"b":2}\n{"a":1,"b":"x"}', { request: { columns } })).toHaveLength(2);
  });
});

describe("batches", () => {
  test("end near the requested number of bytes", async () => {
    const content = Array.from(
      { length: 20_000 },
      (_, row) => `{"a":${row},"b":"${"x".repeat(row % 50)}","c":[1,2]}`,
    );
    const batches = await readBatches(content.join("\n"), {
      request: { batchBytes: 100_000, batchSize: 100_000 },
    });
    for (const batch of batches.slice(0, -1)) {
      expect(batchByteSize(batch)).toBeGreaterThan(99_000);
      expect(batchByteSize(batch)).toBeLessThan(105_000);
    }
  });

  test("of many columns end early, even if few rows have values", async () => {
    const names = Array.from({ length: 2000 }, (_, index) => `"n${index}":1`);
    const content = `{${names.join(",")}}\n${"{}\n".repeat(1000)}`;
    const [first] = await readBatches(content, { request: { batchBytes: 2 ** 20 } });
    expect(first!.numRows).toBeLessThan(70);
    const features = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`n${index}`, int()]));
    const request = { batchBytes: 2 ** 20, schema: defineSchema({ features }) };
    const [listed] = await readBatches("{}\n".repeat(1000), { request });
    expect(listed!.numRows).toBeLessThan(140);
  });

  test("with lists of sparse objects end near the requested number of bytes", async () => {
    const names = Array.from({ length: 100 }, (_, index) => `"n${index}":1`);
    const content = `{"a":[{${names.join(",")}}]}\n${`{"a":[${"{},".repeat(99)}{}]}\n`.repeat(200)}`;
    const [first] = await readBatches(content, { request: { batchBytes: 2 ** 20 } });
    expect(batchByteSize(first!)).toBeGreaterThan(0.9 * 2 ** 20);
    expect(batchByteSize(first!)).toBeLessThan(1.2 * 2 ** 20);
  });

  test("share one schema object if their columns are equal", async () => {
    const batches = await readBatches('{"a":1,"b":[{"c":1}]}\n'.repeat(10), { request: { batchSize: 2 } });
    expect(new Set(batches.map(({ schema }) => schema)).size).toBe(1);
  });

  test("keep their values when later batches are read", async () => {
    const batches = await readBatches('{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n', { request: { batchSize: 1 } });
    expect(batches.map((batch) => batch.toArray().map(String))).toEqual([
      ['{"a": 1, "b": "x"}'],
      ['{"a": 2, "b": "y"}'],
    ]);
  });

  test("can include the position and the original text of each row", async () => {
    const request = { rowPositionColumn: "at", rawRecordColumn: "raw", columns: [] };
    expect(await readRows('\ufeff{"a":1}\r\n\n {} \n', { request })).toEqual([
      { raw: '{"a":1}', at: 0 },
      { raw: " {} ", at: 13 },
    ]);
    expect(await readRows('[ {"a":1} , {} ]', { request })).toEqual([
      { raw: '{"a":1}', at: 2 },
      { raw: "{}", at: 12 },
    ]);
  });
});

describe("options", () => {
  test.each([
    [{ layout: "csv" }, "layout"],
    [{ onMixed: 1 }, "onMixed"],
    [{ maxDepth: 1001 }, "maxDepth"],
    [{ binary: "base64" }, "binary"],
    [{ unwrapSingle: true }, "unwrapSingle"],
    [{ compression: "zip" }, "compression"],
  ])("such as %j are rejected for reading", async (options, argument) => {
    expect(await readError("{}", { options: options as object })).toMatchObject({
      code: "invalid-argument",
      argument,
    });
  });

  test("include nonFinite, which determines what NaN, infinities and numbers beyond float64 become", async () => {
    const content = '{"a":[NaN,-Infinity,1e400,1]}';
    expect(await readRows(content, { options: { nonFinite: "accept" } })).toEqual([
      { a: ["NaN", "-Infinity", "Infinity", 1] },
    ]);
    expect(await readRows(content, { options: { nonFinite: "null" } })).toEqual([
      { a: [null, null, null, 1] },
    ]);
    expect(await readError('{"a":nan}', { options: { nonFinite: "accept" } })).toMatchObject({
      reason: "json-syntax",
    });
  });

  test.each([
    ["with onMixed: widen", {}, { onMixed: "widen" }],
    ["in a FLOAT feature", { schema: parseSchemaText('feature { name: "a" type: FLOAT }') }, {}],
  ] as const)(
    "include nonFinite, which also applies to integers beyond float64 %s",
    async (_where, request, options) => {
      const content = `{"a":[1.5,${"9".repeat(400)}]}`;
      expect(await readError(content, { request, options })).toMatchObject({
        code: "malformed-payload",
        reason: "number-range",
        byteOffset: 10,
        message: expect.stringContaining("float64 can hold"),
      });
      const rows = (nonFinite: "accept" | "null") =>
        readRows(content, { request, options: { ...options, nonFinite } });
      expect(await rows("accept")).toEqual([{ a: [1.5, "Infinity"] }]);
      expect(await rows("null")).toEqual([{ a: [1.5, null] }]);
    },
  );

  test("include layout, which the file must match", async () => {
    expect(await readError('[{"a":1}]', { options: { layout: "lines" } })).toMatchObject({
      reason: "not-an-object",
    });
    expect(await readError('{"a":1}', { options: { layout: "array" } })).toMatchObject({
      reason: "json-syntax",
    });
  });
});

test.each([
  ['{"a":1}', true],
  [" \n{ }", true],
  ['\ufeff[{"a"', true],
  ["[]", true],
  ["[ { } ]", true],
  ["[1]", false],
  ["{a:1}", false],
  ["", false],
  ["a,b", false],
  ["{", false],
  ["[[", false],
])("jsonl.sniff of %j returns %p", (text, isJson) => {
  expect(jsonl.sniff!(new TextEncoder().encode(text))).toBe(isJson);
});
