import { ArgumentError } from "@tfxio/wire";

/**
 * Checks that `min` is at most `max` and that neither is NaN. An undefined limit means unbounded.
 * @throws {ArgumentError} `invalid-argument`, reason `bounds`.
 */
export function assertBounds(
  min: bigint | number = -Infinity,
  max: bigint | number = Infinity,
  argument: string,
): void {
  // The comparison is false for NaN, so NaN throws.
  if (min <= max) return;
  throw new ArgumentError(
    "invalid-argument",
    `${argument}: min must not exceed max, found min ${min} and max ${max}.`,
    {
      reason: "bounds",
      argument,
    },
  );
}

/**
 * Converts `value` to an exact int64. The error message begins with `subject`.
 * @throws {ArgumentError} `invalid-argument`, reason `int64`, for a bigint outside the int64 range or a number that is not a safe
 *   integer. Integers that are not safe are rejected because they may already be rounded.
 */
export function toInt64(value: bigint | number, subject: string): bigint {
  const exact = typeof value === "bigint" || Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (exact !== undefined && BigInt.asIntN(64, exact) === exact) return exact;
  throw new ArgumentError(
    "invalid-argument",
    `${subject} must be a bigint in the int64 range or a safe integer, found ${value}.`,
    {
      reason: "int64",
    },
  );
}
