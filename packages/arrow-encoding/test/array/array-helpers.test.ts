import { describe, expect, test } from "@jest/globals";
import {
  Binary,
  type Data,
  Dictionary,
  Field,
  Int32,
  Int64,
  Int8,
  LargeList,
  List,
  makeData,
  Null,
  Struct,
  TimestampSecond,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import {
  binaryByteSize,
  byteSize,
  countInvalidUtf8,
  elementLengths,
  fillNullLists,
  flattenNested,
  indexIn,
  innermostType,
  listCoordinates,
  listFromParentIndices,
  nullBytes,
  parentIndices,
  structField,
  takeRows,
  toSingletonLists,
} from "../../src/index.js";
import { columnOf, itemOf } from "../batches.js";
import { plainRows } from "../plain-rows.js";
import { Draw, seededRandom } from "../random.js";
import { randomBatch, randomColumn, randomType } from "../random-column.js";
import { errorOf } from "../error-of.js";

const int32 = (...values: readonly (number | null)[]): Data => columnOf(new Int32(), values);
const int64 = (...values: readonly bigint[]): Data =>
  makeData({ type: new Int64(), data: BigInt64Array.from(values) });
const bytes = (...values: readonly (readonly number[] | null)[]): Data =>
  columnOf(
    new Binary(),
    values.map((value) => (value === null ? null : Uint8Array.from(value))),
  );

/** `[[1, 2], null, [], [5]]`, where the null row hides the values 3 and 4. */
const hiding = makeData({
  type: new List(itemOf(new Int32())),
  nullBitmap: Uint8Array.of(0b1101),
  valueOffsets: Int32Array.of(0, 2, 4, 4, 5),
  child: int32(1, 2, 3, 4, 5),
});

describe("values hidden under a null list", () => {
  test("do not count in lengths, have no parent or coordinates, and are not flattened", () => {
    expect(plainRows(elementLengths(hiding))).toEqual(["2n", "0n", "0n", "1n"]);
    expect(plainRows(parentIndices(hiding))).toEqual([0, 0, 3]);
    expect(listCoordinates(hiding)).toEqual({
      indices: Int32Array.of(0, 0, 0, 1, 3, 0),
      denseShape: [4, 2],
    });
    const { values, rows } = flattenNested(hiding);
    expect(plainRows(values)).toEqual([1, 2, 5]);
    expect(rows).toEqual(Int32Array.of(0, 0, 3));
  });

  test("are replaced if the null is filled", () => {
    expect(plainRows(fillNullLists(hiding, int32(8, 9)))).toEqual([[1, 2], [8, 9], [], [5]]);
  });

  test("count towards the column's size in bytes", () => {
    // 5 values, 5 offsets, 1 byte of bitmap.
    expect(byteSize(hiding)).toBe(41);
  });
});

describe("elementLengths", () => {
  test("counts the bytes of text, and returns 0 for null", () => {
    const data = columnOf(new Utf8(), ["é", null, ""]);
    expect(plainRows(elementLengths(data))).toEqual(["2n", "0n", "0n"]);
  });
});

describe("listFromParentIndices", () => {
  test("is the inverse of parentIndices, and returns null for a parent without values, or on request an empty list", () => {
    const lists = listFromParentIndices(4, int64(1n, 1n, 3n), int32(7, 8, 9));
    expect(plainRows(lists)).toEqual([null, [7, 8], null, [9]]);
    expect(plainRows(parentIndices(lists))).toEqual([1, 1, 3]);
    const empties = listFromParentIndices(4, int64(1n, 1n, 3n), int32(7, 8, 9), { emptyListAsNull: false });
    expect(plainRows(empties)).toEqual([[], [7, 8], [], [9]]);
  });

  test.each([
    ["out of order", 3, [1n, 0n]],
    ["below 0", 3, [-1n, 0n]],
    ["beyond 32 bits", 3, [0n, 2n ** 32n]],
    ["beyond the number of parents", 1, [0n, 1n]],
    ["whose number differs from that of the values", 3, [0n]],
    ["for a negative number of parents", -1, [0n, 0n]],
  ])("rejects parent indices %s", (_, numParents, parents) => {
    expect(errorOf(() => listFromParentIndices(numParents, int64(...parents), int32(1, 2)))).toBe(
      "invalid-argument/parent-indices",
    );
  });

  test("names the previous index in the error if an index is smaller than the one before it", () => {
    const list = (...parents: bigint[]) => listFromParentIndices(5, int64(...parents), int32(1, 2));
    const rule = "Parent indices must be at least 0 and below numParents (5), and must never decrease";
    expect(() => list(4n, 3n)).toThrow(`${rule}, found 3 after 4.`);
    expect(() => list(-1n, 0n)).toThrow(`${rule}, found -1.`);
    expect(() => list(0n, 5n)).toThrow(`${rule}, found 5.`);
  });
});

describe("toSingletonLists", () => {
  test("wraps values in lists, or on request in large lists, and keeps nulls, even those of a Null column", () => {
    expect(plainRows(toSingletonLists(int32(1, null, 3)))).toEqual([[1], null, [3]]);
    expect(plainRows(toSingletonLists(makeData({ type: new Null(), length: 2 })))).toEqual([null, null]);
    expect(toSingletonLists(int32(1), "large").type).toBeInstanceOf(LargeList);
  });
});

describe("structField", () => {
  test("returns null where the struct is null, whatever the field holds, and rejects an unknown field", () => {
    const type = new Struct([new Field("x", new Int32(), true)]);
    const data = makeData({
      type,
      length: 3,
      nullBitmap: Uint8Array.of(0b101),
      children: [int32(1, 2, null)],
    });
    expect(plainRows(structField(data, "x"))).toEqual([1, null, null]);
    expect(plainRows(structField(data.slice(1, 2), "x"))).toEqual([null, null]);
    expect(errorOf(() => structField(data, "y"))).toBe("schema-mismatch/no-such-field");
  });
});

describe("indexIn", () => {
  test("returns positions among the distinct entries of a set, one of which may be null", () => {
    const set = int32(5, null, 5, 7);
    expect(plainRows(indexIn(int32(7, 5, null, 6), set))).toEqual([2, 0, 1, null]);
    expect(plainRows(indexIn(bytes(null, [1], [2]), bytes(null, [2])))).toEqual([0, null, 1]);
  });

  test("accepts dictionary columns as values and as the set", () => {
    const words = (...values: readonly (string | null)[]): Data =>
      columnOf(new Dictionary(new Utf8(), new Int8()), values);
    const plain = (...values: readonly (string | null)[]): Data => columnOf(new Utf8(), values);
    const wanted = ["b", null, "x", "a", "b"] as const;
    const set = ["a", "b", null, "a", "c"] as const;
    for (const column of [words(...wanted), plain(...wanted)]) {
      for (const entries of [words(...set), plain(...set)]) {
        expect(plainRows(indexIn(column, entries))).toEqual([1, 2, null, 0, 1]);
        expect(plainRows(indexIn(column.slice(2, 3), entries.slice(1, 2)))).toEqual([null, null, 0]);
      }
    }
    expect(plainRows(indexIn(words(), words("a")))).toEqual([]);
    // Two entries are equal, and the third is null. The key under the null row is out of range.
    const odd = makeData({
      type: new Dictionary(new Utf8(), new Int8()),
      data: Int8Array.of(0, 1, 2, 99),
      nullBitmap: Uint8Array.of(0b0111),
      dictionary: vectorFromArray(["a", "a", null], new Utf8()),
    });
    expect(plainRows(indexIn(odd, words("b", "a")))).toEqual([1, 1, null, null]);
    expect(plainRows(indexIn(words("a", "b"), odd))).toEqual([0, null]);
    expect(errorOf(() => indexIn(words("a"), int32(1)))).toBe("invalid-argument/value-set-type");
    expect(() => indexIn(words("a"), int32(1))).toThrow(
      "valueSet must have the type of the values, Utf8, found Int32.",
    );
    expect(() => indexIn(int32(1), odd)).toThrow(
      "valueSet must have the type of the values, Int32, found Utf8.",
    );
  });

  test("finds thousands of byte strings", () => {
    const entries = Array.from({ length: 5000 }, (_, i) => [...new TextEncoder().encode(`value ${i}`)]);
    const column = bytes(...entries);
    const found = indexIn(column.slice(100, 4000), column);
    expect(found.nullCount).toBe(0);
    expect(found.values).toEqual(Int32Array.from({ length: 4000 }, (_, i) => i + 100));
  });

  test("rejects columns of lists, and a set whose type differs from the column's", () => {
    expect(errorOf(() => indexIn(int32(1), int64(1n)))).toBe("invalid-argument/value-set-type");
    expect(errorOf(() => indexIn(int32(1), bytes([1])))).toBe("invalid-argument/value-set-type");
    expect(errorOf(() => indexIn(hiding, hiding))).toBe("unsupported/column-type");
  });
});

describe("countInvalidUtf8", () => {
  // Table 3-7 of Unicode 15, and sequences that it forbids.
  test.each<[string, number[], number]>([
    [
      "accepts the last character of each encoded length",
      [0x7f, 0xdf, 0xbf, 0xef, 0xbf, 0xbf, 0xf4, 0x8f, 0xbf, 0xbf],
      0,
    ],
    ["accepts the characters before and after the surrogates", [0xed, 0x9f, 0xbf, 0xee, 0x80, 0x80], 0],
    ["counts a surrogate", [0xed, 0xa0, 0x80], 1],
    ["counts an overlong form of two bytes", [0xc1, 0xbf], 1],
    ["counts an overlong form of three bytes", [0xe0, 0x9f, 0xbf], 1],
    ["counts an overlong form of four bytes", [0xf0, 0x8f, 0xbf, 0xbf], 1],
    ["counts a character above U+10FFFF", [0xf4, 0x90, 0x80, 0x80], 1],
    ["counts a character that is cut off at the end of its value", [0x61, 0xe2, 0x82], 1],
    ["counts a lone continuation byte", [0x80], 1],
    ["counts a character with an invalid third byte", [0xe2, 0x82, 0x41], 1],
    ["counts the byte 0xff", [0xff], 1],
  ])("%s", (_, value, expected) => {
    expect(countInvalidUtf8(bytes([0x61], value, null))).toBe(expected);
  });

  test("ignores bytes outside a slice and under nulls", () => {
    const data = makeData({
      type: new Binary(),
      nullBitmap: Uint8Array.of(0b101),
      valueOffsets: Int32Array.of(0, 1, 2, 3),
      data: Uint8Array.of(0x61, 0xff, 0xe2),
    });
    expect(countInvalidUtf8(data)).toBe(1);
    expect(countInvalidUtf8(data.slice(0, 2))).toBe(0);
  });
});

describe("columns of the wrong type", () => {
  const temporal = makeData({ type: new TimestampSecond(), data: BigInt64Array.of(1n) });

  test.each<[string, () => unknown]>([
    ["elementLengths", () => elementLengths(temporal)],
    ["parentIndices", () => parentIndices(int32(1))],
    ["binaryByteSize", () => binaryByteSize(int32(1))],
    ["byteSize", () => byteSize(temporal)],
    ["fillNullLists", () => fillNullLists(int32(1), int32(1))],
    ["countInvalidUtf8", () => countInvalidUtf8(int32(1))],
  ])("are rejected by %s", (_, run) => expect(errorOf(run)).toBe("unsupported/column-type"));

  test("are rejected as fill values for a list whose values have a different type", () => {
    expect(errorOf(() => fillNullLists(hiding, int64(1n)))).toBe("invalid-argument/fill-type");
  });
});

/** Returns the result of an operation on a column, or the code and reason of its error. */
function resultOf(run: () => unknown): unknown {
  let result: unknown;
  const error = errorOf(() => {
    result = run();
  });
  return error ?? result;
}

test("helpers return the same results for a random slice and for a copy of the slice's rows", () => {
  const draw = new Draw(seededRandom(11));
  for (let round = 0; round < 250; round++) {
    const type = randomType(draw, 3);
    const batch = randomBatch(draw, { c: type }, 5 + draw.below(15));
    const first = draw.below(5);
    const length = draw.below(batch.numRows - first + 1);
    const slice = batch.slice(first, first + length);
    const copy = takeRows(
      batch,
      Uint32Array.from({ length }, (_, row) => first + row),
    );
    const fill = randomColumn(draw, innermostType(type), 2);
    const results = [slice, copy].map((of) => {
      const column = of.data.children[0] as Data;
      return {
        rows: plainRows(column),
        lengths: resultOf(() => plainRows(elementLengths(column))),
        nulls: plainRows(nullBytes(column)),
        parents: resultOf(() => plainRows(parentIndices(column))),
        coordinates: listCoordinates(column),
        flattened: resultOf(() => {
          const { values, rows } = flattenNested(column);
          return { values: plainRows(values), rows };
        }),
        filled: resultOf(() => plainRows(fillNullLists(column, fill))),
        binarySize: resultOf(() => binaryByteSize(column)),
        invalid: resultOf(() => countInvalidUtf8(column)),
        singletons: plainRows(toSingletonLists(column)),
      };
    });
    expect(results[0]).toEqual(results[1]);
  }
});
