import type { DType, HostArrays, NumberDType } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import type { Json } from "../expression/json.js";
import { emptyNumbers } from "../prensor/positions.js";
import { numberFromJson } from "./constants.js";
import { isBig, isFloat, isNumber, type TypedValues, type ValueFunctionSpec } from "./value-function.js";

// Integers wrap, as in TensorFlow. Floats follow IEEE 754 at their own width.

type OnNumbers = (a: number, b: number) => number;
type OnBigs = (a: bigint, b: bigint) => bigint;

/** The implementations of one binary operation: for numbers and for bigints. */
interface Operation {
  readonly numbers: OnNumbers;
  /** Replaces `numbers` for integers of at most 32 bits. Set only if a double cannot hold every exact result. */
  readonly integers?: OnNumbers;
  readonly bigs: OnBigs;
  /** The accepted types. Default: all numbers. */
  readonly takes?: "floats" | "integers";
}

const operations = {
  add: { numbers: (a, b) => a + b, bigs: (a, b) => a + b },
  subtract: { numbers: (a, b) => a - b, bigs: (a, b) => a - b },
  multiply: { numbers: (a, b) => a * b, integers: Math.imul, bigs: (a, b) => a * b },
  divide: { numbers: (a, b) => a / b, bigs: (a, b) => a / b, takes: "floats" },
  floorDivide: {
    numbers: (a, b) => Math.floor(a / divisor(b)),
    bigs: (a, b) => (a - modulo(a, b)) / b,
    takes: "integers",
  },
  mod: {
    numbers: (a, b) => a - divisor(b) * Math.floor(a / b),
    bigs: modulo,
    takes: "integers",
  },
  minimum: { numbers: Math.min, bigs: (a, b) => (a < b ? a : b) },
  maximum: { numbers: Math.max, bigs: (a, b) => (a > b ? a : b) },
} as const satisfies Readonly<Record<string, Operation>>;

/** Returns the divisor of an integer division. @throws {ConversionError} `not-convertible` (`division-by-zero`) for 0. */
function divisor<N extends number | bigint>(value: N): N {
  if (value) return value;
  throw new ConversionError("not-convertible", "An integer cannot be divided by 0.", {
    reason: "division-by-zero",
  });
}

/** Returns the remainder with the sign of the divisor, as in TensorFlow and Python. BigInt's `%` has the sign of the dividend. */
function modulo(a: bigint, b: bigint): bigint {
  const remainder = a % divisor(b);
  return remainder !== 0n && remainder < 0n !== b < 0n ? remainder + b : remainder;
}

/** Creates the implementation of a binary operation. Its result has the type of its operands. */
function specOf(operation: Operation): ValueFunctionSpec {
  const { takes } = operation;
  const accepts = (dtype: DType): boolean =>
    isNumber(dtype) && (takes === undefined || isFloat(dtype) === (takes === "floats"));
  return {
    takes: `${takes ?? "numbers"} of one type`,
    numInputs: (args) => (args.length === 0 ? 2 : 1),
    resultType: ([a, b = a]) => (a !== undefined && a === b && accepts(a) ? a : undefined),
    assertConstants: (dtype, [constant]) => {
      if (constant !== undefined) numberFromJson(constant, dtype);
    },
    apply: (inputs, args, length) => combine(operation, inputs, args, length),
  };
}

/** Applies an operation to two fields, or to a field and a constant. */
function combine(
  { numbers, integers = numbers, bigs }: Operation,
  [a, b]: readonly TypedValues[],
  args: readonly Json[],
  length: number,
): HostArrays[DType] {
  const { dtype, values } = a!;
  const result = emptyNumbers(dtype as NumberDType, length);
  const constant = b === undefined ? numberFromJson(args[0]!, dtype) : undefined;
  if (isBig(dtype)) {
    const left = values as BigInt64Array;
    const right = b?.values as BigInt64Array | undefined;
    for (let index = 0; index < length; index++) {
      (result as BigInt64Array)[index] = bigs(left[index]!, right?.[index] ?? (constant as bigint));
    }
    return result;
  }
  const operate = isFloat(dtype) ? numbers : integers;
  const left = values as Float64Array;
  const right = b?.values as Float64Array | undefined;
  for (let index = 0; index < length; index++) {
    (result as Float64Array)[index] = operate(left[index]!, right?.[index] ?? (constant as number));
  }
  return result;
}

const negate: ValueFunctionSpec = {
  takes: "numbers",
  numInputs: () => 1,
  resultType: ([dtype]) => (dtype !== undefined && isNumber(dtype) ? dtype : undefined),
  apply: ([input]) =>
    eachNumber(
      input!,
      (value) => -value,
      (value) => -value,
    ),
};

const abs: ValueFunctionSpec = {
  ...negate,
  apply: ([input]) => eachNumber(input!, Math.abs, (value) => (value < 0n ? -value : value)),
};

function eachNumber(
  { dtype, values }: TypedValues,
  numbers: (value: number) => number,
  bigs: (value: bigint) => bigint,
): HostArrays[DType] {
  return isBig(dtype) ? (values as BigInt64Array).map(bigs) : (values as Float64Array).map(numbers);
}

/** The arithmetic functions, keyed by name. */
export const arithmetic: Readonly<Record<string, ValueFunctionSpec>> = {
  ...Object.fromEntries(
    Object.entries<Operation>(operations).map(([name, operation]) => [name, specOf(operation)]),
  ),
  negate,
  abs,
};
