/** Returns the median of `values`. For an even number of values, it is the mean of the middle two; for an empty list, NaN. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Returns a list in which the first `count` items are moved to the end. If `count` is the index of a round, each round begins
 * with a different item.
 */
export function rotated<T>(items: readonly T[], count: number): readonly T[] {
  const start = items.length === 0 ? 0 : count % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
