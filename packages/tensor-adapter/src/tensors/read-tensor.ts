import { BytesColumn } from "@tfxio/arrow-encoding";
import { ConversionError } from "@tfxio/wire";
import type { Tensor } from "./tensorflow.js";
import { assertAlive } from "./assert-alive.js";
import type { HostColumn, NumberDType } from "../host/host-column.js";
import { labelOf } from "../named-errors.js";
import type { TensorArray } from "../host/narrowing.js";
import { rowOfValue } from "../rows/row-of-value.js";
import type { AnyTensor } from "./to-tensor.js";
import { specOf, type TypeSpec } from "../type-spec.js";
import { widened } from "../host/widening.js";
import { assertArgument, assertOptions } from "@tfxio/wire/checks";
import { anyTensor, aTypeSpec } from "../argument-rules.js";

/** Options of {@link readTensor}. */
export interface ReadTensorOptions {
  /**
   * The original spec. Integers and floats are converted back to its dtype, and an inexact conversion is an error. Row splits
   * are labelled with its `rowSplitsDtype`. Default: the dtype of the tensor, and int64 for row splits.
   */
  readonly spec?: TypeSpec | undefined;
  /** Tensor name, for error messages. */
  readonly tensorName?: string | undefined;
}

/**
 * Returns a tensor as a host column: the inverse of `toTensor`. Reads from the device without blocking, and disposes nothing.
 * Strings are copied as bytes, not decoded. Numbers that need no conversion stay in the backend's own array, and the column is
 * `borrowed`. On cpu, that array is the memory of the tensor. Sparse and ragged columns are always `borrowed`, because their
 * indices or row splits are the backend's own arrays.
 * @throws {ConversionError} `shape-mismatch` (`type-spec`) if the spec does not describe the tensor, `out-of-range`
 * (`value-range`) for a value that the spec's dtype cannot hold, `not-convertible` (`tensor-dtype`) for bool and complex64.
 * @throws {ArgumentError} `invalid-argument` (`disposed`).
 */
export async function readTensor(tensor: AnyTensor, options: ReadTensorOptions = {}): Promise<HostColumn> {
  assertArgument("tensor", tensor, anyTensor);
  assertAlive([tensor], "tensor");
  assertOptions("readTensor", options, { spec: aTypeSpec, tensorName: null });
  const { spec, tensorName } = options;
  const found = specOf(tensor);
  if (spec !== undefined && !spec.isCompatibleWith(tensor)) throw specMismatch(spec, found, tensorName);
  const { dtype } = spec ?? found;
  /** Reads flat values as `dtype`. They are borrowed if they are the backend's own array. */
  const read = async (
    flat: Tensor,
    toColumn: (read: Pick<HostColumn, "values" | "borrowed">) => HostColumn,
  ): Promise<HostColumn> => {
    const values = await readValues(flat, tensorName);
    if (values instanceof BytesColumn) return toColumn({ values, borrowed: false });
    const wide = widened(dtype as NumberDType, values, (index, value) => {
      const row = rowOfValue(toColumn({ values, borrowed: true }), index);
      throw new ConversionError(
        "out-of-range",
        `${labelOf(tensorName)}, row ${row}: value ${value} does not fit ${dtype}.`,
        { reason: "value-range", tensorName, row },
      );
    });
    return toColumn({ values: wide, borrowed: wide === values });
  };
  if ("nestedRowSplits" in tensor) {
    const nestedRowSplits = await Promise.all(
      tensor.nestedRowSplits.map(async (splits) => (await splits.data()) as Int32Array),
    );
    const innerShape = tensor.values.shape.slice(1);
    const rowSplitsDtype = spec?.kind === "ragged" ? spec.rowSplitsDtype : "int64";
    return read(tensor.values, ({ values }) => {
      return { kind: "ragged", dtype, values, nestedRowSplits, innerShape, rowSplitsDtype, borrowed: true };
    });
  }
  if ("denseShape" in tensor) {
    const { denseShape } = tensor;
    const indices = (await tensor.indices.data()) as Int32Array;
    return read(tensor.values, ({ values }) => {
      return { kind: "sparse", dtype, indices, values, denseShape, borrowed: true };
    });
  }
  const { shape } = tensor;
  return read(tensor, ({ values, borrowed }) => ({ kind: "dense", dtype, shape, values, borrowed }));
}

/** Returns the error for a tensor that does not match its spec. */
export function specMismatch(
  spec: TypeSpec,
  found: TypeSpec,
  tensorName: string | undefined,
): ConversionError {
  return new ConversionError("shape-mismatch", `${labelOf(tensorName)} must match ${spec}, found ${found}.`, {
    reason: "type-spec",
    tensorName,
  });
}

async function readValues(
  tensor: Tensor,
  tensorName: string | undefined,
): Promise<TensorArray | BytesColumn> {
  switch (tensor.dtype) {
    case "string":
      // `data` would decode the bytes as UTF-8, but they need not be UTF-8.
      return BytesColumn.from((await tensor.bytes()) as Uint8Array[]);
    case "int32":
    case "float32":
      return (await tensor.data()) as TensorArray;
    default:
      throw new ConversionError(
        "not-convertible",
        `${labelOf(tensorName)} has dtype ${tensor.dtype}, which cannot be read as a column.`,
        { reason: "tensor-dtype", tensorName },
      );
  }
}
