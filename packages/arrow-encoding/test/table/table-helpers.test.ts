import { describe, expect, test } from "@jest/globals";
import { ColumnPath } from "@tfxio/schema";
import {
  Binary,
  type Data,
  type DataType,
  Dictionary,
  Field,
  FixedSizeList,
  Int32,
  Int64,
  Int8,
  LargeList,
  makeData,
  Null,
  RecordBatch,
  Struct,
  TimestampSecond,
  Uint8,
  Utf8,
} from "apache-arrow";
import {
  batchByteSize,
  canonicalBatch,
  columnAtPath,
  columnsByPath,
  filterRows,
  groupRows,
  mergeBatches,
  sliceByValues,
  takeRows,
} from "../../src/index.js";
import { batchOf, batchWith, listOf } from "../batches.js";
import { plainRows } from "../plain-rows.js";
import { Draw, seededRandom } from "../random.js";
import { randomBatch, randomType } from "../random-column.js";
import { errorOf } from "../error-of.js";

function columnsOf(batch: RecordBatch): Record<string, unknown[]> {
  return Object.fromEntries(
    batch.schema.fields.map(({ name }, index) => [name, plainRows(batch.data.children[index] as Data)]),
  );
}

describe("mergeBatches", () => {
  test("fills missing columns and missing struct fields with null", () => {
    const a = batchOf({
      s: [new Struct([new Field("x", new Int32(), true)]), [{ x: 1 }, null]],
      only: [new Utf8(), ["a", "b"]],
    });
    const b = batchOf({
      n: [new Null(), [null]],
      s: [
        new Struct([new Field("y", listOf(new Int64()), true), new Field("x", new Null(), true)]),
        [{ y: [3n], x: null }],
      ],
    });
    const merged = mergeBatches([a, b]);
    expect(merged.schema.names).toEqual(["s", "only", "n"]);
    expect(columnsOf(merged)).toEqual({
      s: [{ x: 1, y: null }, null, { x: null, y: ["3n"] }],
      only: ["a", "b", null],
      n: [null, null, null],
    });
  });

  test("returns an empty batch for an empty list, and rejects a list of batches without rows", () => {
    expect(mergeBatches([])).toMatchObject({ numRows: 0, numCols: 0 });
    expect(errorOf(() => mergeBatches([batchOf({ x: [new Int32(), []] })]))).toBe("invalid-argument/empty");
  });

  test.each<[string, DataType, DataType]>([
    ["integers of different widths", new Int32(), new Int64()],
    [
      "lists with offsets of different widths",
      listOf(new Int32()),
      new LargeList(new Field("item", new Int32(), true)),
    ],
    ["a list and its value type", listOf(new Int32()), new Int32()],
    ["lists with different value types", listOf(new Int32()), listOf(new Utf8())],
    [
      "lists of different fixed sizes",
      new FixedSizeList(1, new Field("item", new Int32(), true)),
      new FixedSizeList(2, new Field("item", new Int32(), true)),
    ],
  ])("rejects %s", (_, first, second) => {
    const batches = [first, second].map((type) => randomBatch(new Draw(seededRandom(1)), { c: type }, 2));
    expect(errorOf(() => mergeBatches(batches))).toBe("schema-mismatch/incompatible-type");
  });

  test("rejects a batch in which two columns have the same name", () => {
    const fields = [new Field("x", new Int32(), true), new Field("x", new Int32(), true)];
    const column = makeData({ type: new Int32(), data: Int32Array.of(1) });
    expect(errorOf(() => mergeBatches([batchWith(fields, [column, column])]))).toBe(
      "schema-mismatch/duplicate-column",
    );
  });

  test("is associative, and treats slices like copies of their rows", () => {
    const draw = new Draw(seededRandom(23));
    let numMerged = 0;
    for (let round = 0; round < 150; round++) {
      const types = { a: randomType(draw, 3), b: randomType(draw, 2), c: new Null(), d: randomType(draw, 1) };
      const some = (): RecordBatch => {
        const wanted = Object.entries(types).filter(() => !draw.oneIn(4));
        const maybeNull = wanted.map(([name, type]) => [name, draw.oneIn(5) ? new Null() : type] as const);
        return randomBatch(draw, Object.fromEntries(maybeNull), 3 + draw.below(4)).slice(draw.below(2), 3);
      };
      const [x, y, z] = [some(), some(), some()];
      const whole = mergeBatches([x, y, z]);
      for (const other of [
        mergeBatches([mergeBatches([x, y]), z]),
        mergeBatches([x, mergeBatches([y, z])]),
        mergeBatches(
          [x, y, z].map((batch) =>
            takeRows(
              batch,
              Uint32Array.from({ length: batch.numRows }, (_, row) => row),
            ),
          ),
        ),
      ]) {
        expect(String(other.schema)).toBe(String(whole.schema));
        expect(columnsOf(other)).toEqual(columnsOf(whole));
        numMerged++;
      }
    }
    expect(numMerged).toBe(450);
  });
});

describe("filterRows", () => {
  test("keeps the rows whose mask byte is not 0, even in slices, and rejects a mask of the wrong length", () => {
    const batch = batchOf({ x: [listOf(new Int32()), [[1], null, [2, 3], [], [4]]] });
    expect(columnsOf(filterRows(batch, Uint8Array.of(1, 1, 0, 1, 0)))).toEqual({ x: [[1], null, []] });
    expect(columnsOf(filterRows(batch.slice(2), Uint8Array.of(0, 0, 255)))).toEqual({ x: [[4]] });
    expect(filterRows(batch, new Uint8Array(5)).numRows).toBe(0);
    expect(errorOf(() => filterRows(batch, new Uint8Array(4)))).toBe("invalid-argument/mask-length");
  });
});

test("takeRows rejects rows out of range", () => {
  expect(errorOf(() => takeRows(batchOf({ x: [new Int32(), [1]] }), Uint32Array.of(0, 1)))).toBe(
    "invalid-argument/row-number",
  );
});

describe("canonicalBatch", () => {
  test("widens values and wraps flat columns in lists, but keeps nulls and the depth of lists", () => {
    const batch = batchOf({
      u: [new Uint8(), [1, null, 255]],
      text: [listOf(new Utf8()), [["é"], null, []]],
      deep: [listOf(listOf(new Int32())), [[[1], null], [], [[2, 3]]]],
      none: [new Null(), [null, null, null]],
    });
    const canonical = canonicalBatch(batch);
    expect(columnsOf(canonical)).toEqual({
      u: [["1n"], null, ["255n"]],
      text: [["Ã©"], null, []],
      deep: [[["1n"], null], [], [["2n", "3n"]]],
      none: [null, null, null],
    });
    expect(columnsOf(canonicalBatch(batch.slice(1)))["u"]).toEqual([null, ["255n"]]);
    expect(String(canonical.schema.fields[1]?.type)).toBe("List<Binary>");
  });

  test("rejects values without a canonical type; batchByteSize also rejects them, unless told to ignore them", () => {
    const batch = batchOf({ t: makeData({ type: new TimestampSecond(), data: BigInt64Array.of(1n) }) });
    expect(errorOf(() => canonicalBatch(batch))).toBe("unsupported/column-type");
    expect(errorOf(() => batchByteSize(batch))).toBe("unsupported/column-type");
    expect(batchByteSize(batch, { ignoreUnsupported: true })).toBe(0);
  });
});

describe("columns by path", () => {
  const nested = batchOf({
    a: [listOf(new Int32()), [[1], [], null]],
    s: [
      listOf(new Struct([new Field("x", listOf(new Int32()), true)])),
      [[{ x: [1] }, { x: null }], null, [null, { x: [] }]],
    ],
  });

  test("have one value, and one row number, for each struct value of the parent column", () => {
    const { data, rows } = columnAtPath(nested, ColumnPath.of("s", "x"));
    expect(plainRows(data)).toEqual([[1], null, null, []]);
    expect(rows).toEqual(Int32Array.of(0, 0, 2, 2));
    const slice = columnAtPath(nested.slice(1), ColumnPath.of("s", "x"));
    expect(plainRows(slice.data)).toEqual([null, []]);
    expect(slice.rows).toEqual(Int32Array.of(1, 1));
  });

  test("are enumerated with parents before children, and leavesOnly omits the parents", () => {
    const paths = (leavesOnly: boolean): string[] =>
      Array.from(columnsByPath(nested, { leavesOnly }), ({ path }) => path.toString());
    expect(paths(false)).toEqual(["a", "s", "s.x"]);
    expect(paths(true)).toEqual(["a", "s.x"]);
    for (const { path, data, rows } of columnsByPath(nested)) {
      const same = columnAtPath(nested, path);
      expect([plainRows(same.data), same.rows]).toEqual([plainRows(data), rows]);
    }
  });

  test.each([[[]], [["z"]], [["a", "x"]], [["s", "y"]], [["s", "x", "x"]]])("do not exist at %j", (steps) => {
    expect(errorOf(() => columnAtPath(nested, new ColumnPath(steps)))).toBe("schema-mismatch/path-not-found");
  });

  test("do not exist at the empty path, even if a column has an empty name", () => {
    const unnamed = batchOf({ "": [new Utf8(), ["a"]] });
    expect(columnAtPath(unnamed, ColumnPath.of("")).data.length).toBe(1);
    expect(errorOf(() => columnAtPath(unnamed, new ColumnPath([])))).toBe("schema-mismatch/path-not-found");
  });
});

describe("groupRows", () => {
  const batch = batchOf({
    geo: [listOf(new Utf8()), [["de"], ["fr"], null, ["de"], ["fr", "de", "fr"], []]],
    hour: [listOf(new Int64()), [[1n], [2n], [1n], [2n], [1n, 2n], [1n]]],
  });
  const groupsOf = (of: RecordBatch, ...names: string[]): unknown[] =>
    groupRows(
      of,
      names.map((name) => ColumnPath.of(name)),
    ).map(({ values, rows }) => [
      ...values.map((value) => (ArrayBuffer.isView(value) ? new TextDecoder().decode(value) : value)),
      [...rows],
    ]);

  test("puts a row with several values into several groups, and a row without values into none", () => {
    expect(groupsOf(batch, "geo")).toEqual([
      ["de", [0, 3, 4]],
      ["fr", [1, 4]],
    ]);
  });

  test("yields the combinations of several columns in the order of first occurrence", () => {
    expect(groupsOf(batch, "geo", "hour")).toEqual([
      ["de", 1n, [0, 4]],
      ["fr", 2n, [1, 4]],
      ["de", 2n, [3, 4]],
      ["fr", 1n, [4]],
    ]);
  });

  test("numbers rows from the start of a slice", () => {
    expect(groupsOf(batch.slice(3), "geo")).toEqual([
      ["de", [0, 1]],
      ["fr", [1]],
    ]);
  });

  test("accepts an empty list of columns (for a single group), flat columns, and columns without values", () => {
    expect(groupsOf(batch)).toEqual([[[0, 1, 2, 3, 4, 5]]]);
    const flat = batchOf({ x: [new Int32(), [7, null, 7]], none: [new Null(), [null, null, null]] });
    expect(groupsOf(flat, "x")).toEqual([[7, [0, 2]]]);
    expect(groupsOf(flat, "none", "x")).toEqual([]);
  });

  test("agrees with sliceByValues, whose batches hold the rows of each group", () => {
    const draw = new Draw(seededRandom(31));
    for (let round = 0; round < 100; round++) {
      const types = { a: listOf(new Int32()), b: randomType(draw, 3), c: randomType(draw, 2) };
      const whole = randomBatch(draw, types, 20).slice(draw.below(5));
      const slices = sliceByValues(whole, [ColumnPath.of("a")]);
      expect(slices.map(({ values, rows }) => ({ values, rows }))).toEqual(
        groupRows(whole, [ColumnPath.of("a")]),
      );
      for (const { rows, batch: slice } of slices) {
        expect(String(slice.schema)).toBe(String(whole.schema));
        expect(columnsOf(slice)).toEqual(columnsOf(takeRows(whole, rows)));
      }
    }
    expect(sliceByValues(batch.slice(0, 0), [ColumnPath.of("geo")])).toEqual([]);
  });

  test("groups by dictionary values, flat or in lists, as sliceByValues does", () => {
    const words = new Dictionary(new Utf8(), new Int8());
    const values = [["de"], ["fr"], null, ["de"], ["fr", "de", "fr"], [], [null]] as const;
    const coded = batchOf({
      geo: [listOf(words), values],
      flat: [words, ["x", null, "y", "x", "x", "y", null]],
    });
    expect(groupsOf(coded, "geo")).toEqual([
      ["de", [0, 3, 4]],
      ["fr", [1, 4]],
    ]);
    expect(groupsOf(coded.slice(1, 6), "flat", "geo")).toEqual([
      ["x", "de", [2, 3]],
      ["x", "fr", [3]],
    ]);
    const [x, y] = sliceByValues(coded, [ColumnPath.of("flat")]);
    expect(columnsOf(x?.batch as RecordBatch)).toEqual(columnsOf(takeRows(coded, Uint32Array.of(0, 3, 4))));
    expect(plainRows(y?.batch.data.children[1] as Data)).toEqual(["y", "y"]);
  });

  test("groups by fields of structs", () => {
    const type = listOf(new Struct([new Field("k", new Binary(), true)]));
    const structs = batchOf({
      s: [type, [[{ k: Buffer.from("a") }, { k: Buffer.from("b") }], [], [{ k: Buffer.from("b") }]]],
    });
    expect(groupRows(structs, [ColumnPath.of("s", "k")])).toEqual([
      { values: [Uint8Array.of(97)], rows: Uint32Array.of(0) },
      { values: [Uint8Array.of(98)], rows: Uint32Array.of(0, 2) },
    ]);
  });

  test("rejects struct columns and unknown columns", () => {
    const type = new Struct([new Field("k", new Int32(), true)]);
    expect(errorOf(() => groupRows(batchOf({ s: [type, [{ k: 1 }]] }), [ColumnPath.of("s")]))).toBe(
      "schema-mismatch/not-flat",
    );
    expect(errorOf(() => groupRows(batch, [ColumnPath.of("zip")]))).toBe("schema-mismatch/path-not-found");
  });
});
