import { recordBatchOf } from "@tfxio/arrow-encoding";
import { RecordError } from "@tfxio/wire";
import {
  type Data,
  DataType,
  type Dictionary,
  type Int,
  makeData,
  type RecordBatch,
  Vector,
} from "apache-arrow";

/**
 * Gives each dictionary column the same dictionary in all batches. If the dictionaries differ, as they may between row groups,
 * the common one is their concatenation, which borrows their entries. The keys are copied. Other columns are borrowed.
 * @throws {RecordError} `limit-exceeded` (`batch-too-large`) for more entries than the keys can address.
 */
export function withCommonDictionaries(batches: readonly RecordBatch[]): readonly RecordBatch[] {
  const [first] = batches as readonly [RecordBatch];
  const columns = first.data.children.map((_, index) =>
    unified(batches.map(({ data }) => data.children[index] as Data)),
  );
  if (columns.every((column, index) => column[0] === first.data.children[index])) return batches;
  return batches.map((batch, at) =>
    recordBatchOf(
      first.schema,
      batch.numRows,
      columns.map((column) => column[at] as Data),
      batch.metadata,
    ),
  );
}

/** Returns the data of one column in each batch, with common dictionaries at any depth. */
function unified(columns: readonly Data[]): readonly Data[] {
  const [first] = columns as readonly [Data];
  if (DataType.isDictionary(first.type)) return unifiedDictionaries(columns as readonly Data<Dictionary>[]);
  if (first.children.length === 0) return columns;
  const children = first.children.map((_, index) =>
    unified(columns.map((column) => column.children[index] as Data)),
  );
  if (children.every((child, index) => child[0] === first.children[index])) return columns;
  return columns.map((column, at) =>
    column.clone(
      column.type,
      column.offset,
      column.length,
      column.nullCount,
      undefined,
      children.map((child) => child[at] as Data),
    ),
  );
}

function unifiedDictionaries(columns: readonly Data<Dictionary>[]): readonly Data[] {
  const [first] = columns as readonly [Data<Dictionary>];
  if (columns.every(({ dictionary }) => dictionary === first.dictionary)) return columns;
  const entries = columns.flatMap(({ dictionary }) => (dictionary as Vector).data);
  const dictionary = new Vector(entries);
  const { bitWidth, isSigned } = first.type.indices as Int;
  if (dictionary.length > 2 ** (bitWidth - Number(isSigned))) {
    const message =
      `The dictionaries of a column together have ${dictionary.length} entries, ` +
      `more than indices of ${bitWidth} bits can address. Read smaller batches, or write smaller row groups.`;
    throw new RecordError("limit-exceeded", message, { reason: "batch-too-large" });
  }
  let base = 0;
  return columns.map((column) => {
    const { length, nullCount, nullBitmap, offset, type } = column;
    const keys = (column.values as Int32Array).map((key) => key + base);
    base += (column.dictionary as Vector).length;
    return makeData({ type, length, nullCount, nullBitmap, offset, data: keys, dictionary });
  });
}
