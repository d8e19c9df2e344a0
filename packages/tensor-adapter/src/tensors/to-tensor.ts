import type { BytesColumn } from "@tfxio/arrow-encoding";
import { ConversionError } from "@tfxio/wire";
import type { Tensor } from "./tensorflow.js";
import { assertHostTensor } from "../host/check-host-column.js";
import type { HostColumn, HostDense, HostRagged, HostSparse, NumberDType } from "../host/host-column.js";
import {
  type ColumnPolicies,
  type Float64Policy,
  type Int64Policy,
  type NarrowingPolicies,
  narrowed,
  narrowingPolicies,
  type TensorArray,
} from "../host/narrowing.js";
import { labelOf } from "../named-errors.js";
import { RaggedTensor } from "./ragged-tensor.js";
import { rowOfValue } from "../rows/row-of-value.js";
import { named, SparseTensor } from "./sparse-tensor.js";
import { stringTensor } from "./string-tensor.js";
import type { TensorFactory } from "./tensor-factory.js";
import { assertOptions } from "@tfxio/wire/checks";
import { aTensorFactory } from "../argument-rules.js";

/** Options of {@link toTensor}. */
export interface ToTensorOptions extends ColumnPolicies {
  readonly tf: TensorFactory;
  /** Tensor name, for error messages. */
  readonly tensorName?: string | undefined;
}

/** Options without the policy `"host"`, so that the result is always a tensor. */
export interface TensorOnlyOptions extends ToTensorOptions {
  readonly int64?: Exclude<Int64Policy, "host"> | undefined;
  readonly float64?: Exclude<Float64Policy, "host"> | undefined;
}

/** Tensor type of a host column. */
export type TensorOf<Column extends HostColumn> = Column extends HostDense
  ? Tensor
  : Column extends HostSparse
    ? SparseTensor
    : Column extends HostRagged
      ? RaggedTensor
      : never;

/** A tensor of any kind. The caller disposes it. */
export type AnyTensor = TensorOf<HostColumn>;

/**
 * Creates the tensor of a host column on TensorFlow.js's current backend. The caller disposes it; a failed call leaks nothing.
 * int8, int16, uint8 and uint16 become int32, and float16 becomes float32, without loss. Strings become string tensors of the
 * same bytes, never decoded. The policies apply to int64, uint64, uint32 and float64.
 *
 * Strings and row splits are copied; on cpu, the array for each string is created when the tensor is first read. int32, float32
 * and bool values are passed without a copy, and so are uint32 values that become int32, and indices of sparse columns. The cpu
 * backend shares that memory for the life of the tensor, so do not write to the result of `dataSync`. WebGPU and native
 * TensorFlow share it until the tensor's first operation, and wasm does not share it.
 * @throws {ConversionError} `out-of-range` (`int32-range`, `float32-inexact`) naming tensor, row and value; `shape-mismatch`
 * (`malformed-tensor`) for a malformed column; `out-of-range` (`batch-too-large`) for a column that is too large.
 * @throws {ArgumentError} `invalid-argument` for an unknown policy, or for a value that is not a host column.
 */
export function toTensor<Column extends HostColumn>(
  column: Column,
  options: TensorOnlyOptions,
): TensorOf<Column>;
/** Returns the column itself if the policy of its dtype is `"host"`. */
export function toTensor<Column extends HostColumn>(
  column: Column,
  options: ToTensorOptions,
): TensorOf<Column> | Column;
export function toTensor(column: HostColumn, options: ToTensorOptions): AnyTensor | HostColumn {
  assertOptions("toTensor", options, { tf: aTensorFactory, int64: null, float64: null, tensorName: null });
  const { tf, tensorName } = options;
  assertHostTensor(column, tensorName);
  const policies = narrowingPolicies(column, options);
  if (policies === undefined) return column;
  const flatTensor = tensorMaker(tf, column, policies, tensorName);
  switch (column.kind) {
    case "dense":
      return flatTensor([...column.shape]);
    case "sparse": {
      const rank = column.denseShape.length;
      const nnz = column.values.length;
      const [indices, flat] = allOrNone([
        () => tf.tensor(column.indices, [nnz, rank], "int32"),
        () => flatTensor([nnz]),
      ]);
      const tensor = new SparseTensor(indices as Tensor, flat as Tensor, column.denseShape, column.indices);
      return named(tensor, tensorName);
    }
    case "ragged": {
      const { innerShape } = column;
      // Copies, because the tensor may outlive the batch's memory.
      const nestedRowSplits = column.nestedRowSplits.map((splits) => splits.slice());
      const numValues = nestedRowSplits.at(-1)?.at(-1) ?? 0;
      const [flat, ...splits] = allOrNone([
        () => flatTensor([numValues, ...innerShape]),
        ...nestedRowSplits.map((each) => () => tf.tensor(each, [each.length], "int32")),
      ]);
      return new RaggedTensor(flat as Tensor, splits, nestedRowSplits);
    }
  }
}

/** Returns a function that makes the tensor of a column's values. Narrows and checks the values before any tensor exists. */
function tensorMaker(
  tf: TensorFactory,
  column: HostColumn,
  policies: NarrowingPolicies,
  tensorName: string | undefined,
): (shape: number[]) => Tensor {
  if (column.dtype === "string") return (shape) => stringTensor(tf, column.values as BytesColumn, shape);
  const values = numberValues(column, column.dtype, policies, tensorName);
  return (shape) => tf.tensor(values, shape, tensorDType(values));
}

function numberValues(
  column: HostColumn,
  dtype: NumberDType,
  policies: NarrowingPolicies,
  tensorName: string | undefined,
): TensorArray | Uint8Array {
  const { values } = column;
  if (dtype === "bool") return values as Uint8Array;
  return narrowed(dtype, values, policies, (index, value, target) => {
    const row = rowOfValue(column, index);
    const what = target === "int32" ? "does not fit int32" : "is not exact in float32";
    const option = dtype === "float64" ? "float64" : "int64";
    const wayOut = `pass ${option}: ${policyThatFits(value, tensorName)}, or leave the tensor out with project`;
    throw new ConversionError(
      "out-of-range",
      `${labelOf(tensorName)}, row ${row}: ${dtype} value ${value} ${what}; ${wayOut}.`,
      { reason: target === "int32" ? "int32-range" : "float32-inexact", tensorName, row },
    );
  });
}

/** Returns the policy that lets `value` become a tensor, as source text such as `"float32"` or `{ "age": "float32" }`. */
function policyThatFits(value: number | bigint, tensorName: string | undefined): string {
  const isExact = Object.is(Math.fround(Number(value)), Number(value));
  const policy =
    isExact && (typeof value === "number" || BigInt(Number(value)) === value) ? "float32" : "float32-lossy";
  return tensorName === undefined ? `"${policy}"` : `{ ${JSON.stringify(tensorName)}: "${policy}" }`;
}

function tensorDType(values: TensorArray | Uint8Array): "float32" | "int32" | "bool" {
  if (values[Symbol.toStringTag] === "Uint8Array") return "bool";
  return values[Symbol.toStringTag] === "Float32Array" ? "float32" : "int32";
}

function allOrNone(makers: readonly (() => Tensor)[]): Tensor[] {
  const made: Tensor[] = [];
  try {
    for (const make of makers) made.push(make());
    return made;
  } catch (error) {
    for (const tensor of made) tensor.dispose();
    throw error;
  }
}
