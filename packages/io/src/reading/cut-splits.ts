import type { ReadPlan, Split } from "@tfxio/format";

/** Who reads a plan, and in parts of what size. */
export interface CutOptions {
  /** Wanted size of parts. Absent: splits stay whole. */
  readonly splitBytes: number | undefined;
  /** Splits to be read at the same time. */
  readonly numReaders: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The plan with its splits cut into parts beforehand, when there are fewer splits than readers: several may then read one
 * file. Other plans cut each split when its turn comes, which may read a footer.
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
