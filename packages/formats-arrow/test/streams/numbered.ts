import { Field, Int32, type RecordBatch, Schema as ArrowSchema, makeData, Struct } from "apache-arrow";
import { RecordBatch as Batch } from "apache-arrow";

/** One column of whole numbers. */
export const numbers: ArrowSchema = new ArrowSchema([new Field("n", new Int32(), false)]);

/** A batch of `numRows` rows from `first` on. */
export function batchOfNumbers(first: number, numRows: number): RecordBatch {
  const values = Int32Array.from({ length: numRows }, (_, row) => first + row);
  const child = makeData({ type: new Int32(), length: numRows, nullCount: 0, data: values });
  const data = makeData({
    type: new Struct(numbers.fields),
    length: numRows,
    nullCount: 0,
    children: [child],
  });
  return new Batch(numbers, data);
}

/** Batches of two rows, `numBatches` of them: 0, 1, 2, …. */
export function* numberedBatches(numBatches: number): Generator<RecordBatch> {
  for (let at = 0; at < numBatches; at++) yield batchOfNumbers(2 * at, 2);
}

/** The numbers of batches, read to the end. */
export async function numbersOf(batches: AsyncIterable<RecordBatch>): Promise<number[]> {
  const found: number[] = [];
  for await (const batch of batches) found.push(...(batch.getChild("n")!.toArray() as Int32Array));
  return found;
}
