import { expect, test } from "@jest/globals";
import { Field, Int64, makeData, RecordBatch, Schema as ArrowSchema, Struct } from "apache-arrow";
import { fromRecordBatches } from "../src/index.js";
import { countNameReads } from "./counted-names.js";

async function nameReads(numColumns: number): Promise<number> {
  const fields = Array.from({ length: numColumns }, (_, i) => new Field(`f${i}`, new Int64(), true));
  const children = fields.map(() => makeData({ type: new Int64(), data: BigInt64Array.of(1n, 2n) }));
  const data = makeData({ type: new Struct(fields), length: 2, nullCount: 0, children });
  const batch = new RecordBatch(new ArrowSchema(fields), data);
  const { schema } = batch;
  const numReads = countNameReads(schema.fields);
  const rows = fromRecordBatches(() => [batch], { arrowSchema: schema, toHost: () => ({}) });
  const found: RecordBatch[] = [];
  for await (const one of rows.recordBatches({ batchSize: 1 })) found.push(one);
  expect(found.map((one) => one.getChildAt(0)?.get(0) as unknown)).toEqual([1n, 2n]);
  expect(found.map((one) => one.schema === schema)).toEqual([true, true]);
  expect(schema.names.length).toBe(numColumns);
  return numReads();
}

test("when batches are sliced, the number of reads of column names grows linearly with the number of columns", async () => {
  // If each name were compared with all others, twice as many columns would take four times as many reads.
  expect(await nameReads(400)).toBeLessThan(2.5 * (await nameReads(200)));
});
