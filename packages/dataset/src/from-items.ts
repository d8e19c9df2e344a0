import { aList, assertArgument } from "@tfxio/wire/checks";
import { Dataset } from "./dataset.js";
import { itemsPlan } from "./sources/from-items.js";

/**
 * Creates a dataset of `items` in memory, such as numbers, text, typed arrays, tensors, or dicts and tuples of them. Borrows the
 * array, so later changes to it are visible. The caller still owns the tensors, because elements contain clones.
 * @throws {ArgumentError} `invalid-argument` if `items` is not an array.
 */
export function fromItems<T>(items: readonly T[]): Dataset<T> {
  assertArgument("items", items, aList, "fromItems");
  return new Dataset<T>(itemsPlan(items));
}
