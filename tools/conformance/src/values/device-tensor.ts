import type { Tensor } from "@tensorflow/tfjs-core";
import type { AnyTensor } from "@tfxio/tensor-adapter";
import { bytesJson, bytesOf, canonicalScalar, numberOf } from "./scalar.js";
import type { TensorJson } from "./tensor.js";

/** One TensorFlow.js tensor. It is a dense tensor, or part of a ragged or sparse tensor. */
interface PartJson {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly values: readonly unknown[];
}

/** A tensor on a TensorFlow.js backend, with the dtypes and shapes of all its parts. */
export type DeviceTensorJson =
  | PartJson
  | { readonly indices: PartJson; readonly values: PartJson; readonly denseShape: readonly number[] }
  | { readonly values: PartJson; readonly rowSplits: readonly PartJson[] };

function flatValues(tensor: TensorJson): readonly unknown[] {
  return tensor.kind === "ragged" ? tensor.flat_values.values : tensor.values;
}

/**
 * Returns true if no value changes under the adapter's default policies. They turn wide integers into int32, and float64 into
 * float32.
 */
export function fitsDevice(tensor: TensorJson): boolean {
  const { dtype } = tensor;
  return flatValues(tensor).every((value) => {
    if (dtype === "float64") return Object.is(Math.fround(numberOf(value)), numberOf(value));
    return !/^u?int/.test(dtype) || Number(value) === (Number(value) | 0);
  });
}

/** Returns the dtype that TensorFlow.js uses for a dtype of a test vector. */
function deviceDType(dtype: string): "string" | "float32" | "int32" {
  if (dtype === "string") return dtype;
  return dtype.startsWith("float") ? "float32" : "int32";
}

function partOf(dtype: string, shape: readonly number[], values: readonly unknown[]): PartJson {
  const deviceValue = (value: unknown): unknown => {
    if (dtype === "string") return bytesJson(bytesOf(value));
    return Number(canonicalScalar(dtype, value));
  };
  return { dtype: deviceDType(dtype), shape, values: values.map(deviceValue) };
}

/**
 * Returns the expected result of {@link readFromDevice} for a test vector's tensor, for which {@link fitsDevice} must be true.
 */
export function expectedOnDevice(tensor: TensorJson): DeviceTensorJson {
  const { dtype } = tensor;
  switch (tensor.kind) {
    case "dense":
      return partOf(dtype, tensor.shape, tensor.values);
    case "sparse": {
      const { indices, values, dense_shape: denseShape } = tensor;
      return {
        indices: partOf("int32", [indices.length, denseShape.length], indices.flat()),
        values: partOf(dtype, [indices.length], values),
        denseShape,
      };
    }
    case "ragged":
      return {
        values: partOf(dtype, tensor.flat_values.shape, tensor.flat_values.values),
        rowSplits: tensor.nested_row_splits.map((splits) => partOf("int32", [splits.length], splits)),
      };
  }
}

/** Reads a tensor from its backend, without the code under test. */
export async function readFromDevice(tensor: AnyTensor): Promise<DeviceTensorJson> {
  if ("denseShape" in tensor) {
    const { indices, values, denseShape } = tensor;
    return { indices: await readPart(indices), values: await readPart(values), denseShape: [...denseShape] };
  }
  if ("nestedRowSplits" in tensor) {
    const values = await readPart(tensor.values);
    return { values, rowSplits: await Promise.all(tensor.nestedRowSplits.map(readPart)) };
  }
  return readPart(tensor);
}

async function readPart(tensor: Tensor): Promise<PartJson> {
  const { dtype, shape } = tensor;
  // `data()` would decode the bytes as UTF-8, and they may be invalid UTF-8.
  const values =
    dtype === "string"
      ? ((await tensor.bytes()) as Uint8Array[]).map((bytes) => bytesJson(bytes))
      : [...(await tensor.data())];
  return { dtype, shape: [...shape], values };
}
