import { batchByteSize, takeRows } from "@tfxio/arrow-encoding";
import type { FormatReads, ReadPlan, Split } from "@tfxio/format";
import { ArgumentError } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";

/** Consecutive rows that can be read by number, from 0. */
export interface NumberedRows {
  readonly numRows: number;
  /** @param rows row numbers, strictly ascending. */
  read(rows: Uint32Array, signal: AbortSignal): AsyncIterable<RecordBatch>;
}

/** All rows of a read. */
export interface AllRows {
  /** The parts of the data, in order. */
  readonly parts: readonly NumberedRows[];
  /**
   * Approximate size of a row in memory, in bytes. Present if reading any row decodes the whole part; absent if each row
   * can be read without decoding other rows.
   */
  readonly decodedRowBytes?: number | undefined;
}

/**
 * Opens all rows of `plan` for reading by number.
 * @throws {ArgumentError} `invalid-argument` (`no-random-access`) for a file whose parts do not declare their number
 * of rows. Also throws whatever opening, planning and reading throw.
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

/** Decodes a part up to the last of these rows, and keeps only these rows. */
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
    `the format declares ${part.numRows} rows for a part of ${part.uri}, but returned ${row}`,
    { argument: "format", reason: "format-output" },
  );
}

/** Returns the number of bytes per row, estimated from the first batch. */
async function rowBytesOf(plan: ReadPlan, part: Split, signal: AbortSignal): Promise<number> {
  for await (const batch of plan.read(part, { signal })) {
    return Math.max(1, batchByteSize(batch, { ignoreUnsupported: true }) / batch.numRows);
  }
  return 1;
}

function noRandomAccess(uri: string): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `shuffle: "all" needs rows that can be read in any order, but ${uri} can only be read in order: use shuffle: true.`,
    { argument: "shuffle", reason: "no-random-access" },
  );
}
