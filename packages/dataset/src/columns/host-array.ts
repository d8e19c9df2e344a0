import { BytesColumn, type DType, type HostArrays, type HostValues } from "@tfxio/tensor-adapter";

/** Typed arrays of host columns, that is everything but strings. */
export type NumericArray = HostArrays[Exclude<DType, "string">];

const numericArrays = {
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
} as const;

/** A new array of zeros for values of `dtype`. */
export function createNumericArray(dtype: Exclude<DType, "string">, length: number): NumericArray {
  return new numericArrays[dtype](length);
}

/** dtype of a typed array, by its tag, so that arrays of other realms are known too; undefined for other values. */
export function dtypeOfTypedArray(value: ArrayBufferView): DType | undefined {
  switch ((value as NumericArray)[Symbol.toStringTag] as string) {
    case "Int8Array":
      return "int8";
    case "Int16Array":
      return "int16";
    case "Int32Array":
      return "int32";
    case "BigInt64Array":
      return "int64";
    case "Uint8ClampedArray":
      return "uint8";
    case "Uint16Array":
      return "uint16";
    case "Uint32Array":
      return "uint32";
    case "BigUint64Array":
      return "uint64";
    case "Float32Array":
      return "float32";
    case "Float64Array":
      return "float64";
    default:
      return undefined;
  }
}

/** True for byte strings, false for typed arrays. */
export function isBytesColumn(values: HostValues): values is BytesColumn {
  return !ArrayBuffer.isView(values);
}
