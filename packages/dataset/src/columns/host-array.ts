import {
  type BytesColumn,
  type DType,
  type HostArrays,
  type HostValues,
  numberArrays,
  type NumberDType,
} from "@tfxio/tensor-adapter";

/** Typed arrays of host columns, for all dtypes except strings. */
export type NumericArray = HostArrays[NumberDType];

/** A new array of zeros for values of `dtype`. */
export function createNumericArray(dtype: NumberDType, length: number): NumericArray {
  return new numberArrays[dtype](length);
}

/** Keyed by tag, to recognize arrays of other realms. Excludes Uint8Array, which holds bytes, and untyped float16. */
const dtypesByTag: ReadonlyMap<string, DType> = new Map([
  ...Object.entries(numberArrays).flatMap(([dtype, { name }]): [string, DType][] =>
    dtype === "uint8" || dtype === "bool" || dtype === "float16" ? [] : [[name, dtype as DType]],
  ),
  ["Uint8ClampedArray", "uint8"],
]);

/** The dtype of a typed array; undefined for other views, including `Uint8Array`. */
export function dtypeOfTypedArray(value: ArrayBufferView): DType | undefined {
  return dtypesByTag.get((value as NumericArray)[Symbol.toStringTag]);
}

/** True for byte strings, false for typed arrays. */
export function isBytesColumn(values: HostValues): values is BytesColumn {
  return !ArrayBuffer.isView(values);
}
