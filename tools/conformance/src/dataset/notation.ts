import { Dataset, isTuple } from "@tfxio/dataset";
import type { HostColumn, HostRagged } from "@tfxio/tensor-adapter";
import { numberOf } from "../values/scalar.js";
import { plainTensor } from "../values/tensor.js";

/** Returns a dtype for comparison. All float widths are equal, because items become float32. Text and bytes are equal too. */
function comparableDtype(dtype: string): string {
  if (/^float(16|32|64)$/.test(dtype)) return "float";
  return dtype === "utf8" || dtype === "binary" ? "string" : dtype;
}

/** Returns a scalar in the notation for comparison, in which text and integral numbers are strings. */
function scalarOf(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : Math.fround(value);
  if (typeof value === "object" && value !== null && "b64" in value) {
    return Buffer.from(String(value.b64), "base64").toString();
  }
  return value;
}

/** Returns a host column in the notation for comparison. */
function column(host: HostColumn): unknown {
  const tensor = plainTensor(host);
  const dtype = comparableDtype(tensor.dtype);
  const scalar = dtype === "bool" ? (value: unknown): unknown => Number(value) === 1 : scalarOf;
  if (tensor.kind === "dense" && tensor.shape.length === 0) return scalar(tensor.values[0]);
  if (tensor.kind === "dense")
    return { $tensor: { dtype, shape: tensor.shape, values: tensor.values.map(scalar) } };
  if (tensor.kind === "sparse") {
    const { indices, values, dense_shape } = tensor;
    return { $sparse: { dtype, indices, values: values.map(scalar), denseShape: dense_shape } };
  }
  return { $ragged: { dtype, value: nested(host as HostRagged) } };
}

/** Returns the rows of a ragged value as nested lists. */
function nested({ nestedRowSplits, innerShape, dtype, values }: HostRagged): unknown {
  const flat = plainTensor({ kind: "dense", dtype, shape: [values.length], values, borrowed: true });
  let items: unknown[] = "values" in flat ? flat.values.map(scalarOf) : [];
  for (const size of innerShape.toReversed())
    items = chunks(items, Math.floor(items.length / size), () => size);
  for (const splits of nestedRowSplits.toReversed()) {
    items = chunks(items, splits.length - 1, (row) => (splits[row + 1] as number) - (splits[row] as number));
  }
  return items;
}

/** Splits `items` into `count` consecutive lists of the given sizes. */
function chunks(items: readonly unknown[], count: number, sizeOf: (index: number) => number): unknown[] {
  let start = 0;
  return Array.from({ length: count }, (_, index) => items.slice(start, (start += sizeOf(index))));
}

/** Converts an actual element to the notation for comparison. Reads all elements of nested datasets. */
export async function plainElement(element: unknown): Promise<unknown> {
  if (element instanceof Dataset) return { $dataset: await plainElements(await element.toArray()) };
  if (isTuple(element)) return { $tuple: await plainElements(element) };
  if (Array.isArray(element)) return plainElements(element);
  if (typeof element !== "object" || element === null) return scalarOf(element);
  if (element instanceof Uint8Array) return Buffer.from(element).toString();
  if ("kind" in element && "dtype" in element) return column(element as HostColumn);
  const entries = Object.entries(element).map(
    async ([name, value]) => [name, await plainElement(value)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

function plainElements(elements: readonly unknown[]): Promise<unknown[]> {
  return Promise.all(elements.map(plainElement));
}

/** Converts an expected element to the notation for comparison. */
export function canonicalElement(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(canonicalElement);
  if (typeof json !== "object" || json === null) return scalarOf(json);
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
