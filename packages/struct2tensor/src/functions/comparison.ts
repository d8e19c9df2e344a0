import { BytesColumn } from "@tfxio/arrow-encoding";
import type { Json } from "../expression/json.js";
import { bytesFromJson, numberFromJson } from "./constants.js";
import type { TypedValues, ValueFunctionSpec } from "./value-function.js";

type OnOrder = (order: number) => boolean;

/** Tests of the order of two values. NaN is unordered, so only `notEqual` holds for it. */
const comparisons: Readonly<Record<string, OnOrder>> = {
  equal: (order) => order === 0,
  notEqual: (order) => order !== 0,
  less: (order) => order < 0,
  lessEqual: (order) => order <= 0,
  greater: (order) => order > 0,
  greaterEqual: (order) => order >= 0,
};

/** Creates the implementation of a comparison of two fields, or of a field and a constant. */
function comparisonSpec(holds: OnOrder): ValueFunctionSpec {
  return {
    takes: "numbers, bools or bytes of one type",
    numInputs: (args) => (args.length === 0 ? 2 : 1),
    resultType: ([a, b = a]) => (a !== undefined && a === b && a !== "float16" ? "bool" : undefined),
    assertConstants: (dtype, [constant]) => {
      if (constant === undefined) return;
      if (dtype === "string") bytesFromJson(constant);
      else numberFromJson(constant, wideType(dtype));
    },
    apply: ([a, b], args, length) => {
      const result = new Uint8Array(length);
      const orderAt = orderOf(a!, b, args);
      for (let index = 0; index < length; index++) result[index] = Number(holds(orderAt(index)));
      return result;
    },
  };
}

/** Returns a function that compares the pair at an index. Its result is negative, 0 or positive, or NaN for an unordered pair. */
function orderOf(
  a: TypedValues,
  b: TypedValues | undefined,
  args: readonly Json[],
): (index: number) => number {
  if (a.values instanceof BytesColumn) {
    const left = a.values;
    const constant = b === undefined ? BytesColumn.from([bytesFromJson(args[0]!)]) : undefined;
    if (constant !== undefined) return (index) => compareBytes(left, index, constant, 0);
    const right = b!.values as BytesColumn;
    return (index) => compareBytes(left, index, right, index);
  }
  const left = a.values as Float64Array;
  const right = b?.values as Float64Array | undefined;
  const constant = right === undefined ? (numberFromJson(args[0]!, wideType(a.dtype)) as number) : 0;
  return (index) => {
    const x = left[index]!;
    const y = right === undefined ? constant : right[index]!;
    return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN;
  };
}

/**
 * Returns the type to parse a constant as. An int32 field may be compared with 0.5, but int64 and uint64 fields need an integer.
 */
function wideType(dtype: TypedValues["dtype"]): TypedValues["dtype"] {
  return dtype === "int64" || dtype === "uint64" ? dtype : "float64";
}

/** Compares value `i` of one column with value `j` of another, byte by byte. */
function compareBytes(a: BytesColumn, i: number, b: BytesColumn, j: number): number {
  const startA = a.offsets[i]!;
  const startB = b.offsets[j]!;
  const lengthA = a.offsets[i + 1]! - startA;
  const lengthB = b.offsets[j + 1]! - startB;
  const shared = Math.min(lengthA, lengthB);
  for (let index = 0; index < shared; index++) {
    const difference = a.data[startA + index]! - b.data[startB + index]!;
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}

/** Creates the implementation of a function that takes two bool fields. */
const binaryLogic = (combine: (a: number, b: number) => number): ValueFunctionSpec => ({
  takes: "bools",
  numInputs: () => 2,
  resultType: ([a, b]) => (a === "bool" && b === "bool" ? "bool" : undefined),
  apply: ([a, b]) => {
    const right = b!.values as Uint8Array;
    return (a!.values as Uint8Array).map((value, index) => combine(value, right[index]!));
  },
});

/** The comparisons and logical functions, keyed by name. */
export const comparison: Readonly<Record<string, ValueFunctionSpec>> = {
  ...Object.fromEntries(Object.entries(comparisons).map(([name, holds]) => [name, comparisonSpec(holds)])),
  and: binaryLogic((a, b) => a & b),
  or: binaryLogic((a, b) => a | b),
  xor: binaryLogic((a, b) => a ^ b),
  not: {
    takes: "a bool",
    numInputs: () => 1,
    resultType: ([a]) => (a === "bool" ? "bool" : undefined),
    apply: ([a]) => (a!.values as Uint8Array).map((value) => value ^ 1),
  },
};
