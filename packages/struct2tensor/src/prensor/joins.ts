import { assertCount } from "./positions.js";

/** Pairs of positions, as two arrays of the same length. */
export interface JoinedPositions {
  readonly indexA: Int32Array;
  readonly indexB: Int32Array;
}

/**
 * All pairs with `a[i] === b[j]`, ordered by `i`, then by `j`. Neither side needs to be sorted. Negative values of `a` match
 * nothing; `b` must not have any.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) for 2^31 pairs or more.
 * @see struct2tensor `equi_join_any_indices`
 */
export function equiJoin(a: Int32Array, b: Int32Array): JoinedPositions {
  const { starts, positions } = positionsByValue(b, highest(a));
  const most = starts.length - 2;
  let total = 0;
  for (const value of a) if (value >= 0 && value <= most) total += starts[value + 1]! - starts[value]!;
  assertCount(total);
  const indexA = new Int32Array(total);
  const indexB = new Int32Array(total);
  let at = 0;
  for (let i = 0; i < a.length; i++) {
    const value = a[i]!;
    if (value < 0 || value > most) continue;
    const end = starts[value + 1]!;
    for (let from = starts[value]!; from < end; from++) {
      indexA[at] = i;
      indexB[at++] = positions === undefined ? from : positions[from]!;
    }
  }
  return { indexA, indexB };
}

/**
 * Positions grouped by value: value `v` has entries `starts[v]` to `starts[v + 1]` of `positions`, which is absent if it counts
 * up.
 */
interface PositionsByValue {
  readonly starts: Int32Array;
  readonly positions: Int32Array | undefined;
}

function positionsByValue(values: Int32Array, most: number): PositionsByValue {
  const highestValue = Math.max(most, highest(values));
  const starts = new Int32Array(highestValue + 2);
  let isSorted = true;
  let previous = 0;
  for (const value of values) {
    starts[value + 1]!++;
    if (value < previous) isSorted = false;
    previous = value;
  }
  for (let value = 0; value <= highestValue; value++) starts[value + 1]! += starts[value]!;
  if (isSorted) return { starts, positions: undefined };
  const next = starts.slice();
  const positions = new Int32Array(values.length);
  for (let index = 0; index < values.length; index++) positions[next[values[index]!]!++] = index;
  return { starts, positions };
}

function highest(values: Int32Array): number {
  let most = -1;
  for (const value of values) if (value > most) most = value;
  return most;
}

/**
 * The position of each value within its run of equal parents: 0, 1, …
 * @see struct2tensor `run_length_before`
 */
export function runLengthBefore(parents: Int32Array): Int32Array {
  const lengths = new Int32Array(parents.length);
  for (let index = 1; index < parents.length; index++) {
    if (parents[index] === parents[index - 1]) lengths[index] = lengths[index - 1]! + 1;
  }
  return lengths;
}

/** The number of values of each parent. */
export function countsByParent(parents: Int32Array, numParents: number): Int32Array {
  const counts = new Int32Array(numParents);
  for (const parent of parents) counts[parent]!++;
  return counts;
}

/** Row splits of ascending parents: `numParents + 1` positions, starting with 0. */
export function rowSplitsOf(parents: Int32Array, numParents: number): Int32Array {
  const splits = new Int32Array(numParents + 1);
  for (const parent of parents) splits[parent + 1]!++;
  for (let parent = 0; parent < numParents; parent++) splits[parent + 1]! += splits[parent]!;
  return splits;
}

/** The parent of each value, from row splits. */
export function parentsOfSplits(splits: Int32Array): Int32Array {
  const numParents = splits.length - 1;
  const parents = new Int32Array(splits[numParents]!);
  let at = splits[0]!;
  for (let parent = 0; parent < numParents; parent++) {
    // Most parents have at most one value, so calling `fill` would take longer than this loop.
    for (const end = splits[parent + 1]!; at < end; at++) parents[at] = parent;
  }
  return parents;
}

/** True if these row splits describe exactly these parents. */
export function areSplitsOf(splits: Int32Array, parents: Int32Array): boolean {
  if (splits[0] !== 0 || splits.at(-1) !== parents.length) return false;
  for (let parent = 0; parent + 1 < splits.length; parent++) {
    for (let index = splits[parent]!; index < splits[parent + 1]!; index++) {
      if (parents[index] !== parent) return false;
    }
  }
  return true;
}

/** True if each parent has at most one value. The parents must ascend. */
export function areUnique(parents: Int32Array): boolean {
  for (let index = 1; index < parents.length; index++)
    if (parents[index]! <= parents[index - 1]!) return false;
  return true;
}

/** True if both arrays have the same values in the same order. */
export function areEqual(a: Int32Array, b: Int32Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
