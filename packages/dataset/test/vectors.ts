import { readFileSync } from "node:fs";
import { BytesColumn, type HostColumn, type HostSparse } from "@tfxio/tensor-adapter";
import { isTfxioError } from "@tfxio/wire";
import { Dataset, fromItems, isTuple, tuple } from "../src/index.js";

/** A test case in tools/conformance/vectors/dataset. The README.md of that folder explains the fields. */
export interface Vector {
  readonly id: string;
  readonly title: string;
  readonly source: Source;
  readonly pipeline: readonly Operation[];
  readonly compare?: "multiset";
  readonly expect: {
    readonly elements?: readonly unknown[];
    readonly cardinality?: number | "unknown" | "infinite";
    readonly error?: { readonly category: string; readonly stage: string };
    readonly errors?: readonly { readonly afterElements: number; readonly category: string }[];
  };
}

interface Source {
  readonly kind: string;
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly dtype: string;
  readonly items: readonly unknown[];
}

interface Operation {
  readonly op: string;
  readonly fn?: { readonly name: string; readonly value?: number; readonly values?: readonly number[] };
  readonly count?: number;
  readonly batchSize: number;
  readonly dropRemainder: boolean;
  readonly bufferSize: number;
  readonly seed?: number;
}

/**
 * Reads a file of test vectors. Returns those whose source, operations and functions this module implements.
 */
export function builtVectors(file: string): readonly Vector[] {
  const url = new URL(`../../../tools/conformance/vectors/dataset/${file}`, import.meta.url);
  const { vectors } = JSON.parse(readFileSync(url, "utf8")) as { vectors: readonly Vector[] };
  return vectors.filter(
    ({ source, pipeline }) =>
      (source.kind === "range" || source.kind === "list") &&
      pipeline.every(({ op, fn }) => op in operators && (fn === undefined || fn.name in functions)),
  );
}

/** Creates the dataset of a test vector. int64 values are bigints. */
export function build({ source, pipeline }: Vector): Dataset<unknown> {
  return pipeline.reduce(
    (dataset, operation) => (operators[operation.op] as Operator)(dataset, operation),
    sourceOf(source),
  );
}

function sourceOf(source: Source): Dataset<unknown> {
  if (source.kind === "list") return fromItems(source.items.map((item) => typed(item, source.dtype)));
  const items: bigint[] = [];
  for (let value = source.start; value < source.stop; value += source.step) items.push(BigInt(value));
  return fromItems<unknown>(items);
}

function typed(item: unknown, dtype: string): unknown {
  if (Array.isArray(item)) return item.map((each) => typed(each, dtype));
  return dtype === "int64" ? BigInt(item as number) : item;
}

type Operator = (dataset: Dataset<unknown>, operation: Operation) => Dataset<unknown>;
const operators: Readonly<Record<string, Operator>> = {
  batch: (dataset, { batchSize, dropRemainder }) => dataset.batch(batchSize, { dropRemainder }),
  shuffle: (dataset, { bufferSize, seed }) => dataset.shuffle(bufferSize, { seed }),
  repeat: (dataset, { count }) => dataset.repeat(count),
  take: (dataset, { count }) => dataset.take(count as number),
  skip: (dataset, { count }) => dataset.skip(count as number),
  prefetch: (dataset, { bufferSize }) => dataset.prefetch(bufferSize),
  map: (dataset, { fn }) => dataset.map((element) => call(fn, element)),
  filter: (dataset, { fn }) => dataset.filter((element) => call(fn, element) as boolean),
};

function call(fn: Operation["fn"], element: unknown): unknown {
  return (functions[fn?.name ?? ""] as ElementFunction)(element as bigint, fn?.values ?? []);
}

type ElementFunction = (x: bigint, values: readonly number[]) => unknown;
const functions: Readonly<Record<string, ElementFunction>> = {
  identity: (x) => x,
  square: (x) => x * x,
  pair: (x) => tuple(x, 10n * x),
  dict: (x) => ({ a: x, b: x + 100n }),
  isEven: (x) => x % 2n === 0n,
  sparseSelf: (x): HostSparse => sparseVector(1, BigInt64Array.of(x)),
  sparseFill: (x): HostSparse => sparseVector(Number(x), new BigInt64Array(Number(x)).fill(x)),
  failIf: (x, values) => {
    if (values.includes(Number(x))) throw new Error(`told to fail for ${x}`);
    return x;
  },
};

function sparseVector(length: number, values: BigInt64Array): HostSparse {
  const indices = Int32Array.from(values.keys());
  return { kind: "sparse", dtype: "int64", indices, values, denseShape: [length], borrowed: false };
}

/** Returns an element in the notation of the test vectors. */
function noted(element: unknown): unknown {
  if (isTuple(element)) return { $tuple: element.map(noted) };
  if (typeof element === "bigint") return Number(element);
  if (typeof element !== "object" || element === null || !("kind" in element)) {
    return Array.isArray(element) ? element.map(noted) : element;
  }
  const column = element as HostColumn;
  const dtype = column.dtype;
  const values =
    column.values instanceof BytesColumn
      ? column.values.toArray().map((bytes) => new TextDecoder().decode(bytes))
      : Array.from(column.values as Float32Array, Number);
  if (column.kind === "dense") return { $tensor: { dtype, shape: [...column.shape], values } };
  const { indices, denseShape } = column as HostSparse;
  const rank = denseShape.length;
  const rows = values.map((_, entry) => [...indices.subarray(entry * rank, (entry + 1) * rank)]);
  return { $sparse: { dtype, indices: rows, values, denseShape: [...denseShape] } };
}

/** Returns the category of an error in the taxonomy of the test vectors. */
export function categoryOf(error: unknown): string {
  if (!isTfxioError(error)) throw error;
  return error.code;
}

/** Reads a dataset to its end. Returns elements, and errors with the number of elements before each. */
export async function drain(
  dataset: Dataset<unknown>,
  onElementError: "end" | "continue",
): Promise<{
  elements: unknown[];
  errors: { afterElements: number; category: string }[];
}> {
  const elements: unknown[] = [];
  const errors: { afterElements: number; category: string }[] = [];
  const iterator = await dataset.iterator({ onElementError });
  for (;;) {
    try {
      const { value, done } = await iterator.next();
      if (done) return { elements, errors };
      elements.push(noted(value));
    } catch (error) {
      errors.push({ afterElements: elements.length, category: categoryOf(error) });
    }
  }
}
