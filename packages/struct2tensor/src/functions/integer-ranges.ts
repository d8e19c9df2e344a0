import type { DType } from "@tfxio/tensor-adapter";

/** Inclusive range of each integer type, and of bools, which are stored as 0 and 1. */
export const integerRanges: Readonly<Partial<Record<DType, readonly [least: bigint, most: bigint]>>> = {
  bool: [0n, 1n],
  int8: [-128n, 127n],
  int16: [-32768n, 32767n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint8: [0n, 255n],
  uint16: [0n, 65535n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

/**
 * Returns true if a value is an integer in the range of this type. Returns false for types that are neither integers nor bool. A
 * number above 2^53 is compared by its exact value.
 */
export function isInRange(value: number | bigint, dtype: DType): boolean {
  const range = integerRanges[dtype];
  if (range === undefined || (typeof value === "number" && !Number.isInteger(value))) return false;
  const whole = BigInt(value);
  return whole >= range[0] && whole <= range[1];
}
