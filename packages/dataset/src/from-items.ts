import { Dataset } from "./dataset.js";
import { itemsPlan } from "./sources/from-items.js";

/**
 * A dataset of `items` in memory: numbers, strings, typed arrays, tensors, or dicts and tuples of them. Borrows the
 * array: later changes to it show. Tensors stay the caller's; elements hold clones.
 */
export function fromItems<T>(items: readonly T[]): Dataset<T> {
  return new Dataset<T>(itemsPlan(items));
}
