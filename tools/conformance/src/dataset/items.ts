import {
  BytesColumn,
  type DType,
  type HostDense,
  numberArrays,
  type NumberDType,
} from "@tfxio/tensor-adapter";
import { NotBuiltYet } from "../outcome.js";
import { bytesOf, numberOf } from "../values/scalar.js";

/** Creates a dense value without a batch dimension, from a copy of `values`. */
export function denseOf(dtype: DType, shape: readonly number[], values: readonly unknown[]): HostDense {
  if (dtype === "string") {
    return { kind: "dense", dtype, shape, values: BytesColumn.from(values as Uint8Array[]), borrowed: false };
  }
  const array = new numberArrays[dtype as NumberDType](values.length);
  values.forEach((value, index) => {
    array[index] = (dtype === "int64" ? BigInt(value as number | bigint) : value) as never;
  });
  return { kind: "dense", dtype, shape, values: array, borrowed: false };
}

/**
 * Converts an item of a list source to an element. An int64 scalar becomes a bigint, a float becomes a number, a boolean stays a
 * boolean, and text becomes UTF-8 bytes. Any other item, such as an array, becomes a dense value of its dtype.
 */
export function itemOf(json: unknown, dtypeName: string): unknown {
  const dtype = dtypeOf(dtypeName);
  if (!Array.isArray(json)) {
    const value = scalarOf(json, dtype);
    const isPlain = dtype === "int64" || dtype === "string" || dtype === "float32" || dtypeName === "bool";
    return isPlain ? (dtypeName === "bool" ? json : value) : denseOf(dtype, [], [value]);
  }
  const shape: number[] = [];
  for (let value: unknown = json; Array.isArray(value); value = value[0]) shape.push(value.length);
  const scalars = json.flat(shape.length - 1).map((value) => scalarOf(value, dtype));
  return denseOf(dtype, shape, scalars);
}

/** Converts an integer or boolean scalar to a bigint. */
export function integerOf(element: unknown): bigint {
  if (typeof element === "bigint") return element;
  if (typeof element === "number") return BigInt(element);
  if (typeof element === "boolean") return BigInt(element);
  const { values } = element as HostDense<"int32">;
  return BigInt(values[0] as number);
}

function dtypeOf(name: string): DType {
  if (name === "utf8" || name === "string") return "string";
  // The only float dtype of TensorFlow.js is float32, so items of every float width become float32.
  return name.startsWith("float") ? "float32" : (name as DType);
}

function scalarOf(json: unknown, dtype: DType): unknown {
  if (typeof json === "object" && json !== null) {
    if ("$bytes" in json) return bytesOf({ b64: String(json.$bytes) });
    if ("$int" in json) return BigInt(String(json.$int));
    if ("$num" in json) return numberOf(json.$num);
    throw new NotBuiltYet(`dataset: items of ${Object.keys(json).join()}`);
  }
  if (dtype === "string") return new TextEncoder().encode(String(json));
  return dtype === "int64" ? BigInt(json as number) : json;
}
