import { takeRows } from "@tfxio/arrow-encoding";
import { Random } from "@tfxio/wire";
import { anAbortSignal, anInteger, assertOptions, required } from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import type { SomeRowsOptions } from "./some-rows-options.js";
import type { Tfxio } from "../tfxio.js";

/** Options of {@link sampleRows}. */
export interface SampleRowsOptions extends SomeRowsOptions {
  /** Integer of at least 0. The same seed draws the same rows from the same data on every machine. Default 0. */
  readonly seed?: number | undefined;
}

/** A row in the current sample. */
interface Drawn {
  /** A copy of the rows drawn from one batch of the data. */
  readonly batch: RecordBatch;
  /** Number of the batch in the data, from 0, counting only batches from which rows were drawn. */
  readonly index: number;
  /** Index of the row in `batch`. */
  readonly row: number;
}

/** Upper limit of `Random.below`, which draws 32-bit numbers. */
const MAX_ROWS = 2 ** 32;

/**
 * Draws `numRows` random rows, or all rows if there are fewer, and yields them in file order. For data of up to 2^32 rows, every
 * set of `numRows` rows is equally likely. Makes one pass over the data. Holds one batch and the drawn rows in memory, including
 * some that have since been replaced.
 * @throws {ArgumentError} `invalid-argument`. Also throws whatever reading throws.
 * @see Vitter, "Random Sampling with a Reservoir", algorithm R
 */
export async function* sampleRows(
  tfxio: Pick<Tfxio, "recordBatches">,
  options: SampleRowsOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  assertOptions("sampleRows", options, {
    numRows: required(anInteger(0)),
    seed: anInteger(0),
    signal: anAbortSignal,
  });
  const { numRows, seed = 0, signal } = options;
  const random = Random.of(seed, 0);
  const reservoir: Drawn[] = [];
  let [numSeen, numBatches] = [0, 0];
  for await (const batch of numRows === 0 ? [] : tfxio.recordBatches({ signal })) {
    const slots = new Map<number, number>();
    for (let row = 0; row < batch.numRows; row++, numSeen++) {
      const slot = numSeen < numRows ? numSeen : random.below(Math.min(numSeen + 1, MAX_ROWS));
      if (slot < numRows) slots.set(slot, row);
    }
    if (slots.size === 0) continue;
    // Copy only the drawn rows, so that the batch can be freed.
    const rows = Uint32Array.from(slots.values()).sort();
    const taken = takeRows(batch, rows);
    const places = new Map(Array.from(rows, (row, place) => [row, place]));
    const index = numBatches++;
    for (const [slot, row] of slots)
      reservoir[slot] = { batch: taken, index, row: places.get(row) as number };
  }
  yield* inFileOrder(reservoir);
}

/** Yields the drawn rows in file order: one batch for each batch of the data that contains drawn rows. */
function* inFileOrder(reservoir: readonly Drawn[]): Generator<RecordBatch, void, undefined> {
  const sorted = reservoir.toSorted((left, right) => left.index - right.index || left.row - right.row);
  for (let first = 0, end = 0; first < sorted.length; first = end) {
    const { batch, index } = sorted[first] as Drawn;
    while (sorted[end]?.index === index) end++;
    yield takeRows(
      batch,
      Uint32Array.from(sorted.slice(first, end), ({ row }) => row),
    );
  }
}
