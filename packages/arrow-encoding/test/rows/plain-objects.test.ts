import { describe, expect, test } from "@jest/globals";
import { bytes, defineSchema, float, int, type Schema, struct } from "@tfxio/schema";
import {
  Binary,
  Bool,
  type Data,
  DateDay,
  Decimal,
  Field,
  FixedSizeBinary,
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
  Struct,
  TimestampNanosecond,
  Uint64,
  Uint8,
  Utf8,
} from "apache-arrow";
import { type PlainRow, type PlainRowOf, plainRows, toListColumns } from "../../src/index.js";
import { plainRows as rowsByArrow } from "../plain-rows.js";
import { Draw, seededRandom } from "../random.js";
import { randomBatch, randomType } from "../random-column.js";
import { batchOf, batchWith, columnOf, dictionaryOf, listOf } from "../batches.js";

/** Returns the values of one column after a round trip through JSON. */
const valuesOf = (data: Data): unknown[] =>
  (JSON.parse(JSON.stringify(plainRows(batchOf({ x: data })))) as { x: unknown }[]).map(({ x }) => x);

describe("plainRows returns JSON values for", () => {
  test.each<[string, Data, unknown[]]>([
    [
      "int64: numbers for safe integers, and text otherwise",
      columnOf(new Int64(), [1n, -9007199254740991n, 9007199254740992n, -(2n ** 63n), null]),
      [1, -9007199254740991, "9007199254740992", "-9223372036854775808", null],
    ],
    ["uint64", columnOf(new Uint64(), [2n ** 64n - 1n, 0n]), ["18446744073709551615", 0]],
    ["int32", columnOf(new Int32(), [-5, null]), [-5, null]],
    [
      "float64",
      columnOf(new Float64(), [0.1, Number.NaN, Infinity, -Infinity, 1e300, 5e-324]),
      [0.1, "NaN", "Infinity", "-Infinity", 1e300, 5e-324],
    ],
    [
      "float32, with the fewest digits that identify each value",
      columnOf(new Float32(), [
        0.1,
        16777216,
        3.4028234663852886e38,
        1.401298464324817e-45,
        Number.NaN,
        1 / 3,
      ]),
      [0.1, 16777216, 3.4028235e38, 1e-45, "NaN", 0.33333334],
    ],
    ["float16", makeData({ type: new Float16(), length: 1, data: Uint16Array.of(0x3555) }), [0.33325195]],
    ["text", columnOf(new Utf8(), ["é\u{1f600}", "", null]), ["é\u{1f600}", "", null]],
    [
      "bytes: text if they are UTF-8, and base64 if not",
      columnOf(new Binary(), [
        Uint8Array.of(104, 105),
        Uint8Array.of(0xff, 0xfe),
        Uint8Array.of(0xef, 0xbb, 0xbf, 65),
      ]),
      ["hi", { base64: "//4=" }, "\ufeffA"],
    ],
    ["fixed-size binary", columnOf(new FixedSizeBinary(2), [Uint8Array.of(97, 98), null]), ["ab", null]],
    ["booleans", columnOf(new Bool(), [true, null, false]), [true, null, false]],
    ["dates", makeData({ type: new DateDay(), length: 1, data: Int32Array.of(-1) }), [-1]],
    [
      "timestamps",
      makeData({
        type: new TimestampNanosecond(),
        length: 2,
        data: BigInt64Array.of(5n, 1510871468000000000n),
      }),
      [5, "1510871468000000000"],
    ],
    [
      "decimals",
      makeData({ type: new Decimal(1, 9, 128), length: 1, data: Uint32Array.of(25, 0, 0, 0) }),
      ["2.5"],
    ],
    ["dictionaries", dictionaryOf(["DE", null], [0, 1, null, 0]), ["DE", null, null, "DE"]],
    ["Null columns", makeData({ type: new Null(), length: 2 }), [null, null]],
    [
      "lists, null lists and empty lists",
      columnOf(listOf(new Int64()), [[1n, null], [], null]),
      [[1, null], [], null],
    ],
    [
      "lists of large and fixed-size lists",
      columnOf(
        listOf(
          new LargeList(new Field("item", new FixedSizeList(2, new Field("item", new Int32(), true)), true)),
        ),
        [[[[1, 2]], []], null],
      ),
      [[[[1, 2]], []], null],
    ],
  ])("%s", (_, data, expected) => {
    expect(valuesOf(data)).toEqual(expected);
    expect(valuesOf(data.slice(1, data.length - 1))).toEqual(expected.slice(1));
  });

  test("structs and maps", () => {
    const user = new Struct([
      new Field("age", new Int64(), true),
      new Field("tags", listOf(new Utf8()), true),
    ]);
    const rows = [{ age: 1n, tags: ["a"] }, null, { age: null, tags: null }];
    const plain = [{ age: 1, tags: ["a"] }, null, { age: null, tags: null }];
    expect(valuesOf(columnOf(user, rows))).toEqual(plain);
    expect(valuesOf(columnOf(listOf(user), [rows, [], null]))).toEqual([plain, [], null]);
    const entry = new Struct([new Field("k", new Utf8(), false), new Field("v", new Int32(), true)]);
    const map = columnOf(new Map_(new Field("entries", entry, false)), [
      new Map([["a", 1]]),
      null,
      new Map(),
    ]);
    expect(valuesOf(map)).toEqual([[{ key: "a", value: 1 }], null, []]);
  });
});

test("plainRows returns values for a flat batch, and one-element lists for the list form of that batch", () => {
  const batch = batchOf({
    n: columnOf(new Int32(), [1, null]),
    flag: columnOf(new Bool(), [true, false]),
    t: columnOf(new Utf8(), ["a", "b"]),
  });
  expect(plainRows(batch)).toEqual([
    { n: 1, flag: true, t: "a" },
    { n: null, flag: false, t: "b" },
  ]);
  expect(plainRows(toListColumns(batch))).toEqual([
    { n: [1], flag: [true], t: ["a"] },
    { n: null, flag: [false], t: ["b"] },
  ]);
});

test("plainRows treats a column or field named __proto__ as an ordinary property", () => {
  const inner = new Struct([new Field("__proto__", new Uint8(), true)]);
  const batch = batchWith(
    [new Field("__proto__", new Int32(), true), new Field("s", inner, true)],
    [
      columnOf(new Int32(), [7]),
      makeData({ type: inner, length: 1, children: [columnOf(new Uint8(), [8])] }),
    ],
  );
  const [row] = plainRows(batch) as [PlainRow];
  expect(JSON.stringify(row)).toBe('{"__proto__":7,"s":{"__proto__":8}}');
  expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
});

test("plainRows returns an empty object for each row of a batch without columns", () => {
  const empty = makeData({ type: new Struct([]), length: 2, nullCount: 0, children: [] });
  const batch = batchOf({ x: columnOf(new Int32(), [1, 2]) });
  expect(plainRows(Object.assign(batchWith([], []), { data: empty }))).toEqual([{}, {}]);
  expect(plainRows(batch.slice(2, 2))).toEqual([]);
});

test("plainRows rejects two columns with the same name, and columns of unsupported types", () => {
  const ones = columnOf(new Int32(), [1]);
  const twice = batchWith([new Field("a", ones.type, true), new Field("a", ones.type, true)], [ones, ones]);
  expect(() => plainRows(twice)).toThrow(
    expect.objectContaining({ reason: "duplicate-column", columnPath: "a" }),
  );
  const spans = makeData({ type: new IntervalYearMonth(), length: 1, data: Int32Array.of(1) });
  expect(() => plainRows(batchOf({ spans }))).toThrow(expect.objectContaining({ reason: "column-type" }));
});

test("PlainRowOf gives the type of the rows of a typed schema", () => {
  const schema = defineSchema({
    features: { age: int().shape([]), score: float(), name: bytes(), steps: struct({ x: int() }) },
  });
  const row: PlainRowOf<typeof schema> = { age: [1], score: ["NaN"], name: null, steps: { x: [2] } };
  const ages: readonly (number | string)[] | null = row.age;
  const any: PlainRowOf<Schema> = row;
  // @ts-expect-error -- a feature is a list.
  const wrong: PlainRowOf<typeof schema> = { ...row, age: 1 };
  expect([ages, any["name"], wrong.score]).toEqual([[1], null, ["NaN"]]);
});

test("plainRows agrees with arrow-js's reading of random columns and slices", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const draw = new Draw(seededRandom(seed));
    const whole = randomBatch(draw, { x: randomType(draw, 3) }, 1 + draw.below(12));
    const from = draw.below(whole.numRows);
    const batch = draw.oneIn(2) ? whole : whole.slice(from, from + draw.below(whole.numRows - from + 1));
    const expected = rowsByArrow(batch.data.children[0]!).map((x) => ({ x: asJson(x) }));
    expect({ seed, rows: plainRows(batch) }).toEqual({ seed, rows: expected });
  }
});

/** Converts int64 values, which the tests' reader returns as text such as "5n", to numbers. */
function asJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value === "string" && /^-?\dn$/u.test(value)) return Number(value.slice(0, -1));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asJson(item)]));
}
