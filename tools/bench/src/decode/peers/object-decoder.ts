import type { Data } from "apache-arrow";
import type { ColumnSpec } from "../../sets/bench-set.js";

/** Values of one feature in the form that a protobuf library returns; null if the feature is absent or has no kind. */
export type FeatureValues = ArrayLike<unknown> | null;

/** Functions that convert a protobuf library's representation of int64. */
export interface Int64Objects {
  /** Writes an int64 to element `index` of `values`; `halves` views the same bytes. */
  store(values: BigInt64Array, halves: Int32Array, index: number, value: unknown): void;
  /** Converts an int64 to a signed bigint. */
  toBigInt(value: unknown): bigint;
}

/** A protobuf library that decodes records to objects. */
export interface ObjectDecoder {
  readonly int64: Int64Objects;
  /** Returns the values of each column's feature in one serialized Example, in column order. The next call reuses the array. */
  decode(payload: Uint8Array): readonly FeatureValues[];
}

/** A list column under construction. */
export interface ColumnInProgress {
  /** Adds a row. */
  append(values: FeatureValues): void;
  /** Returns a column of the rows added since the last call, and starts the column of the next batch. */
  finish(): Data;
}

/** Creates an empty column. It converts int64 values with `int64`. */
export type CreateColumn = (column: ColumnSpec, int64: Int64Objects) => ColumnInProgress;
