import {
  type BytesColumn,
  type DType,
  type HostArrays,
  type HostValues,
  numberArrays,
  type NumberDType,
} from "@tfxio/tensor-adapter";

/** A typed array of a host column, for every dtype except string. */
export type NumericArray = HostArrays[NumberDType];

/** Returns a new array of zeros for values of `dtype`. */
export function createNumericArray(dtype: NumberDType, length: number): NumericArray {
  return new numberArrays[dtype](length);
}

/**
 * Dtypes of typed arrays by `Symbol.toStringTag`, which also identifies arrays of other realms. Uint8Array is missing, because
 * as a leaf it is one byte string. float16 is missing, because it shares Uint16Array with uint16.
 */
const dtypesByTag: ReadonlyMap<string, DType> = new Map([
  ...Object.entries(numberArrays).flatMap(([dtype, { name }]): [string, DType][] =>
    dtype === "uint8" || dtype === "bool" || dtype === "float16" ? [] : [[name, dtype as DType]],
  ),
  ["Uint8ClampedArray", "uint8"],
]);

/** Returns the dtype of a typed array, or undefined for a `Uint8Array` and for a view without a dtype, such as a `DataView`. */
export function dtypeOfTypedArray(value: ArrayBufferView): DType | undefined {
  return dtypesByTag.get((value as NumericArray)[Symbol.toStringTag]);
}

/** Returns true for byte strings, and false for a typed array. */
export function isBytesColumn(values: HostValues): values is BytesColumn {
  return !ArrayBuffer.isView(values);
}
