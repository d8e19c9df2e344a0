import { sliceBatch } from "@tfxio/arrow-encoding";
import type { ReadPlan, Split } from "@tfxio/format";
import type { RecordBatch } from "apache-arrow";
import { assertRowsOptions, type SomeRowsOptions } from "./some-rows-options.js";
import type { Tfxio } from "../tfxio.js";

/**
 * Yields batches of the last `numRows` rows, or of all rows if there are fewer, in file order. Reads files from the last to the
 * first. If the format can divide a file, reads only the parts at its end; `splitBytes` of `openTfxio` sets their size. Holds the
 * last `numRows` rows and up to two more batches in memory.
 * @throws {ArgumentError} `invalid-argument`.
 * @throws {UnsupportedError} `unsupported` (`caller-data`) if `tfxio` reads records or a dataset that the caller passed. Also
 *   throws whatever reading throws.
 */
export async function* lastRows(
  tfxio: Pick<Tfxio, "plan">,
  options: SomeRowsOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  assertRowsOptions("lastRows", options);
  const { numRows, signal } = options;
  const plan = await tfxio.plan();
  const found: RecordBatch[] = [];
  let rowsLeft = numRows;
  for (const split of plan.splits.toReversed()) {
    const parts = rowsLeft === 0 ? [] : ((await plan.subdivide?.(split, { signal })) ?? [split]);
    for (const part of parts.toReversed()) {
      if (rowsLeft === 0) break;
      const batches = await lastOfPart(plan, part, rowsLeft, signal);
      rowsLeft -= batches.reduce((sum, batch) => sum + batch.numRows, 0);
      found.unshift(...batches);
    }
  }
  yield* found;
}

/** Returns the last `numRows` rows of a part. Reads the whole part, because rows can only be read in order. */
async function lastOfPart(
  plan: ReadPlan,
  part: Split,
  numRows: number,
  signal: AbortSignal | undefined,
): Promise<RecordBatch[]> {
  const kept: RecordBatch[] = [];
  let numKept = 0;
  for await (const batch of plan.read(part, { signal })) {
    kept.push(batch);
    numKept += batch.numRows;
    while (numKept - (kept[0] as RecordBatch).numRows >= numRows)
      numKept -= (kept.shift() as RecordBatch).numRows;
  }
  const [first, ...others] = kept;
  if (first === undefined || numKept <= numRows) return kept;
  const numExtra = numKept - numRows;
  return [sliceBatch(first, numExtra, first.numRows), ...others];
}
