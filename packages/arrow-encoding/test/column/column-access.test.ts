import { describe, expect, test } from "@jest/globals";
import {
  Binary,
  Bool,
  type Data,
  Dictionary,
  Field,
  FixedSizeList,
  Float16,
  Int8,
  Int32,
  Int64,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  makeData,
  makeVector,
  Null,
  Struct,
  TimestampSecond,
  Utf8,
  Vector,
} from "apache-arrow";
import {
  columnElements,
  fieldElements,
  firstNull,
  flatValues,
  isBytesType,
  isFlatType,
  listElements,
  nullMask,
} from "../../src/index.js";
import { errorOf } from "../error-of.js";

const item = <Type extends Int32 | Int64 | Binary | List | Struct | Dictionary>(type: Type): Field<Type> =>
  new Field("item", type, true);
const int32 = (...values: number[]): Data<Int32> =>
  makeData({ type: new Int32(), data: Int32Array.from(values) });
const listOfInt32 = (offsets: number[], child: Data<Int32>, nullBitmap?: number[]): Data<List<Int32>> =>
  makeData({
    type: new List(item(new Int32())),
    valueOffsets: Int32Array.from(offsets),
    child,
    nullCount: nullBitmap ? -1 : 0,
    nullBitmap: nullBitmap && Uint8Array.from(nullBitmap),
  });

describe("listElements", () => {
  test("borrows the offsets and values of a List", () => {
    const values = int32(1, 2, 3);
    const column = listOfInt32([0, 2, 2, 3], values);
    const { rowSplits, borrowed, elements } = listElements(columnElements(column));
    expect(rowSplits.buffer).toBe(column.valueOffsets.buffer);
    expect(borrowed).toBe(true);
    const flat = flatValues(elements);
    expect(flat.borrowed).toBe(true);
    expect(flat.values).toEqual(Int32Array.of(1, 2, 3));
    expect((flat.values as Int32Array).buffer).toBe(values.values.buffer);
  });

  test("returns row splits that start at 0 for a slice, and still borrows the slice's values", () => {
    const values = int32(1, 2, 3, 4);
    const column = listOfInt32([0, 1, 3, 3, 4], values).slice(1, 2);
    const { rowSplits, borrowed, elements } = listElements(columnElements(column));
    expect(rowSplits).toEqual(Int32Array.of(0, 2, 2));
    expect(borrowed).toBe(false);
    const flat = flatValues(elements);
    expect(flat.values).toEqual(Int32Array.of(2, 3));
    expect((flat.values as Int32Array).buffer).toBe(values.values.buffer);
  });

  test("leaves out values hidden under null rows", () => {
    const column = listOfInt32([0, 2, 4, 5, 6], int32(1, 2, 90, 91, 3, 92), [0b0101]);
    const rows = columnElements(column);
    const { rowSplits, elements } = listElements(rows);
    expect(rowSplits).toEqual(Int32Array.of(0, 2, 2, 3, 3));
    expect(flatValues(elements)).toEqual({ values: Int32Array.of(1, 2, 3), borrowed: false });
    expect(nullMask(rows)).toEqual(Uint8Array.of(0, 1, 0, 1));
  });

  test("borrows offsets and values if null rows hide no values", () => {
    const column = listOfInt32([0, 2, 2, 3], int32(1, 2, 3), [0b101]);
    const { rowSplits, borrowed, elements } = listElements(columnElements(column));
    expect(rowSplits).toEqual(Int32Array.of(0, 2, 2, 3));
    expect(borrowed).toBe(true);
    expect(flatValues(elements).borrowed).toBe(true);
  });

  test("reads the validity of a slice from the slice's bits", () => {
    const column = listOfInt32([0, 1, 2, 3, 4], int32(1, 90, 3, 4), [0b1101]).slice(1, 3);
    const { rowSplits, elements } = listElements(columnElements(column));
    expect(rowSplits).toEqual(Int32Array.of(0, 0, 1, 2));
    expect(flatValues(elements).values).toEqual(Int32Array.of(3, 4));
  });

  test("reads a LargeList, whole or sliced", () => {
    const type = new LargeList(item(new Int32()));
    const column = makeData({ type, valueOffsets: BigInt64Array.of(0n, 2n, 3n), child: int32(1, 2, 3) });
    expect(listElements(columnElements(column)).rowSplits).toEqual(Int32Array.of(0, 2, 3));
    const sliced = listElements(columnElements(column.slice(1, 1)));
    expect(sliced.rowSplits).toEqual(Int32Array.of(0, 1));
    expect(flatValues(sliced.elements).values).toEqual(Int32Array.of(3));
  });

  test("reads a FixedSizeList, whose null rows always hide values", () => {
    const type = new FixedSizeList(2, item(new Int32()));
    const child = int32(1, 2, 90, 91, 5, 6);
    const column = makeData({ type, length: 3, nullCount: 1, nullBitmap: Uint8Array.of(0b101), child });
    const { rowSplits, elements } = listElements(columnElements(column));
    expect(rowSplits).toEqual(Int32Array.of(0, 2, 2, 4));
    expect(flatValues(elements).values).toEqual(Int32Array.of(1, 2, 5, 6));
    const sliced = listElements(columnElements(column.slice(2, 1)));
    expect(flatValues(sliced.elements).values).toEqual(Int32Array.of(5, 6));
  });

  test("leaves out nested lists hidden under null rows", () => {
    const inner = listOfInt32([0, 1, 2, 4, 5], int32(1, 90, 3, 4, 5));
    const column = makeData({
      type: new List(item(inner.type)),
      valueOffsets: Int32Array.of(0, 1, 2, 4),
      nullCount: 1,
      nullBitmap: Uint8Array.of(0b101),
      child: inner,
    });
    const outer = listElements(columnElements(column));
    const { rowSplits, elements } = listElements(outer.elements);
    expect(outer.rowSplits).toEqual(Int32Array.of(0, 1, 1, 3));
    expect(rowSplits).toEqual(Int32Array.of(0, 1, 3, 4));
    expect(flatValues(elements).values).toEqual(Int32Array.of(1, 3, 4, 5));
  });

  test("returns a single split of 0 for a column without rows or offsets", () => {
    const column = makeData({
      type: new List(item(new Int32())),
      length: 0,
      valueOffsets: new Int32Array(0),
      child: int32(),
    });
    const { rowSplits, elements } = listElements(columnElements(column));
    expect(rowSplits).toEqual(Int32Array.of(0));
    expect(flatValues(elements).values).toEqual(new Int32Array(0));
  });

  test("rejects columns that are not lists, and offsets that are damaged or exceed int32", () => {
    expect(errorOf(() => listElements(columnElements(int32(1))))).toBe("schema-mismatch/not-a-list");
    for (const offsets of [
      [0, 2, 1],
      [0, 1, 4],
      [-1, 0, 1],
    ]) {
      const column = listOfInt32(offsets, int32(1, 2, 3));
      expect(errorOf(() => listElements(columnElements(column)))).toBe("not-convertible/malformed-column");
    }
    const large = (...offsets: bigint[]): Data =>
      makeData({
        type: new LargeList(item(new Int32())),
        valueOffsets: BigInt64Array.from(offsets),
        child: int32(1),
      });
    expect(errorOf(() => listElements(columnElements(large(0n, 1n << 31n))))).toBe(
      "out-of-range/batch-too-large",
    );
    expect(errorOf(() => listElements(columnElements(large(-5n, 0n))))).toBe(
      "not-convertible/malformed-column",
    );
  });
});

describe("fieldElements", () => {
  const struct = (child: Data, nullBitmap: number): Data =>
    makeData({
      type: new Struct([new Field("x", child.type, true)]),
      length: child.length,
      nullCount: -1,
      nullBitmap: Uint8Array.of(nullBitmap),
      children: [child],
    });

  test("treats a list in a null struct as null", () => {
    const column = struct(listOfInt32([0, 1, 2, 3], int32(1, 90, 3)), 0b101);
    const field = fieldElements(columnElements(column), "x");
    expect(nullMask(field)).toEqual(Uint8Array.of(0, 1, 0));
    const { rowSplits, elements } = listElements(field);
    expect(rowSplits).toEqual(Int32Array.of(0, 1, 1, 2));
    expect(flatValues(elements).values).toEqual(Int32Array.of(1, 3));
  });

  test("treats a value as null if the struct or the field is null", () => {
    const child = makeData({
      type: new Int32(),
      data: Int32Array.of(1, 2, 3),
      nullCount: 1,
      nullBitmap: Uint8Array.of(0b011),
    });
    const field = fieldElements(columnElements(struct(child, 0b101)), "x");
    expect(nullMask(field)).toEqual(Uint8Array.of(0, 1, 1));
    expect(firstNull(field)).toBe(1);
    const sliced = fieldElements(columnElements(struct(child, 0b101).slice(2, 1)), "x");
    expect(nullMask(sliced)).toEqual(Uint8Array.of(1));
  });

  test("names a missing field in the error", () => {
    const run = (): unknown => fieldElements(columnElements(struct(int32(1), 1)), "y");
    expect(errorOf(run)).toBe("schema-mismatch/no-such-field");
    expect(run).toThrow('a field "y"');
  });
});

test("isBytesType accepts text and bytes, and isFlatType also accepts numbers and dictionaries", () => {
  const bytes = [new Binary(), new LargeBinary(), new Utf8(), new LargeUtf8()];
  expect(bytes.map(isBytesType)).toEqual([true, true, true, true]);
  expect(
    [...bytes, new Int64(), new Float16(), new Dictionary(new Utf8(), new Int8())].every(isFlatType),
  ).toBe(true);
  expect([new Int32(), new Dictionary(new Utf8(), new Int8())].some(isBytesType)).toBe(false);
  expect([new Bool(), new Null(), new TimestampSecond(), new List(item(new Int32()))].some(isFlatType)).toBe(
    false,
  );
});

describe("flatValues", () => {
  const text = ["a", "", "bcd", "é"];
  const bytes = Buffer.from(text.join(""));

  test("borrows the bytes of a Utf8 column", () => {
    const valueOffsets = Int32Array.of(0, 1, 1, 4, 6);
    const column = makeData({ type: new Utf8(), valueOffsets, data: bytes });
    const { values, borrowed } = flatValues(columnElements(column.slice(1, 3)));
    expect(borrowed).toBe(true);
    expect(
      (values as { toArray(): Uint8Array[] }).toArray().map((each) => Buffer.from(each).toString()),
    ).toEqual(text.slice(1));
    expect((values as { data: Uint8Array }).data.buffer).toBe(column.values.buffer);
  });

  test("borrows the bytes of a LargeBinary column", () => {
    const valueOffsets = BigInt64Array.of(0n, 1n, 1n, 4n, 6n);
    const column = makeData({ type: new LargeBinary(), valueOffsets, data: bytes });
    const { values } = flatValues(columnElements(column.slice(2, 2)));
    expect(
      (values as { toArray(): Uint8Array[] }).toArray().map((each) => Buffer.from(each).toString()),
    ).toEqual(text.slice(2));
    expect((values as { data: Uint8Array }).data.buffer).toBe(column.values.buffer);
  });

  test("leaves out bytes hidden under null rows", () => {
    const child = makeData({ type: new Binary(), valueOffsets: Int32Array.of(0, 1, 1, 4, 6), data: bytes });
    const column = makeData({
      type: new List(item(new Binary())),
      valueOffsets: Int32Array.of(0, 1, 3, 4),
      nullCount: 1,
      nullBitmap: Uint8Array.of(0b101),
      child,
    });
    const { values } = flatValues(listElements(columnElements(column)).elements);
    expect(
      (values as { toArray(): Uint8Array[] }).toArray().map((each) => Buffer.from(each).toString()),
    ).toEqual(["a", "é"]);
  });

  test("looks up values in a dictionary, even one with several chunks", () => {
    const type = new Dictionary(new Int32(), new Int8());
    const data = Int8Array.of(2, 0, 2);
    const whole = makeData({ type, data, dictionary: makeVector(int32(10, 20, 30)) });
    expect(flatValues(columnElements(whole))).toEqual({ values: Int32Array.of(30, 10, 30), borrowed: false });
    const chunked = makeData({ type, data, dictionary: new Vector([int32(10), int32(20, 30)]) });
    expect(flatValues(columnElements(chunked)).values).toEqual(Int32Array.of(30, 10, 30));
  });

  test("looks up text in a dictionary by 64-bit keys", () => {
    const type = new Dictionary(new Utf8(), new Int64() as never);
    const dictionary = makeVector(
      makeData({ type: new Utf8(), valueOffsets: Int32Array.of(0, 1, 3), data: Buffer.from("abc") }),
    );
    const column = makeData({
      type: type as never,
      data: BigInt64Array.of(1n, 0n),
      dictionary,
    } as never) as Data;
    const { values } = flatValues(columnElements(column));
    expect(
      (values as { toArray(): Uint8Array[] }).toArray().map((each) => Buffer.from(each).toString()),
    ).toEqual(["bc", "a"]);
  });

  test("rejects a key outside the dictionary, and types that are not flat", () => {
    const type = new Dictionary(new Int32(), new Int8());
    const column = makeData({ type, data: Int8Array.of(0, 3), dictionary: makeVector(int32(5)) });
    expect(errorOf(() => flatValues(columnElements(column)))).toBe("not-convertible/malformed-column");
    const bool = makeData({ type: new Bool(), length: 1, data: Uint8Array.of(1) });
    expect(errorOf(() => flatValues(columnElements(bool)))).toBe("schema-mismatch/not-flat");
  });
});

test("nullMask and firstNull treat every row of a Null column as null, even in a slice or a list", () => {
  const nulls = makeData({ type: new Null(), length: 3 });
  for (const [data, mask] of [
    [nulls, Uint8Array.of(1, 1, 1)],
    [nulls.slice(1, 2), Uint8Array.of(1, 1)],
  ] as const) {
    expect(nullMask(columnElements(data))).toEqual(mask);
    expect(firstNull(columnElements(data))).toBe(0);
  }
  const lists = makeData({
    type: new List(new Field("item", new Null(), true)),
    valueOffsets: Int32Array.of(0, 1, 3),
    child: nulls,
  });
  const { elements } = listElements(columnElements(lists.slice(1, 1)));
  expect(nullMask(elements)).toEqual(Uint8Array.of(1, 1));
  expect(firstNull(elements)).toBe(0);
});

test("an element is null if its key is null, or if its dictionary entry is null", () => {
  const type = new Dictionary(new Int32(), new Int8());
  const entries = makeData({
    type: new Int32(),
    data: Int32Array.of(1, 2),
    nullCount: 1,
    nullBitmap: Uint8Array.of(0b01),
  });
  const column = makeData({ type, data: Int8Array.of(0, 0, 1), dictionary: makeVector(entries) });
  expect(firstNull(columnElements(column))).toBe(2);
  expect(nullMask(columnElements(column))).toEqual(Uint8Array.of(0, 0, 1));
  const keys = makeData({
    type,
    data: Int8Array.of(0, 7),
    nullCount: 1,
    nullBitmap: Uint8Array.of(0b01),
    dictionary: makeVector(int32(5)),
  });
  expect(firstNull(columnElements(keys))).toBe(1);
  expect(nullMask(columnElements(keys))).toEqual(Uint8Array.of(0, 1));
  const both = makeData({
    type,
    data: Int8Array.of(1, 0, 2, 0),
    nullCount: 1,
    nullBitmap: Uint8Array.of(0b1101),
    dictionary: makeVector([int32(5), entries]),
  });
  expect(nullMask(columnElements(both))).toEqual(Uint8Array.of(0, 1, 1, 0));
});
