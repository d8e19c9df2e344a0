import { batchByteSize, gatherRows } from "@tfxio/arrow-encoding";
import type { RandomAccessRows, ReadAtOptions } from "@tfxio/dataset";
import type { RecordBatch } from "apache-arrow";
import type { AllRows, NumberedRows } from "./open-all-rows.js";

/** Number of records per read, if each record can be read alone. */
const RECORDS_PER_READ = 1024;
/**
 * Approximate size in bytes of the rows per read, if reading a row decodes other rows of its part too. Every read decodes each
 * needed part once, so larger reads decode the parts fewer times.
 */
const BYTES_PER_READ: number = 256 * 2 ** 20;
/**
 * Maximum number of rows per read. Sorting more rows would be slow. {@link placesByPosition} packs a position below 2^32 and an
 * index below this number into one float64, which holds both exactly.
 */
const MAX_ROWS_PER_READ: number = 2 ** 20;
/** Maximum number of rows, and approximate maximum number of bytes, of one gathered batch. */
const GATHERED_ROWS = 4096;
const GATHERED_BYTES: number = 4 * 2 ** 20;

/**
 * Returns random access to all rows by position. Positions count from 0 across all parts. Each call of `read` reads the needed
 * rows in file order, and then yields them in the order of `positions`.
 * @param rowsInMemory Number of rows per read, limited to {@link MAX_ROWS_PER_READ}. Default: {@link RECORDS_PER_READ}, or
 *   more if reading a row decodes other rows too and more rows fit into {@link BYTES_PER_READ}.
 */
export function rowsInAnyOrder({ parts, decodedRowBytes }: AllRows, rowsInMemory?: number): RandomAccessRows {
  const starts = new Float64Array(parts.length + 1);
  parts.forEach(({ numRows }, at) => {
    starts[at + 1] = (starts[at] as number) + numRows;
  });
  const atOnce =
    decodedRowBytes === undefined
      ? RECORDS_PER_READ
      : Math.max(RECORDS_PER_READ, Math.floor(BYTES_PER_READ / decodedRowBytes));
  return {
    numRows: starts[parts.length] as number,
    rowsPerRead: Math.min(MAX_ROWS_PER_READ, rowsInMemory ?? atOnce),
    read: (positions, options) => readInOrder({ parts, starts }, positions, options),
  };
}

/** The parts, with the position of the first row of each part. The last element of `starts` is the total number of rows. */
interface PlacedParts {
  readonly parts: readonly NumberedRows[];
  readonly starts: Float64Array;
}

async function* readInOrder(
  { parts, starts }: PlacedParts,
  positions: Uint32Array,
  { signal, pause }: ReadAtOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  const places = placesByPosition(positions);
  const batches: RecordBatch[] = [];
  /** For each requested position, the index of the batch that holds its row. `row` is the index of the row in that batch. */
  const source = new Uint32Array(positions.length);
  const row = new Uint32Array(positions.length);
  let numRead = 0;
  for (let at = 0, from = 0; from < places.length; at++) {
    const [start, end] = [starts[at] as number, starts[at + 1] as number];
    let to = from;
    while (to < places.length && (positions[places[to] as number] as number) < end) to++;
    if (to === from) continue;
    const numbers = places.subarray(from, to).map((place) => (positions[place] as number) - start);
    for await (const batch of (parts[at] as NumberedRows).read(numbers, signal)) {
      for (let k = 0; k < batch.numRows; k++) {
        const place = places[numRead++] as number;
        source[place] = batches.length;
        row[place] = k;
      }
      batches.push(batch);
      await pause();
    }
    from = to;
  }
  yield* gathered(batches, source, row);
}

/** Returns the indices into `positions`, sorted by ascending position. */
function placesByPosition(positions: Uint32Array): Uint32Array {
  // Pack each position with its index into one number, because sorting without a compare function is several times faster.
  const packed = Float64Array.from(
    positions,
    (position, place) => position * MAX_ROWS_PER_READ + place,
  ).sort();
  return Uint32Array.from(packed, (both) => both % MAX_ROWS_PER_READ);
}

function* gathered(
  batches: readonly RecordBatch[],
  source: Uint32Array,
  row: Uint32Array,
): Generator<RecordBatch, void, undefined> {
  const [first] = batches;
  if (first === undefined) return;
  const numBytes = batches.reduce((sum, batch) => sum + batchByteSize(batch, { ignoreUnsupported: true }), 0);
  const rowsThatFit = Math.floor((GATHERED_BYTES * row.length) / Math.max(1, numBytes));
  const numRows = Math.max(1, Math.min(GATHERED_ROWS, rowsThatFit));
  for (let from = 0; from < row.length; from += numRows) {
    const start = row.subarray(from, from + numRows);
    yield gatherRows(batches, first.schema, {
      count: start.length,
      source: source.subarray(from, from + numRows),
      start,
      end: start.map((number) => number + 1),
    });
  }
}
