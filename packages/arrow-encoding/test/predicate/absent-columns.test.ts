import { describe, expect, test } from "@jest/globals";
import { ColumnPath, parsePredicate } from "@tfxio/schema";
import { Dictionary, Field, Int32, List, Null, Schema as ArrowSchema, Struct, Utf8 } from "apache-arrow";
import { createRowMatcher, emptyBatch, hashColumnRows, matchingRows, plainRows } from "../../src/index.js";
import { batchOf } from "../batches.js";

const batch = batchOf({ x: [new Int32(), [1, 2, 3]] });

describe("a column missing from the batch", () => {
  const matches = (text: string): number[] => [
    ...createRowMatcher(parsePredicate(text), { absent: "null" })(batch),
  ];

  test("causes the error unknown-column by default", () => {
    expect(() => matchingRows(batch, parsePredicate("y == 1"))).toThrow(
      expect.objectContaining({ reason: "unknown-column" }),
    );
    expect(() => hashColumnRows(batch, ColumnPath.of("y"), 0)).toThrow(
      expect.objectContaining({ reason: "unknown-column" }),
    );
  });

  test('is null in every row if the option `absent` is "null"', () => {
    expect(matches("y == 1")).toEqual([]);
    expect(matches("not y == 1")).toEqual([]);
    expect(matches("y is null")).toEqual([0, 1, 2]);
    expect(matches("y == 1 or x > 1")).toEqual([1, 2]);
    expect(matches("y.z is null")).toEqual([0, 1, 2]);
  });

  test('hashes like a column of nulls if the option `absent` is "null"', () => {
    const nulls = batchOf({ y: [new Null(), [null, null, null]] });
    expect([...hashColumnRows(batch, ColumnPath.of("y"), 5, { absent: "null" })]).toEqual([
      ...hashColumnRows(nulls, ColumnPath.of("y"), 5),
    ]);
  });

  test("may also be a field that a struct lacks", () => {
    const fields = [new Field("s", new Struct([new Field("a", new Int32(), true)]), true)];
    const nested = emptyBatch(new ArrowSchema(fields));
    expect([...createRowMatcher(parsePredicate("s.b == 1"), { absent: "null" })(nested)]).toEqual([]);
    expect(() => matchingRows(nested, parsePredicate("s.b == 1"))).toThrow(
      expect.objectContaining({ reason: "unknown-column" }),
    );
  });

  test('cannot be handled with `absent: "drop"`, which is rejected', () => {
    expect(() => createRowMatcher(parsePredicate("x == 1"), { absent: "drop" as never })).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });
});

test("emptyBatch returns a batch that has the schema's columns, whatever their types, but no rows", () => {
  const schema = new ArrowSchema([
    new Field("words", new Dictionary(new Utf8(), new Int32()), true),
    new Field(
      "lists",
      new List(new Field("item", new Struct([new Field("a", new Utf8(), true)]), true)),
      true,
    ),
  ]);
  const empty = emptyBatch(schema);
  expect(empty.numRows).toBe(0);
  expect(empty.schema).toBe(schema);
  expect(plainRows(empty)).toEqual([]);
  expect([...matchingRows(empty, parsePredicate('words == "a" and lists.a == "b"'))]).toEqual([]);
  expect(() => matchingRows(empty, parsePredicate("words == 1"))).toThrow(
    expect.objectContaining({ reason: "predicate-type" }),
  );
  expect(() => emptyBatch({} as never)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
});
