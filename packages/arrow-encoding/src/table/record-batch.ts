import { type Data, makeData, RecordBatch, Schema as ArrowSchema, Struct } from "apache-arrow";

const noColumns = new ArrowSchema([]);
const noFields = new Struct([]);

/**
 * Columns as a batch; all of them have `numRows` rows. The batch has the very schema that it is given.
 *
 * arrow-js's constructor looks up every field among all others by name and clones it. So it gets no columns here; they
 * are put in afterwards, which leaves thousands of columns affordable.
 */
export function recordBatchOf(
  schema: ArrowSchema,
  numRows: number,
  children: readonly Data[],
  metadata?: ReadonlyMap<string, string>,
): RecordBatch {
  const rows = { length: numRows, nullCount: 0 };
  const empty = makeData({ type: noFields, ...rows, children: [] });
  const data = makeData({ type: new Struct(schema.fields), ...rows, children: [...children] });
  return Object.assign(new RecordBatch(noColumns, empty, new Map(metadata)), { schema, data });
}
