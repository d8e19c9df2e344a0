import { isTuple } from "@tfxio/dataset";
import type { AnyTensor, HostColumn } from "@tfxio/tensor-adapter";
import { SchemaError } from "@tfxio/wire";

/** A leaf of an element, with the name of its tensor. */
export interface ElementPart {
  readonly name: string;
  readonly value: unknown;
}

/**
 * Returns the leaves of an element, in order. A dict key names its part; a part of a tuple is named `feature` plus its index.
 * Nested names are joined by `_`. If there are as many `featureNames` as leaves, the `featureNames` replace these names.
 * @throws {SchemaError} `schema-mismatch` (`duplicate-column`) if two leaves have the same name.
 * @see tfx_bsl `DatasetTFXIO`
 */
export function namedParts(
  element: unknown,
  featureNames: readonly string[] | undefined,
): readonly ElementPart[] {
  const parts = [...leavesOf(element, [])];
  const isNamed = featureNames?.length === parts.length;
  const named = parts.map(({ name, value }, index) => {
    return { name: isNamed ? (featureNames[index] as string) : name, value };
  });
  const names = named.map(({ name }) => name);
  const twice = firstRepeated(names);
  if (twice === undefined) return named;
  throw new SchemaError(
    "schema-mismatch",
    `Two parts of the dataset's elements are named "${twice}"; rename them with featureNames.`,
    { reason: "duplicate-column", columnPath: twice },
  );
}

function firstRepeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

/** Disposes all tensors of an element. */
export function disposeElement(element: unknown): void {
  for (const { value } of leavesOf(element, [])) if (isAnyTensor(value)) value.dispose();
}

/** Returns true for a dense, sparse or ragged tensor, from any copy of TensorFlow.js. */
export function isAnyTensor(value: unknown): value is AnyTensor {
  if (typeof value !== "object" || value === null || isHostColumn(value)) return false;
  const { dispose } = value as { readonly dispose?: unknown };
  if (typeof dispose !== "function") return false;
  return "dataId" in value || "denseShape" in value || "nestedRowSplits" in value;
}

/** Returns true for an object with a `dtype` and the `kind` of a host column. Other members are not checked. */
export function isHostColumn(value: unknown): value is HostColumn {
  if (typeof value !== "object" || value === null || !("kind" in value && "dtype" in value)) return false;
  return value.kind === "dense" || value.kind === "sparse" || value.kind === "ragged";
}

function* leavesOf(element: unknown, path: readonly string[]): Generator<ElementPart, void, undefined> {
  const components = componentsOf(element);
  if (components === undefined) yield { name: path.length > 0 ? path.join("_") : "feature0", value: element };
  else for (const [name, component] of components) yield* leavesOf(component, [...path, name]);
}

function componentsOf(element: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (Array.isArray(element)) {
    // A list of primitive values is a single leaf, as in TensorFlow.js, unless it is marked as a tuple.
    const isList = !isTuple(element) && element.length > 0 && typeof element[0] !== "object";
    return isList ? undefined : element.map((component, index) => [`feature${index}`, component] as const);
  }
  return isDict(element) ? Object.entries(element) : undefined;
}

/** Returns true for a plain object, even from another realm, that is not a host column. */
function isDict(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || isHostColumn(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
