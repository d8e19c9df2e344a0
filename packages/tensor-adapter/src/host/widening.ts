import { fromFloat16 } from "@tfxio/arrow-encoding";
import { integerRange } from "./dtype.js";
import { toFloat16 } from "./float16.js";
import { type DType, type HostValues, numberArrays, type NumberDType } from "./host-column.js";
import type { RejectValue, TensorArray } from "./narrowing.js";

/**
 * Converts numbers from TensorFlow.js back to their original dtype: the inverse of `narrowed`. Returns the same array if it
 * already has the array type of that dtype.
 * @param reject called with the first value that the dtype cannot hold exactly. Must throw.
 */
export function widened(dtype: NumberDType, values: TensorArray, reject: RejectValue<DType>): HostValues {
  const ArrayType = numberArrays[dtype];
  if (values[Symbol.toStringTag] === ArrayType.name) return values;
  const { length } = values;
  const range = integerRange(dtype);
  const [min = 0, max = 0] = (range ?? []).map(Number);
  const is64 = dtype === "int64" || dtype === "uint64";
  const wide = new ArrayType(length);
  for (let index = 0; index < length; index++) {
    const value = values[index] as number;
    let element: number | bigint = value;
    if (range !== undefined) {
      // The largest 64-bit integers are not doubles, so `max` rounds up to a value that does not fit.
      const fits = Number.isInteger(value) && value >= min && (is64 ? value < max : value <= max);
      if (!fits) reject(index, value, dtype);
      if (is64) element = BigInt(value);
    } else if (dtype === "float16") {
      element = toFloat16(value);
      if (!Object.is(fromFloat16(element), value)) reject(index, value, dtype);
    } else if (dtype === "float32" && Math.fround(value) !== value) {
      reject(index, value, dtype);
    }
    wide[index] = element as never;
  }
  return wide;
}
