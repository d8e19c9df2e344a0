import { isTuple } from "@tfxio/dataset";
import type { HostColumn } from "@tfxio/tensor-adapter";
import { numberOf } from "../values/scalar.js";
import { plainTensor } from "../values/tensor.js";

/** The host keeps floats in float32, so of those only the kind is compared. */
function comparableDtype(dtype: string): string {
  return dtype === "float32" || dtype === "float64" ? "float" : dtype;
}

/** Text and integers of any width in one notation. */
function scalar(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : Math.fround(value);
  if (typeof value === "object" && value !== null && "b64" in value) {
    return Buffer.from(String(value.b64), "base64").toString();
  }
  return value;
}

function column(host: HostColumn): unknown {
  const tensor = plainTensor(host);
  const dtype = comparableDtype(tensor.dtype);
  if (tensor.kind === "dense")
    return { $tensor: { dtype, shape: tensor.shape, values: tensor.values.map(scalar) } };
  if (tensor.kind === "sparse") {
    const { indices, values, dense_shape } = tensor;
    return { $sparse: { dtype, indices, values: values.map(scalar), denseShape: dense_shape } };
  }
  return { $ragged: { dtype, value: "a ragged element has no notation here yet" } };
}

/** An element of ours in comparable form. */
export function plainElement(element: unknown): unknown {
  if (isTuple(element)) return { $tuple: element.map(plainElement) };
  if (Array.isArray(element)) return element.map(plainElement);
  if (typeof element !== "object" || element === null) return scalar(element);
  if (element instanceof Uint8Array) return Buffer.from(element).toString();
  if ("kind" in element && "dtype" in element) return column(element as HostColumn);
  return Object.fromEntries(Object.entries(element).map(([name, value]) => [name, plainElement(value)]));
}

/** An expected element in comparable form. */
export function canonicalElement(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(canonicalElement);
  if (typeof json !== "object" || json === null) return scalar(json);
  if ("$int" in json) return String(json.$int);
  if ("$num" in json) return numberOf(json.$num);
  if ("$bytes" in json) return Buffer.from(String(json.$bytes), "base64").toString();
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      if (key === "dtype") return [key, comparableDtype(String(value))];
      return [key, /^(shape|indices|denseShape)$/.test(key) ? value : canonicalElement(value)];
    }),
  );
}
