import { assertCount } from "./positions.js";

/** Pairs of positions, as two arrays of the same length. */
export interface JoinedPositions {
  /** Positions in the first array, never decreasing. */
  readonly indexA: Int32Array;
  /** Positions in the second array: `indexB[k]` belongs to `indexA[k]`. */
  readonly indexB: Int32Array;
}

/**
 * Returns all pairs of positions `i` and `j` with `a[i] === b[j]`, ordered by `i`, then by `j`. Neither array needs to be sorted.
 * Negative values of `a` match nothing. `b` must not contain negative values. Time and memory are linear in the lengths of the
 * arrays, their highest value and the number of pairs.
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

/** Positions grouped by value. The positions of value `v` are `positions.slice(starts[v], starts[v + 1])`. */
interface PositionsByValue {
  readonly starts: Int32Array;
  /** Absent if the values are sorted, because entry `i` would be `i` itself. */
  readonly positions: Int32Array | undefined;
}

/**
 * Groups positions by value with a counting sort.
 * @param most the highest value that is looked up; may exceed all of `values`.
 */
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

/** Returns the highest value, or -1 if no value is above -1. */
function highest(values: Int32Array): number {
  let most = -1;
  for (const value of values) if (value > most) most = value;
  return most;
}

/**
 * Returns the position of each value within its run of equal parents: 0, 1, …
 * @see struct2tensor `run_length_before`
 */
export function runLengthBefore(parents: Int32Array): Int32Array {
  const lengths = new Int32Array(parents.length);
  for (let index = 1; index < parents.length; index++) {
    if (parents[index] === parents[index - 1]) lengths[index] = lengths[index - 1]! + 1;
  }
  return lengths;
}

/** Returns the number of values of each parent, 0 for a parent without values. The parents may be in any order. */
export function countsByParent(parents: Int32Array, numParents: number): Int32Array {
  const counts = new Int32Array(numParents);
  for (const parent of parents) counts[parent]!++;
  return counts;
}

/**
 * Returns the row splits of ascending parents: `numParents + 1` positions, starting with 0. Does not check the order; call
 * `assertAscending` first.
 */
export function rowSplitsOf(parents: Int32Array, numParents: number): Int32Array {
  const splits = new Int32Array(numParents + 1);
  for (const parent of parents) splits[parent + 1]!++;
  for (let parent = 0; parent < numParents; parent++) splits[parent + 1]! += splits[parent]!;
  return splits;
}

/** Returns the parent of each value, ascending. The row splits must start with 0. */
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

/** Returns true if the row splits start with 0 and describe exactly these parents. */
export function areSplitsOf(splits: Int32Array, parents: Int32Array): boolean {
  if (splits[0] !== 0 || splits.at(-1) !== parents.length) return false;
  for (let parent = 0; parent + 1 < splits.length; parent++) {
    for (let index = splits[parent]!; index < splits[parent + 1]!; index++) {
      if (parents[index] !== parent) return false;
    }
  }
  return true;
}

/** Returns true if each parent has at most one value. The parents must ascend. */
export function areUnique(parents: Int32Array): boolean {
  for (let index = 1; index < parents.length; index++)
    if (parents[index]! <= parents[index - 1]!) return false;
  return true;
}

/** Returns true if both arrays have the same values in the same order. */
export function areEqual(a: Int32Array, b: Int32Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
