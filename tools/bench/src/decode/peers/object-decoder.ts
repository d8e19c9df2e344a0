import type { Data } from "apache-arrow";
import type { ColumnSpec } from "../../sets/bench-set.js";

/** Values of one feature as a protobuf library hands them out; null when it is absent or has no kind. */
export type FeatureValues = ArrayLike<unknown> | null;

/** How a protobuf library represents an int64. */
export interface Int64Objects {
  /** Writes an int64 to element `index` of `values`; `halves` views the same bytes. */
  store(values: BigInt64Array, halves: Int32Array, index: number, value: unknown): void;
  toBigInt(value: unknown): bigint;
}

/** A protobuf library that decodes records to objects. */
export interface ObjectDecoder {
  readonly int64: Int64Objects;
  /** The values of each column's feature in one serialized Example, in the order of the columns; reused. */
  decode(payload: Uint8Array): readonly FeatureValues[];
}

/** A list column in the making. */
export interface ColumnInProgress {
  append(values: FeatureValues): void;
  /** The column of the batch so far; empties it for the next. */
  finish(): Data;
}

/** Starts a column whose int64s are `int64`. */
export type CreateColumn = (column: ColumnSpec, int64: Int64Objects) => ColumnInProgress;
