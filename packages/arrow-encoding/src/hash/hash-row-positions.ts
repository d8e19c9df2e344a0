import { aNumber, assertArgument, aString, invalidArgument } from "@tfxio/wire/checks";
import { aBigInt64Array, aSeed } from "../argument-rules.js";
import { murmur3, murmur3Int64 } from "./murmur3.js";

/** Argument of {@link hashRowPositions}. It identifies rows by their positions in one source. */
export interface RowPositions {
  /** Name of the source. The hash depends on it, so pass the same name on every machine. */
  readonly uri: string;
  /** int64, the position of each row in the source, as in the column that the read option `rowPositionColumn` adds. */
  readonly positions: BigInt64Array;
  /** An integer from 0 to 2^32 - 1. Different seeds give unrelated hashes. */
  readonly seed: number;
}

/**
 * Hashes each row to an evenly distributed unsigned 32-bit integer. The hash depends only on `uri`, position and seed, not on
 * order, epoch, batch, worker or machine. Compare hashes with {@link hashThreshold}.
 *
 * The hash is MurmurHash3_x86_32 of the position as a little-endian int64. Its seed is the MurmurHash3_x86_32 of `uri` as UTF-8,
 * computed with the seed `seed`.
 * @throws {ArgumentError} `invalid-argument` for arguments of the wrong type.
 */
export function hashRowPositions({ uri, positions, seed }: RowPositions): Uint32Array {
  assertArgument("uri", uri, aString);
  assertArgument("positions", positions, aBigInt64Array);
  assertArgument("seed", seed, aSeed);
  const name = new TextEncoder().encode(uri);
  const seedOfUri = murmur3(name, 0, name.length, seed);
  // Arrow buffers are little-endian, and so are the supported platforms.
  const halves = new Int32Array(positions.buffer, positions.byteOffset, 2 * positions.length);
  const hashes = new Uint32Array(positions.length);
  for (let row = 0; row < hashes.length; row++) {
    hashes[row] = murmur3Int64(halves[2 * row] as number, halves[2 * row + 1] as number, seedOfUri);
  }
  return hashes;
}

/**
 * Returns the threshold that selects `fraction` of all rows. A row is selected if its hash is below the threshold. Selections are
 * nested: rows selected at 0.1 are also selected at 0.2.
 * @param fraction A number from 0 (no row) to 1 (all rows).
 * @throws {ArgumentError} `invalid-argument` (`bounds`) unless `fraction` is a number from 0 to 1.
 */
export function hashThreshold(fraction: number): number {
  if (aFraction.holds(fraction)) return Math.round(fraction * 2 ** 32);
  throw invalidArgument("fraction", aFraction.expected, fraction, { reason: "bounds" });
}

const aFraction = aNumber(0, 1);

/** Converts a hash to a number from 0 (inclusive) to 1 (exclusive). */
export function hashFraction(hash: number): number {
  return hash / 2 ** 32;
}
