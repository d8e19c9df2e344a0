import { ArgumentError } from "@tfxio/wire";
import {
  componentPath,
  componentsOf,
  describeStructure,
  disposeElements,
  isTuple,
  withComponents,
} from "../columns/structure.js";
import { type BatchContext, type Batcher, placeOf } from "./batcher.js";

/** Returns the batcher of the component at `path`. @throws {ArgumentError} `invalid-argument` if no settings exist for it. */
export type BatcherFor = (path: string) => Batcher;

/**
 * Combines elements of equal structure into one batched element of that structure, leaf by leaf. At least one element is
 * required. The caller still owns the elements and must dispose their tensors.
 * @throws {ArgumentError} `invalid-argument` (`unequal-elements`) if elements differ in structure. Also throws the errors of
 *   the batchers.
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
    const byKey = new Map(componentsOf(element));
    const isAlike =
      byKey.size === components.length &&
      isTuple(element) === isTuple(first) &&
      components.every(([key]) => byKey.has(key));
    if (isAlike) return byKey;
    const [found, expected] = [element, first].map(describeStructure);
    throw new ArgumentError(
      "invalid-argument",
      `${placeOf(context, index)} is ${found}, but must be ${expected} as in earlier elements.`,
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
