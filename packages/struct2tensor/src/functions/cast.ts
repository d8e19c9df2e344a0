import { type DType, type HostArrays, type NumberDType, numberArrays } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { oneOf, type Rule } from "@tfxio/wire/checks";
import { emptyNumbers } from "../prensor/positions.js";
import { integerRanges } from "./integer-ranges.js";
import { isBig, isFloat, type TypedValues, type ValueFunctionSpec } from "./value-function.js";

/**
 * Converts numbers and bools to another type. Conversion to a float rounds to nearest; 64-bit integers are rounded to float64
 * first. Conversion to an integer drops the fraction. A number that does not fit an integer type throws `out-of-range` (`cast`),
 * so nothing wraps silently.
 */
export const cast: ValueFunctionSpec = {
  takes: "numbers or bools",
  numInputs: () => 1,
  resultType: ([from], [to]) =>
    from !== undefined && isCastable(from) && isCastable(to as DType) ? (to as DType) : undefined,
  apply: ([input], [to]) => castValues(input!, to as NumberDType),
};

/** A type that values can be cast to. */
export const aCastType: Rule = oneOf(...Object.keys(numberArrays).filter((dtype) => dtype !== "float16"));

/** Returns true for bool and all number types except float16, whose typed arrays hold bit patterns. */
function isCastable(dtype: DType): boolean {
  return dtype in numberArrays && dtype !== "float16";
}

/** Converts each value. Borrows the values if their type does not change. */
function castValues({ dtype, values }: TypedValues, to: NumberDType): HostArrays[DType] {
  if (dtype === to) return values;
  const from = values as unknown as ArrayLike<number | bigint>;
  const result = emptyNumbers(to, from.length) as unknown as (number | bigint)[];
  const convert = conversion(to);
  for (let index = 0; index < from.length; index++) result[index] = convert(from[index]!);
  return result as unknown as HostArrays[DType];
}

/**
 * Returns a function that converts one value to `to`. That function throws a {@link ConversionError} `out-of-range` (`cast`) if
 * the value does not fit.
 */
function conversion(to: NumberDType): (value: number | bigint) => number | bigint {
  if (to === "bool") return (value) => (Number(value) === 0 ? 0 : 1);
  if (isFloat(to)) return Number;
  const [least, most] = integerRanges[to]!;
  const leastNumber = Number(least);
  const mostNumber = Number(most);
  return (value) => {
    const whole = typeof value === "number" ? Math.trunc(value) : value;
    // As doubles, the upper bounds of 64-bit types round up to 2^63 and 2^64, which do not fit. Hence `<`.
    const isInside =
      typeof whole === "bigint"
        ? whole >= least && whole <= most
        : isBig(to)
          ? whole >= leastNumber && whole < mostNumber
          : whole >= leastNumber && whole <= mostNumber;
    if (!isInside) {
      throw new ConversionError("out-of-range", `A value to cast must fit ${to}, found ${value}.`, {
        reason: "cast",
      });
    }
    return isBig(to) ? BigInt(whole) : Number(whole);
  };
}
