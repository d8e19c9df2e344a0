import { expect, test } from "@jest/globals";
import { Field, Int64, makeData, RecordBatch, Schema as ArrowSchema, Struct } from "apache-arrow";
import { RowColumns } from "../src/records/row-columns.js";
import { countNameReads } from "./counted-names.js";

function nameReads(numColumns: number): number {
  const fields = Array.from({ length: numColumns }, (_, i) => new Field(`f${i}`, new Int64(), true));
  const children = fields.map(() => makeData({ type: new Int64(), data: BigInt64Array.of(1n) }));
  const data = makeData({ type: new Struct(fields), length: 1, nullCount: 0, children });
  const batch = new RecordBatch(new ArrowSchema(fields), data);
  const numReads = countNameReads(batch.schema.fields);
  const rowColumns = new RowColumns({ position: "position" }, { skipsRecords: false });
  rowColumns.add(12, 0);
  const found = rowColumns.appendTo(batch);
  expect(found.schema.names.length).toBe(numColumns + 1);
  expect(found.getChildAt(numColumns)?.toArray()).toEqual(BigInt64Array.of(12n));
  return numReads();
}

test("appending a row position column to twice as many columns takes fewer than 2.5 times as many reads of field names", () => {
  // Comparing each name with all others would take four times as many reads.
  expect(nameReads(400)).toBeLessThan(2.5 * nameReads(200));
});
