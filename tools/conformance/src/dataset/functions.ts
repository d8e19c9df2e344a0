import { Dataset, fromItems, tuple, zip } from "@tfxio/dataset";
import { BytesColumn, type HostDense, type HostSparse } from "@tfxio/tensor-adapter";
import { NotBuiltYet } from "../outcome.js";
import { denseOf, integerOf } from "./items.js";
import type { FunctionJson } from "./vector.js";

const copies = (x: bigint): bigint[] => Array.from({ length: Number(x) }, () => x);
const indices = (x: bigint): bigint[] => copies(x).map((_copy, index) => BigInt(index));
const vector = (values: readonly bigint[]): HostDense => denseOf("int64", [values.length], values);

function sparseVector(length: number, values: readonly bigint[]): HostSparse {
  return {
    kind: "sparse",
    dtype: "int64",
    indices: Int32Array.from(values.keys()),
    values: BigInt64Array.from(values),
    denseShape: [length],
    borrowed: false,
  };
}

/** Functions on int64 scalars, by name. The parameters in test vectors are numbers, and the functions compute with bigints. */
const onIntegers: Readonly<Record<string, (x: bigint, parameters: FunctionJson) => unknown>> = {
  square: (x) => x * x,
  addConst: (x, { value = 0 }) => x + BigInt(value),
  mulConst: (x, { value = 0 }) => x * BigInt(value),
  mod: (x, { by = 1 }) => x % BigInt(by),
  intDiv: (x, { by = 1 }) => x / BigInt(by),
  fill: (x) => vector(copies(x)),
  fillStr: (x) => ({
    ...denseOf("int64", [Number(x)], []),
    dtype: "string",
    values: BytesColumn.from(copies(x).map((copy) => new TextEncoder().encode(String(copy)))),
  }),
  fillTuple: (x) => tuple(x, vector(copies(x))),
  fillDict: (x) => ({ v: x, seq: vector(copies(x)) }),
  rangeVec: (x) => vector(indices(x)),
  fillSquare: (x) => denseOf("int64", [Number(x), Number(x)], copies(x * x).fill(x)),
  fillRows2: (x) => denseOf("int64", [Number(x), 2], copies(2n * x).fill(x)),
  fillCols2: (x) => denseOf("int64", [2, Number(x)], copies(2n * x).fill(x)),
  pair: (x) => tuple(x, 10n * x),
  dict: (x) => ({ a: x, b: x + 100n }),
  sparseSelf: (x) => sparseVector(1, [x]),
  sparseFill: (x) => sparseVector(Number(x), copies(x)),
  isEven: (x) => x % 2n === 0n,
  lt: (x, { value = 0 }) => x < BigInt(value),
  ne: (x, { value = 0 }) => x !== BigInt(value),
  repeatSelf: (x) => fromItems(copies(x)),
  rangeDs: (x) => fromItems(indices(x)),
  failIf: (x, { values = [] }) => {
    if (values.includes(Number(x))) throw new RangeError(`planted failure for ${x}`);
    return x;
  },
};

/** Functions on whole elements, by name. */
const onElements: Readonly<Record<string, (element: never, parameters: FunctionJson) => unknown>> = {
  identity: (element) => element,
  const: (_element, { value = 0 }) => BigInt(value),
  component: (element: readonly unknown[], { index = 0 }) => element[index],
  first: (element: readonly unknown[]) => element[0],
  length: (element: HostDense | HostSparse) => lengthOf(element),
  lengthDiv: (element: HostDense | HostSparse, { by = 1 }) => lengthOf(element) / BigInt(by),
  single: (element) => fromItems([element]),
  unstack: (element) => fromItems([element]).unbatch(),
  countWindow: (window) => firstDataset(window).reduce(0n, (count) => count + 1n),
};

/** Returns the size of the first dimension. */
function lengthOf(element: HostDense | HostSparse): bigint {
  return BigInt((element.kind === "dense" ? element.shape : element.denseShape)[0] ?? 0);
}

/** Returns a window's dataset. If the window has several components, returns the dataset of the first. */
export function firstDataset(window: unknown): Dataset<unknown> {
  return window instanceof Dataset ? window : firstDataset(Object.values(window as object)[0]);
}

/** Returns the structure of a window with each dataset replaced by the result of `f`. */
export function mapDatasets(
  window: unknown,
  f: (dataset: Dataset<unknown>, index: number) => unknown,
): unknown {
  if (window instanceof Dataset) return f(window, 0);
  const mapped = Object.entries(window as object).map(
    ([key, component], index) =>
      [key, component instanceof Dataset ? f(component, index) : mapDatasets(component, f)] as const,
  );
  if (Array.isArray(window)) return tuple(...mapped.map(([, component]) => component));
  return Object.fromEntries(mapped);
}

/** Zips the datasets of a window into one dataset. A window that is a single dataset is returned unchanged. */
export function zipped(window: unknown): Dataset<unknown> {
  return window instanceof Dataset ? window : zip(window as never);
}

/**
 * Returns the function that a test vector names.
 * @throws {NotBuiltYet} if no function has this name.
 */
export function functionOf(json: FunctionJson): (element: unknown) => unknown {
  const anyElement = onElements[json.name];
  if (anyElement !== undefined) return (element) => anyElement(element as never, json);
  const integer = onIntegers[json.name];
  if (integer === undefined) throw new NotBuiltYet(`dataset: function ${json.name}`);
  return (element) => {
    if (element instanceof Uint8Array) return onText(element, json);
    if (!isVector(element)) return integer(integerOf(element), json);
    const values = Array.from(element.values as BigInt64Array, (value) => integer(value, json) as bigint);
    return denseOf(element.dtype, element.shape, values);
  };
}

/** Returns true for a dense value of rank 1 or more. Functions on integers are then applied to each of its values. */
function isVector(element: unknown): element is HostDense {
  return (
    typeof element === "object" &&
    element !== null &&
    "shape" in element &&
    (element as HostDense).shape.length > 0
  );
}

function onText(text: Uint8Array, { name, value }: FunctionJson): unknown {
  if (name !== "ne") throw new NotBuiltYet(`dataset: function ${name} on text`);
  return new TextDecoder().decode(text) !== String(value);
}
