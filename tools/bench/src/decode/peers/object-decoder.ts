import type { Data } from "apache-arrow";
import type { ColumnSpec } from "../../sets/bench-set.js";

/** Values of one feature as a protobuf library returns them; null if the feature is absent or has no kind. */
export type FeatureValues = ArrayLike<unknown> | null;

/** Conversions from a protobuf library's int64 representation. */
export interface Int64Objects {
  /** Writes an int64 to element `index` of `values`; `halves` views the same bytes. */
  store(values: BigInt64Array, halves: Int32Array, index: number, value: unknown): void;
  toBigInt(value: unknown): bigint;
}

/** A protobuf library that decodes records to objects. */
export interface ObjectDecoder {
  readonly int64: Int64Objects;
  /** The values of each column's feature in one serialized Example, in column order. The next call reuses the array. */
  decode(payload: Uint8Array): readonly FeatureValues[];
}

/** A list column under construction. */
export interface ColumnInProgress {
  /** Adds a row. */
  append(values: FeatureValues): void;
  /** Returns the column of the batch so far, and starts the next. */
  finish(): Data;
}

/** Creates an empty column, which reads int64 values through `int64`. */
export type CreateColumn = (column: ColumnSpec, int64: Int64Objects) => ColumnInProgress;
