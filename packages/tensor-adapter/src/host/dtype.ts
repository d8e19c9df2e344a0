import { isBytesType } from "@tfxio/arrow-encoding";
import { DataType, Precision } from "apache-arrow";
import type { ColumnDType, DType } from "./host-column.js";

/**
 * Returns the dtype for integers, floats and byte strings, or for a Dictionary of them. Returns undefined for all other types,
 * such as Bool, Null, temporal, decimal and nested types.
 */
export function dtypeOf(type: DataType): ColumnDType | undefined {
  if (DataType.isDictionary(type)) return dtypeOf(type.dictionary as DataType);
  if (isBytesType(type)) return "string";
  if (DataType.isInt(type)) return `${type.isSigned ? "int" : "uint"}${type.bitWidth}` as ColumnDType;
  if (!DataType.isFloat(type)) return undefined;
  switch (type.precision) {
    case Precision.HALF:
      return "float16";
    case Precision.SINGLE:
      return "float32";
    case Precision.DOUBLE:
      return "float64";
  }
}

/** Returns the smallest and the largest value of an integer dtype, or undefined for other dtypes. */
export function integerRange(dtype: DType): readonly [min: bigint, max: bigint] | undefined {
  const [, unsigned, width] = /^(u?)int(\d+)$/.exec(dtype) ?? [];
  if (width === undefined) return undefined;
  const bits = BigInt(width);
  return unsigned ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}
