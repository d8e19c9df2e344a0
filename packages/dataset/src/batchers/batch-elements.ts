import { ArgumentError } from "@tfxio/wire";
import {
  componentPath,
  componentsOf,
  disposeElements,
  isTuple,
  withComponents,
} from "../columns/structure.js";
import { type BatchContext, type Batcher, placeOf } from "./batcher.js";

/** Returns the batcher of the component at `path`. @throws {ArgumentError} `invalid-argument` if no batcher fits. */
export type BatcherFor = (path: string) => Batcher;

/**
 * Batches elements of equal structure into one element of that structure, leaf by leaf. The caller keeps the elements.
 * @throws {ArgumentError} `invalid-argument` (`unequal-elements`) when elements differ in structure.
 * @throws as the batchers.
 */
export function batchElements(
  elements: readonly unknown[],
  batcherFor: BatcherFor,
  context: BatchContext,
): unknown {
  const [first] = elements;
  const components = componentsOf(first);
  if (components === undefined) return batcherFor(context.path).batch(elements, context);
  const byComponent = elements.map((element, index) => {
    const found = componentsOf(element);
    const byKey = new Map(found);
    const isAlike =
      byKey.size === components.length &&
      isTuple(element) === isTuple(first) &&
      components.every(([key]) => byKey.has(key));
    if (isAlike) return byKey;
    throw new ArgumentError(
      "invalid-argument",
      `${context.operator}: ${placeOf(context, index)} has ${inWords(found)}, expected ${inWords(components)} as in earlier elements`,
      { reason: "unequal-elements" },
    );
  });
  const batched: (readonly [string, unknown])[] = [];
  try {
    for (const [key] of components) {
      const leaves = byComponent.map((byKey) => byKey.get(key));
      const path = componentPath(context.path, key);
      batched.push([key, batchElements(leaves, batcherFor, { ...context, path })]);
    }
  } catch (error) {
    disposeElements(batched.map(([, component]) => component));
    throw error;
  }
  return withComponents(first, batched);
}

function inWords(components: readonly (readonly [string, unknown])[] | undefined): string {
  return components === undefined
    ? "no components"
    : `components ${components.map(([key]) => key).join(", ")}`;
}
