import type { BytesColumn } from "@tfxio/arrow-encoding";
import { invalidArgument } from "@tfxio/wire/checks";

/**
 * Element types of host columns: every integer and floating-point width of Arrow, `bool`, and `string` for arbitrary bytes.
 * Built-in handlers never create `bool` columns, but custom handlers and datasets can.
 */
export type DType =
  | "int8"
  | "int16"
  | "int32"
  | "int64"
  | "uint8"
  | "uint16"
  | "uint32"
  | "uint64"
  | "float16"
  | "float32"
  | "float64"
  | "bool"
  | "string";

/**
 * The array type for each {@link DType}. `float16` values are IEEE 754 bits, because Node 20 has no Float16Array. `bool` values
 * are bytes, 0 or 1.
 */
export interface HostArrays {
  readonly int8: Int8Array;
  readonly int16: Int16Array;
  readonly int32: Int32Array;
  readonly int64: BigInt64Array;
  readonly uint8: Uint8Array;
  readonly uint16: Uint16Array;
  readonly uint32: Uint32Array;
  readonly uint64: BigUint64Array;
  readonly float16: Uint16Array;
  readonly float32: Float32Array;
  readonly float64: Float64Array;
  readonly bool: Uint8Array;
  readonly string: BytesColumn;
}

/** Element types with a typed array. */
export type NumberDType = Exclude<DType, "string">;

/** Numeric element types that the built-in handlers produce. */
export type ColumnNumber = Exclude<NumberDType, "bool">;

/** Element types that the built-in handlers produce. */
export type ColumnDType = Exclude<DType, "bool">;

/**
 * The array constructor of each dtype except string, used to create arrays, and to recognize arrays by the constructor's `name`.
 */
export const numberArrays: { readonly [D in NumberDType]: new (length: number) => HostArrays[D] } = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  bool: Uint8Array,
};

/** Flat values of a host column; int64 and uint64 are exact. */
export type HostValues = HostArrays[DType];

/**
 * A batch of tensors of one shape. `borrowed`, here and in the other kinds of host column, marks views of a record batch or, in
 * columns from `readTensor`, of the backend's memory.
 */
export interface HostDense<D extends DType = DType> {
  readonly kind: "dense";
  readonly dtype: D;
  /** All dimensions, with the batch dimension first: `[numRows, …]`. */
  readonly shape: readonly number[];
  /** Row-major. The length is the product of `shape`. */
  readonly values: HostArrays[D];
  /** True when `values` is a view: do not write to it. */
  readonly borrowed: boolean;
}

/** A batch of sparse tensors in COO form. */
export interface HostSparse<D extends DType = DType> {
  readonly kind: "sparse";
  readonly dtype: D;
  /**
   * Flat row-major `[nnz, rank]`. Each index begins with its batch row. The dtype is int32, the only integer dtype of
   * TensorFlow.js.
   */
  readonly indices: Int32Array;
  /** One value per index: `[nnz]`. */
  readonly values: HostArrays[D];
  /** `[rank]`, the number of rows first; -1 for a dimension of unknown size. */
  readonly denseShape: readonly number[];
  /** True when `values` or `indices` are views: do not write to them. `indices` from built-in handlers are never views. */
  readonly borrowed: boolean;
}

/** A batch of ragged tensors: rows of varying length, nested to any depth. Null rows are stored as empty rows. */
export interface HostRagged<D extends DType = DType> {
  readonly kind: "ragged";
  readonly dtype: D;
  /** Flat innermost values. The length is the last innermost row split times the product of `innerShape`. */
  readonly values: HostArrays[D];
  /** Row splits, outermost first; at least one. Each has length `n + 1` for `n` lists, begins with 0 and never decreases. */
  readonly nestedRowSplits: readonly Int32Array[];
  /** Fixed dimensions inside the innermost ragged one; `[]` when elements are scalars. */
  readonly innerShape: readonly number[];
  /** Dtype that the representation requests. The arrays are int32 either way, because a batch never has 2^31 values. */
  readonly rowSplitsDtype: "int32" | "int64";
  /** True when `values` or some of `nestedRowSplits` are views: do not write to them. */
  readonly borrowed: boolean;
}

/** A tensor of one batch on the host, in typed arrays. It does not depend on TensorFlow.js. */
export type HostColumn = HostDense | HostSparse | HostRagged;

/** Tensors of one batch on the host, by tensor name. */
export type HostColumns = Readonly<Record<string, HostColumn>>;

/**
 * Returns the number of rows (the batch dimension) of a host column.
 * @throws {ArgumentError} `invalid-argument` if the value is not a host column.
 */
export function numRowsOf(column: HostColumn): number {
  switch (column?.kind) {
    case "dense":
      if (Array.isArray(column.shape)) return column.shape[0] ?? 0;
      break;
    case "sparse":
      if (Array.isArray(column.denseShape)) return column.denseShape[0] ?? 0;
      break;
    case "ragged":
      if (Array.isArray(column.nestedRowSplits)) return (column.nestedRowSplits[0]?.length ?? 1) - 1;
      break;
    default:
  }
  throw invalidArgument("column", "a host column", column);
}

/** Maximum number of elements in one tensor of a batch, because row splits are int32. Also limits each dense dimension. */
export const MAX_ELEMENTS: number = 2 ** 31 - 1;
