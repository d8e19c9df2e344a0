import type { DType } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import { describeValue, type Rule, rule } from "@tfxio/wire/checks";

/** A scalar that fills the padding. A string means its UTF-8 bytes. */
export type PaddingValue = number | bigint | boolean | string | Uint8Array;

/** Accepts a {@link PaddingValue}. */
export const aPaddingValue: Rule = rule(
  "a number, bigint, boolean, string or Uint8Array",
  (value) => ["number", "bigint", "boolean", "string"].includes(typeof value) || value instanceof Uint8Array,
);

/**
 * Converts a padding value to the form in which an array of `dtype` stores it. Undefined becomes 0, false or empty bytes.
 * @param what The name of the value in error messages, such as `lists: pad`.
 * @param argument The argument or option that contains the value, for the error.
 * @throws {ArgumentError} `invalid-argument` for a value that `dtype` cannot hold. A float16 array holds raw bits, so for float16
 *   every value except undefined is rejected.
 */
export function paddingOf(
  value: PaddingValue | undefined,
  dtype: DType,
  what: string,
  argument: string = "value",
): number | bigint | Uint8Array {
  const padding = value === undefined ? defaultOf(dtype) : converted(value, dtype);
  if (padding !== undefined) return padding;
  throw new ArgumentError("invalid-argument", `${what} must fit ${dtype}, found ${describeValue(value)}.`, {
    argument,
  });
}

function defaultOf(dtype: DType): number | bigint | Uint8Array {
  if (dtype === "string") return new Uint8Array();
  return dtype === "int64" || dtype === "uint64" ? 0n : 0;
}

function converted(value: PaddingValue, dtype: DType): number | bigint | Uint8Array | undefined {
  if (dtype === "string") {
    if (typeof value === "string") return new TextEncoder().encode(value);
    return value instanceof Uint8Array ? value : undefined;
  }
  if (typeof value === "string" || value instanceof Uint8Array) return undefined;
  if (dtype === "int64" || dtype === "uint64") {
    if (typeof value === "number" && !Number.isSafeInteger(value)) return undefined;
    const integer = BigInt(value);
    return (dtype === "int64" ? BigInt.asIntN(64, integer) : BigInt.asUintN(64, integer)) === integer
      ? integer
      : undefined;
  }
  if (dtype === "bool") return typeof value === "boolean" ? Number(value) : undefined;
  const number = Number(value);
  if (dtype.startsWith("float")) return dtype === "float16" ? undefined : number;
  const bits = Number(dtype.replace(/\D/g, ""));
  const [least, most] = dtype.startsWith("u")
    ? [0, 2 ** bits - 1]
    : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}
