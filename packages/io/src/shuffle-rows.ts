import type { Random } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { RowReferences } from "./row-references.js";

/** Rows of a shuffled output batch: enough that gathering columns pays, few enough to flow. */
const OUTPUT_ROWS = 1024;
/** Batches taken in between two compactions of the buffer: bounds memory to the buffer's rows plus so many batches. */
const COMPACT_AFTER_BATCHES = 16;

/**
 * The rows of `batches` in random order: a buffer of `bufferSize` rows is filled, then each row that arrives takes the
 * place of one drawn at random, which goes out (tf.data's shuffle). A buffer as large as the data shuffles perfectly.
 * Equal `random` states and equal batches give equal results.
 */
export async function* shuffleRows(
  batches: AsyncIterable<RecordBatch>,
  schema: ArrowSchema,
  bufferSize: number,
  random: Random,
): AsyncGenerator<RecordBatch, void, undefined> {
  const buffer = new RowReferences(schema);
  const output = new RowReferences(schema);
  function* full(): Generator<RecordBatch, void, undefined> {
    if (output.length < OUTPUT_ROWS) return;
    yield output.toBatch();
    output.clear();
  }

  let batchesSinceCompaction = 0;
  for await (const batch of batches) {
    for (let row = 0; row < batch.numRows; row++) {
      if (buffer.length < bufferSize) {
        buffer.append(batch, row);
      } else {
        buffer.replace(random.below(bufferSize), batch, row, output);
        yield* full();
      }
    }
    if (++batchesSinceCompaction === COMPACT_AFTER_BATCHES) {
      buffer.compact();
      batchesSinceCompaction = 0;
    }
  }
  while (buffer.length > 0) {
    buffer.remove(random.below(buffer.length), output);
    yield* full();
  }
  if (output.length > 0) yield output.toBatch();
}
