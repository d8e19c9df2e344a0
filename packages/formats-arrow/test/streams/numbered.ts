import { Field, Int32, type RecordBatch, Schema as ArrowSchema, makeData, Struct } from "apache-arrow";
import { RecordBatch as Batch } from "apache-arrow";

/** Schema of one integer column. */
export const numbers: ArrowSchema = new ArrowSchema([new Field("n", new Int32(), false)]);

/** Creates a batch of `numRows` rows, counting from `first`. */
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

/** Yields `numBatches` batches of two rows each, which count up from 0. */
export function* numberedBatches(numBatches: number): Generator<RecordBatch> {
  for (let at = 0; at < numBatches; at++) yield batchOfNumbers(2 * at, 2);
}

/** Reads batches to their end, and returns their numbers. */
export async function numbersOf(batches: AsyncIterable<RecordBatch>): Promise<number[]> {
  const found: number[] = [];
  for await (const batch of batches) found.push(...(batch.getChild("n")!.toArray() as Int32Array));
  return found;
}
