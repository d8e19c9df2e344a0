import { describe, expect, test } from "@jest/globals";
import {
  Binary,
  Field,
  Float32,
  Int64,
  List,
  makeData,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import type { FixtureRow } from "../src/testkit/fixture.js";
import { checkRows, rowsOf } from "../src/testkit/rows.js";

const inner = new Struct<{ n: Int64; s: Utf8 }>([
  new Field("n", new Int64(), true),
  new Field("s", new Utf8(), true),
]);
const columns = {
  integers: vectorFromArray([[1n, 2n ** 62n], [], null], new List(new Field("item", new Int64(), true))),
  floats: vectorFromArray([0.1, Number.NaN, -0], new Float32()),
  bytes: vectorFromArray([Uint8Array.of(97), Uint8Array.of(), null], new Binary()),
  struct: vectorFromArray([{ n: 5n, s: "a" }, { n: null, s: "" }, null], inner),
};
const schema = new ArrowSchema(
  Object.entries(columns).map(([name, { type }]) => new Field(name, type, true)),
);
const batch = new RecordBatch(
  schema,
  makeData({
    type: new Struct(schema.fields),
    length: 3,
    nullCount: 0,
    children: Object.values(columns).map(({ data }) => data[0]!),
  }),
);

describe("rows of a batch", () => {
  test("are plain data, and each row omits its null columns", () => {
    expect(rowsOf(batch)).toEqual([
      {
        integers: [1n, 2n ** 62n],
        floats: Math.fround(0.1),
        bytes: Uint8Array.of(97),
        struct: { n: 5n, s: "a" },
      },
      { integers: [], floats: Number.NaN, bytes: Uint8Array.of(), struct: { s: "", n: null } },
      { floats: -0 },
    ]);
  });

  test("match expected rows that are written by hand", () => {
    const expected: readonly FixtureRow[] = [
      { integers: [1, 2n ** 62n], floats: 0.1, bytes: "a", struct: { n: 5, s: "a" } },
      { integers: [], floats: Number.NaN, bytes: "", struct: { s: "" } },
      { integers: null, floats: -0 },
    ];
    expect(checkRows(rowsOf(batch), expected, "all")).toBeUndefined();
  });

  test.each<[string, FixtureRow, FixtureRow]>([
    ["null and an empty list", {}, { a: [] }],
    ["an empty list and null", { a: [] }, {}],
    ["lists of different lengths", { a: [1] }, { a: [1, 2] }],
    ["different integers that are equal as floats", { a: 2n ** 53n + 1n }, { a: 2 ** 53 }],
    ["an integer and a fraction", { a: 1n }, { a: 1.5 }],
    ["0 and -0", { a: 0 }, { a: -0 }],
    ["floats that differ only beyond float32 precision", { a: 0.1 }, { a: 0.100000001 }],
    ["different bytes", { a: Uint8Array.of(1, 2) }, { a: Uint8Array.of(1, 3) }],
    ["text and a list", { a: "x" }, { a: ["x"] }],
    ["structs with different fields", { a: { b: 1, c: 2 } }, { a: { b: 1 } }],
    ["a value and a missing value", { a: 1, b: 2 }, { a: 1 }],
  ])("do not match expected rows if the values are %s", (_, actual, expected) => {
    expect(() => checkRows([actual], [expected], "all")).toThrow(/^all: row 0, column/);
  });

  test("do not match a different number of expected rows", () => {
    expect(() => checkRows([], [{}], "all")).toThrow("all: expected 1 rows, found 0");
  });
});
