import type { ReadPlan, Split } from "@tfxio/format";
import type { CheckedRecordBatchesOptions } from "../options.js";

/** The options that set the number of readers, and the size of the parts to divide splits into. */
export interface CutOptions extends Pick<CheckedRecordBatchesOptions, "readerNumThreads" | "workers"> {
  /** Target size of the parts in bytes. Undefined: splits are not divided. */
  readonly splitBytes: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Returns the number of splits to read at the same time. */
export function numReadersOf({
  readerNumThreads,
  workers,
}: Pick<CutOptions, "readerNumThreads" | "workers">): number {
  return Math.max(readerNumThreads ?? 1, workers === "auto" ? 1 : workers);
}

/**
 * Subdivides the splits in advance if `splitBytes` is set and there are fewer splits than readers, so that several readers can
 * share a file. Otherwise returns the plan unchanged. A pass may still subdivide each split just before reading it.
 */
export async function cutForReaders(plan: ReadPlan, options: CutOptions): Promise<ReadPlan> {
  const { splitBytes, signal } = options;
  const { splits } = plan;
  if (splitBytes === undefined || plan.subdivide === undefined || splits.length >= numReadersOf(options)) {
    return plan;
  }
  const parts: Split[] = [];
  for (const split of splits) parts.push(...(await plan.subdivide(split, { signal })));
  const cut: { -readonly [Member in keyof ReadPlan]: ReadPlan[Member] } = { ...plan, splits: parts };
  delete cut.subdivide;
  return cut;
}
