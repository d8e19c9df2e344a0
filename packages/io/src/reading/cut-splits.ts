import type { ReadPlan, Split } from "@tfxio/format";

/** The number of readers, and the size of the parts to divide splits into. */
export interface CutOptions {
  /** Target size of the parts in bytes. Undefined: splits are not divided. */
  readonly splitBytes: number | undefined;
  /** Number of splits read at the same time. */
  readonly numReaders: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Subdivides the splits in advance if `splitBytes` is set and there are fewer splits than readers, so that several readers can
 * share a file. Otherwise returns the plan unchanged. A pass may still subdivide each split just before reading it.
 */
export async function cutForReaders(plan: ReadPlan, options: CutOptions): Promise<ReadPlan> {
  const { splitBytes, numReaders, signal } = options;
  const { splits } = plan;
  if (splitBytes === undefined || plan.subdivide === undefined || splits.length >= numReaders) return plan;
  const parts: Split[] = [];
  for (const split of splits) parts.push(...(await plan.subdivide(split, { signal })));
  const cut: { -readonly [Member in keyof ReadPlan]: ReadPlan[Member] } = { ...plan, splits: parts };
  delete cut.subdivide;
  return cut;
}
