import { expect, test } from "@jest/globals";
import { assertKnownColumns, selectColumns, withPositionField, withPositions } from "@tfxio/arrow-encoding";
import { ColumnPath, parseSchemaText } from "@tfxio/schema";
import {
  type DataType,
  Field,
  Int64,
  List,
  makeData,
  Null,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Utf8,
} from "apache-arrow";

const stored = new ArrowSchema(["c", "a", "b", "a"].map((name) => new Field(name, new Utf8(), true)));
const schema = parseSchemaText(
  'feature { name: "a" type: BYTES } feature { name: "z" type: INT } feature { name: "b" type: BYTES }',
);
const sources = (columns: ReturnType<typeof selectColumns>) =>
  columns.map(({ field, source }) => [field.name, source]);

test("selectColumns without a schema returns all columns of the file, or only the requested ones, in the file's order", () => {
  expect(sources(selectColumns(stored, {}, "f"))).toEqual([
    ["c", 0],
    ["a", 1],
    ["b", 2],
    ["a", 3],
  ]);
  const columns = [ColumnPath.of("b"), ColumnPath.of("c", "field")];
  expect(sources(selectColumns(stored, { columns }, "f"))).toEqual([
    ["c", 0],
    ["b", 2],
  ]);
});

test("selectColumns follows a schema's order, uses the first of equally named columns, and marks missing columns with -1", () => {
  expect(sources(selectColumns(stored, { schema }, "f"))).toEqual([
    ["a", 1],
    ["z", -1],
    ["b", 2],
  ]);
  expect(sources(selectColumns(stored, { schema, columns: [ColumnPath.of("z")] }, "f"))).toEqual([["z", -1]]);
});

test('selectColumns with `unlisted: "error"` rejects a column of the file that the schema does not list', () => {
  expect(() => selectColumns(stored, { schema, unlisted: "error" }, "file.x")).toThrow(
    expect.objectContaining({
      code: "schema-mismatch",
      reason: "unlisted-feature",
      columnPath: "c",
      uri: "file.x",
    }),
  );
});

test("selectColumns accepts an unlisted column whose type has no values", () => {
  const item = (type: DataType): Field => new Field("item", type, true);
  const valueless = [new Null(), new List(item(new Null())), new Struct([item(new List(item(new Null())))])];
  for (const type of valueless) {
    const columns = new ArrowSchema([new Field("a", new Utf8(), true), new Field("none", type, true)]);
    expect(sources(selectColumns(columns, { schema, unlisted: "error" }, "f"))).toContainEqual(["a", 0]);
  }
  const struct = new Struct([item(new Null()), new Field("b", new Utf8(), true)]);
  const columns = new ArrowSchema([new Field("some", struct, true)]);
  expect(() => selectColumns(columns, { schema, unlisted: "error" }, "f")).toThrow(
    expect.objectContaining({ reason: "unlisted-feature", columnPath: "some" }),
  );
});

test("assertKnownColumns rejects a path outside the schema, and accepts any path if no schema is given", () => {
  expect(() => assertKnownColumns({ schema, columns: [ColumnPath.of("a"), ColumnPath.of("c")] })).toThrow(
    expect.objectContaining({ code: "schema-mismatch", reason: "unknown-column", columnPath: "c" }),
  );
  expect(() => assertKnownColumns({ columns: [ColumnPath.of("c")] })).not.toThrow();
});

test("withPositions appends row positions as a non-nullable column, or nothing if no column name is given", () => {
  const one = new ArrowSchema([new Field("a", new Int64(), true)]);
  const child = makeData({ type: new Int64(), data: BigInt64Array.of(5n, 6n) });
  const batch = new RecordBatch(
    one,
    makeData({ type: new Struct(one.fields), length: 2, children: [child] }),
  );
  const positions = BigInt64Array.of(10n, 2n ** 60n);
  const positioned = withPositions(batch, "#", positions);
  expect(positioned.schema.fields.map(({ name, nullable }) => [name, nullable])).toEqual([
    ["a", true],
    ["#", false],
  ]);
  expect([...positioned.getChild("#")!]).toEqual([10n, 2n ** 60n]);
  expect(withPositions(batch, undefined, positions)).toBe(batch);
  expect(withPositionField(one, undefined)).toBe(one);
});
