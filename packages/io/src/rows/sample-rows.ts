import { takeRows } from "@tfxio/arrow-encoding";
import { Random } from "@tfxio/wire";
import { anAbortSignal, anInteger, assertOptions, required } from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import type { SomeRowsOptions } from "./some-rows-options.js";
import type { Tfxio } from "../tfxio.js";

/** Options of {@link sampleRows}. */
export interface SampleRowsOptions extends SomeRowsOptions {
  /** Equal seeds draw the same rows of the same data, on every machine. Integer of at least 0; default 0. */
  readonly seed?: number | undefined;
}

/** A row that is in the sample so far. */
interface Drawn {
  /** The rows that were drawn of one batch of the data. */
  readonly batch: RecordBatch;
  /** Number of that batch. */
  readonly index: number;
  readonly row: number;
}

/** `Random.below` draws numbers of 32 bits. */
const MAX_ROWS = 2 ** 32;

/**
 * Draws `numRows` rows, or all if there are fewer, each set of rows as likely as any other; they come in file order. One
 * pass over the data. Memory: the rows, those of them that others replaced later, and a batch.
 * @throws {ArgumentError} `invalid-argument`; what reading throws.
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
    // A copy of the drawn rows alone, so that the batch can go.
    const rows = Uint32Array.from(slots.values()).sort();
    const taken = takeRows(batch, rows);
    const places = new Map(Array.from(rows, (row, place) => [row, place]));
    const index = numBatches++;
    for (const [slot, row] of slots)
      reservoir[slot] = { batch: taken, index, row: places.get(row) as number };
  }
  yield* inFileOrder(reservoir);
}

/** What is left of each batch, in the order of the data. */
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
