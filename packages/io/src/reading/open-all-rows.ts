import { batchByteSize, takeRows } from "@tfxio/arrow-encoding";
import type { FormatReads, ReadPlan, Split } from "@tfxio/format";
import { ArgumentError, UnsupportedError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";

/** A part of the data whose rows can be read by number. Rows are numbered from 0. */
export interface NumberedRows {
  readonly numRows: number;
  /** @param rows Row numbers, strictly ascending. */
  read(rows: Uint32Array, signal: AbortSignal): AsyncIterable<RecordBatch>;
}

/** All rows of a read, readable by number. */
export interface AllRows {
  /** The parts of the data, in order. */
  readonly parts: readonly NumberedRows[];
  /**
   * Approximate size of a row in memory, in bytes. Present if reading a row decodes other rows of its part too. Absent if every
   * row can be read alone.
   */
  readonly decodedRowBytes?: number | undefined;
}

/**
 * Opens all rows of `plan` for reading by number.
 * @throws {UnsupportedError} `unsupported` (`no-random-access`) for a file that can only be read in order, such as an Arrow
 *   stream. A format may reject such a file itself, with another reason. For example, the TFRecord formats reject compressed
 *   files with `compressed-index`. Also throws whatever opening, planning and reading throw.
 */
export async function openAllRows(
  plan: ReadPlan,
  randomAccess: NonNullable<FormatReads["randomAccess"]>,
  signal: AbortSignal,
): Promise<AllRows> {
  const parts: NumberedRows[] = [];
  if (randomAccess === "rows") {
    for (const split of plan.splits) {
      const rows = await plan.openRows?.(split, { signal });
      if (rows === undefined) throw noRandomAccess(split.uri);
      parts.push({
        numRows: rows.numRows,
        read: (numbers, reading) => rows.read(numbers, { signal: reading }),
      });
    }
    return { parts };
  }
  let decodedRowBytes: number | undefined;
  for (const split of plan.splits) {
    for (const part of (await plan.subdivide?.(split, { signal })) ?? [split]) {
      if (part.numRows === undefined) throw noRandomAccess(split.uri);
      parts.push({
        numRows: part.numRows,
        read: (numbers, reading) => rowsOfPart(plan, part, numbers, reading),
      });
      if (part.numRows > 0) decodedRowBytes ??= await rowBytesOf(plan, part, signal);
    }
  }
  return { parts, decodedRowBytes: decodedRowBytes ?? 1 };
}

/** Yields the rows with the given numbers from a part. Decodes the part from the first of these rows up to the last. */
async function* rowsOfPart(
  plan: ReadPlan,
  part: Split,
  numbers: Uint32Array,
  signal: AbortSignal,
): AsyncGenerator<RecordBatch, void, undefined> {
  let row = numbers[0] ?? 0;
  let from = 0;
  for await (const batch of plan.read(part, { from: { row }, signal })) {
    const end = row + batch.numRows;
    let to = from;
    while (to < numbers.length && (numbers[to] as number) < end) to++;
    const first = row;
    if (to > from)
      yield takeRows(
        batch,
        numbers.subarray(from, to).map((number) => number - first),
      );
    if (to === numbers.length) return;
    [row, from] = [end, to];
  }
  if (from === numbers.length) return;
  throw new ArgumentError(
    "invalid-argument",
    `The format declared ${part.numRows} rows for a part of ${part.uri}, but returned ${row}.`,
    { argument: "format", reason: "format-output" },
  );
}

/** Returns the approximate number of bytes per row in memory, at least 1, estimated from the first batch of a part. */
async function rowBytesOf(plan: ReadPlan, part: Split, signal: AbortSignal): Promise<number> {
  for await (const batch of plan.read(part, { signal })) {
    return Math.max(1, batchByteSize(batch, { ignoreUnsupported: true }) / batch.numRows);
  }
  return 1;
}

function noRandomAccess(uri: string): UnsupportedError {
  return new UnsupportedError(
    `shuffle: "all" needs rows that can be read in any order, but ${uri} can only be read in order; use shuffle: true instead.`,
    { feature: "random access to this file", reason: "no-random-access" },
  );
}
