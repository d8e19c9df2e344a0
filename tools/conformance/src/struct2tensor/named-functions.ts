import { BytesColumn } from "@tfxio/arrow-encoding";
import {
  type PayloadCallback,
  type RaggedCallback,
  type SparseCallback,
  type ValueFunction,
  valueFunctions,
} from "@tfxio/struct2tensor";
import {
  type DType,
  type HostRagged,
  type HostSparse,
  type NumberDType,
  numberArrays,
} from "@tfxio/tensor-adapter";
import { dtypeOf } from "./node-json.js";

/** A function that a test vector refers to by name, and its constant arguments. */
export interface NamedFunction {
  readonly name: string;
  readonly args?: readonly unknown[];
}

/** Returns the function that a test vector names, for single values. @throws {Error} for an unknown name. */
export function valueFunctionOf({ name, args = [] }: NamedFunction): ValueFunction {
  const [constant] = args;
  switch (name) {
    case "mul":
      return valueFunctions.multiply(constant as number);
    case "add":
      return valueFunctions.add();
    case "greater":
      return valueFunctions.greater(constant as number);
    case "not":
      return valueFunctions.not();
    case "cast":
      return valueFunctions.cast(dtypeOf(constant as string));
    case "upper":
      return valueFunctions.upper();
    case "length":
      return valueFunctions.length();
    default:
      throw new Error(`unknown function ${name}`);
  }
}

/** Returns the function that a test vector names, for sparse tensors. `isRepeated` is true if the result's field is repeated. */
export function sparseFunctionOf(fn: NamedFunction, isRepeated: boolean): ValueFunction | SparseCallback {
  if (fn.name === "sparseAdd") return sparseAdd;
  return fn.name === "rowSum" ? (tensor) => sparseRowSum(tensor, isRepeated) : valueFunctionOf(fn);
}

/** Returns the function that a test vector names, for ragged tensors. */
export function raggedFunctionOf(fn: NamedFunction): ValueFunction | RaggedCallback {
  return fn.name === "rowSum" ? raggedRowSum : valueFunctionOf(fn);
}

/** Returns `reverseValues` if the test vector names it, otherwise a function that keeps only the first payload of each parent. */
export function payloadFunctionOf({ name }: NamedFunction): PayloadCallback {
  if (name === "reverseValues") {
    return ({ parentIndex, payloads }) => ({
      parentIndex,
      payloads: BytesColumn.from(payloads.toArray().toReversed()),
    });
  }
  return ({ parentIndex, payloads }) => {
    const first = [...parentIndex.keys()].filter((index) => parentIndex[index] !== parentIndex[index - 1]);
    return {
      parentIndex: Int32Array.from(first, (index) => parentIndex[index]!),
      payloads: BytesColumn.from(first.map((index) => payloads.get(index))),
    };
  };
}

type Numbers = ArrayLike<number | bigint>;

function numbersOf(dtype: DType, values: readonly (number | bigint)[]): HostSparse["values"] {
  const array = new numberArrays[dtype as NumberDType](values.length) as unknown as (number | bigint)[];
  values.forEach((value, index) => {
    array[index] = value;
  });
  return array as unknown as HostSparse["values"];
}

function plus(a: number | bigint, b: number | bigint): number | bigint {
  return typeof a === "bigint" ? a + (b as bigint) : a + Number(b);
}

/** Adds two sparse tensors. The result has the positions of both tensors. Values at the same position are added. */
function sparseAdd(a: HostSparse, b: HostSparse): HostSparse {
  const rank = a.denseShape.length;
  const sums = new Map<string, { readonly index: readonly number[]; value: number | bigint }>();
  for (const { indices, values } of [a, b]) {
    for (let at = 0; at < values.length; at++) {
      const index = Array.from(indices.subarray(at * rank, (at + 1) * rank));
      const value = (values as Numbers)[at]!;
      const sum = sums.get(index.join());
      if (sum === undefined) sums.set(index.join(), { index, value });
      else sum.value = plus(sum.value, value);
    }
  }
  const cells = [...sums.values()].sort((x, y) => {
    const differs = x.index.findIndex((position, dimension) => position !== y.index[dimension]);
    return differs < 0 ? 0 : x.index[differs]! - y.index[differs]!;
  });
  return {
    ...a,
    indices: Int32Array.from(cells.flatMap(({ index }) => index)),
    values: numbersOf(
      a.dtype,
      cells.map(({ value }) => value),
    ),
  };
}

/** Returns the sum of each row that has values. */
function sparseRowSum(tensor: HostSparse, isRepeated: boolean): HostSparse {
  const { indices, values, denseShape, dtype } = tensor;
  const rank = denseShape.length;
  const sums = new Map<number, number | bigint>();
  for (let at = 0; at < values.length; at++) {
    const row = indices[at * rank]!;
    const value = (values as Numbers)[at]!;
    const sum = sums.get(row);
    sums.set(row, sum === undefined ? value : plus(sum, value));
  }
  const rows = [...sums.keys()];
  return {
    ...tensor,
    indices: Int32Array.from(isRepeated ? rows.flatMap((row) => [row, 0]) : rows),
    denseShape: isRepeated ? [denseShape[0]!, 1] : [denseShape[0]!],
    values: numbersOf(dtype, [...sums.values()]),
  };
}

/** Returns the sum of each row. The sum of an empty row is 0. */
function raggedRowSum({ dtype, values, nestedRowSplits }: HostRagged): HostRagged {
  const splits = nestedRowSplits[0]!;
  const isBig = dtype === "int64" || dtype === "uint64";
  const sums = Array.from({ length: splits.length - 1 }, (_, row) => {
    let sum: number | bigint = isBig ? 0n : 0;
    for (let at = splits[row]!; at < splits[row + 1]!; at++) sum = plus(sum, (values as Numbers)[at]!);
    return sum;
  });
  return {
    kind: "ragged",
    dtype,
    values: numbersOf(dtype, sums),
    nestedRowSplits: [Int32Array.from({ length: splits.length }, (_, row) => row)],
    innerShape: [],
    rowSplitsDtype: "int64",
    borrowed: false,
  };
}
