import type { ColumnPath } from "@tfxio/schema";
import { assertArgument, assertOptions } from "@tfxio/wire/checks";
import { DataType, type RecordBatch } from "apache-arrow";
import { aColumnPath, aRecordBatch, aSeed } from "../argument-rules.js";
import { BytesColumn } from "../column/column-access-bytes.js";
import { columnElements, nullMask } from "../column/column-access.js";
import type { FlatValues } from "../column/column-access-values.js";
import { elementsData } from "../column/elements-data.js";
import { convertLeaf } from "../list-form/convert-leaf.js";
import { leafValues } from "../list-form/leaf-values.js";
import { leafType } from "../list-form/list-types.js";
import { MATCHER_RULES, type RowMatcherOptions } from "../predicate/matching-rows.js";
import { type ListLevel, type ReachedValues, reachValues } from "../predicate/reached-values.js";
import { murmur3, murmur3Int64 } from "./murmur3.js";

/** The byte 0 stands for null, the byte 1 for an empty list. */
const NO_VALUE = Uint8Array.of(0, 1);

/** Options of {@link hashColumnRows}. `absent` selects the treatment of a missing column or struct field. */
export type HashColumnOptions = RowMatcherOptions;

/**
 * Hashes each row to an unsigned 32-bit integer. The hash depends only on the seed and the values of one column, not on the
 * column's storage or batch boundaries. For example, all rows with the same user ID get the same hash. Compare hashes with
 * {@link hashThreshold}.
 *
 * Each value is hashed with MurmurHash3_x86_32, seeded with the hash of the previous value. The first value uses `seed`.
 * Integers, booleans, dates, times, timestamps and durations are hashed as the eight little-endian bytes of an int64; uint64
 * keeps its bits. Floats are hashed as float64, with -0 as 0 and every NaN as the same NaN. Text and bytes are hashed unchanged,
 * and decimals as text. With seed 0, a single value has the hash of Apache Iceberg's specification (appendix B), except for
 * decimals, dates that are not in days, and times and timestamps that are not in microseconds.
 *
 * A null row, like a null among values, is hashed as the byte 0. Any other row without values is hashed as the byte 1. So all
 * null rows have the same hash and fall on the same side of any threshold. Nesting does not matter: `[[1], [2]]` has the hash of
 * `[1, 2]`.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`) for a missing column, unless `absent` is `"null"`.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for structs, and for types that list columns cannot hold.
 * @throws {ArgumentError} `invalid-argument` unless the seed is an integer from 0 to 2^32 - 1.
 */
export function hashColumnRows(
  batch: RecordBatch,
  path: ColumnPath,
  seed: number,
  options: HashColumnOptions = {},
): Uint32Array {
  assertArgument("batch", batch, aRecordBatch);
  assertArgument("path", path, aColumnPath);
  assertArgument("seed", seed, aSeed);
  assertOptions("hashColumnRows", options, MATCHER_RULES);
  const { absent = "error" } = options;
  const reached = reachValues(batch, path, absent);
  const { levels } = reached;
  const { values, isNull } = decodedValues(reached, path);
  const splits = valueSplits(levels);
  const nullRows = levels[0]?.isNull;
  const hashOf = hasherOf(values);
  const hashes = new Uint32Array(batch.numRows);
  for (let row = 0; row < hashes.length; row++) {
    const start = splits?.[row] ?? row;
    const end = splits === undefined ? row + 1 : (splits[row + 1] as number);
    let hash = seed;
    for (let at = start; at < end; at++) {
      hash = isNull?.[at] === 1 ? murmur3(NO_VALUE, 0, 1, hash) : hashOf(at, hash);
    }
    if (start === end)
      hash = nullRows?.[row] === 1 ? murmur3(NO_VALUE, 0, 1, hash) : murmur3(NO_VALUE, 1, 2, hash);
    hashes[row] = hash;
  }
  return hashes;
}

/** Returns the values, with dictionaries decoded. Empty for a Null column. */
function decodedValues(
  { values: elements, isNull, owners }: ReachedValues,
  path: ColumnPath,
): { values: FlatValues; isNull: Uint8Array | undefined } {
  const columnPath = path.toString();
  const { type } = elements.data;
  const listed = leafType(type, owners, columnPath);
  if (DataType.isNull(type)) return { values: new Uint8Array(0), isNull };
  if (!DataType.isDictionary(type)) return { values: leafValues(elements), isNull };
  // Integers are not converted to Int64, which cannot hold every uint64.
  const target = DataType.isInt(type.dictionary) ? (type.dictionary as DataType) : listed;
  const decoded = columnElements(
    convertLeaf(elementsData(elements), target, { columnPath, rowOf: (row) => row }),
  );
  return { values: leafValues(decoded), isNull: nullMask(decoded) };
}

/** Returns the row splits of the innermost values, across all levels of lists; undefined for a flat column. */
function valueSplits(levels: readonly ListLevel[]): Int32Array | undefined {
  const [first, ...rest] = levels;
  let splits = first?.rowSplits;
  for (const { rowSplits } of rest) splits = splits?.map((split) => rowSplits[split] as number);
  return splits;
}

/** Hashes the value at `index`. `seed` is the hash of the value before it, or the caller's seed for the first value. */
type ValueHasher = (index: number, seed: number) => number;

/** Selects a hasher by the class of the values, so that the loop over rows does not test types. */
function hasherOf(values: FlatValues): ValueHasher {
  if (values instanceof BytesColumn) {
    const { data, offsets } = values;
    return (index, seed) => murmur3(data, offsets[index] as number, offsets[index + 1] as number, seed);
  }
  switch (values[Symbol.toStringTag]) {
    case "BigInt64Array":
    case "BigUint64Array": {
      const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
      return (index, seed) =>
        murmur3Int64(halves[2 * index] as number, halves[2 * index + 1] as number, seed);
    }
    case "Float32Array":
    case "Float64Array":
      return floatHasher(values as Float64Array);
    default: {
      const integers = values as Int32Array;
      return (index, seed) => {
        const value = integers[index] as number;
        return murmur3Int64(value, value < 0 ? -1 : 0, seed);
      };
    }
  }
}

/** Creates a hasher of floats. It reads a float64 as two little-endian halves, and hashes NaN as the bits 0x7ff8000000000000. */
function floatHasher(values: Float32Array | Float64Array): ValueHasher {
  const double = new Float64Array(1);
  const halves = new Int32Array(double.buffer);
  return (index, seed) => {
    const value = values[index] as number;
    if (Number.isNaN(value)) return murmur3Int64(0, 0x7ff80000, seed);
    // Adding 0 converts -0 to 0.
    double[0] = value + 0;
    return murmur3Int64(halves[0] as number, halves[1] as number, seed);
  };
}
