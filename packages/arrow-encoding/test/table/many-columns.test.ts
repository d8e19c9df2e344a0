import { expect, test } from "@jest/globals";
import { parseSchemaText } from "@tfxio/schema";
import { Field, Int64, type RecordBatch, Schema as ArrowSchema, Struct } from "apache-arrow";
import {
  columnElements,
  conformBatch,
  fieldElements,
  fieldIndex,
  mergeBatches,
  plainRows,
  recordBatchOf,
  sliceBatch,
} from "../../src/index.js";
import { batchOf, columnOf } from "../batches.js";
import { countNameReads } from "../counted-names.js";

const namesOf = (numColumns: number): string[] => Array.from({ length: numColumns }, (_, i) => `f${i}`);

function wideBatch(names: readonly string[]): RecordBatch {
  return batchOf(Object.fromEntries(names.map((name) => [name, [new Int64(), [1n, 2n]]])));
}

/** Creates a batch with one struct column, whose fields are the columns of {@link wideBatch}. */
function structBatch(names: readonly string[]): RecordBatch {
  const wide = wideBatch(names);
  const type = new Struct(wide.schema.fields);
  const data = wide.data.clone(type);
  return recordBatchOf(new ArrowSchema([new Field("s", type, true)]), 2, [data]);
}

const fieldsOf = (batch: RecordBatch): readonly Field[] => {
  const [first] = batch.schema.fields as [Field];
  return first.type instanceof Struct ? first.type.children : batch.schema.fields;
};

test.each<
  [string, (names: readonly string[]) => RecordBatch, (batch: RecordBatch, names: string[]) => unknown]
>([
  ["sliceBatch", wideBatch, (batch) => [sliceBatch(batch, 0, 1), batch.schema.names]],
  ["recordBatchOf", wideBatch, ({ schema, data }) => [recordBatchOf(schema, 2, data.children), schema.names]],
  [
    "conformBatch",
    wideBatch,
    (batch, names) =>
      conformBatch(
        batch,
        parseSchemaText(names.map((name) => `feature { name: "${name}" type: INT }`).join(" ")),
      ),
  ],
  ["plainRows", wideBatch, (batch) => [...plainRows(batch)]],
  [
    "fieldElements, called for every field,",
    structBatch,
    (batch, names) => names.map((name) => fieldElements(columnElements(batch.data.children[0]!), name)),
  ],
  ["mergeBatches, called with structs,", structBatch, (batch) => mergeBatches([batch, batch])],
])("%s reads less than 2.5 times as many field names for twice as many columns", (_, make, run) => {
  const [some, twice] = [200, 400].map((numColumns) => {
    const names = namesOf(numColumns);
    const batch = make(names);
    const numReads = countNameReads(fieldsOf(batch));
    run(batch, names);
    return numReads();
  });
  expect(some).toBeGreaterThan(0);
  // Comparing each name with all others would take four times as many reads.
  expect(twice).toBeLessThan(2.5 * (some as number));
});

test("sliceBatch keeps the schema object and the metadata, and shares the buffers", () => {
  const batch = recordBatchOf(
    new ArrowSchema([new Field("a", new Int64(), true)]),
    3,
    [columnOf(new Int64(), [1n, 2n, 3n])],
    new Map([["origin", "here"]]),
  );
  const slice = sliceBatch(batch, 1, 3);
  expect(slice.schema).toBe(batch.schema);
  expect([...slice.metadata]).toEqual([["origin", "here"]]);
  expect([...plainRows(slice)]).toEqual([{ a: 2 }, { a: 3 }]);
  expect(slice.data.children[0]?.values.buffer).toBe(batch.data.children[0]?.values.buffer);
});

test.each([
  [-1, 1],
  [0, 4],
  [2, 1],
])("sliceBatch rejects the range from %d to %d in a batch of three rows", (start, end) => {
  const batch = batchOf({ a: [new Int64(), [1n, 2n, 3n]] });
  expect(() => sliceBatch(batch, start, end)).toThrow("[invalid-argument]");
});

test("fieldIndex returns the index of the first field with the given name, or -1, whether there are few fields or many", () => {
  for (const numFields of [3, 100]) {
    const fields = [...namesOf(numFields), "f1"].map((name) => new Field(name, new Int64(), true));
    expect([fieldIndex(fields, "f1"), fieldIndex(fields, "f2"), fieldIndex(fields, "F2")]).toEqual([
      1, 2, -1,
    ]);
  }
});
