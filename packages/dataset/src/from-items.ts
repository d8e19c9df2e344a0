import { ArgumentError } from "@tfxio/wire";
import { Dataset } from "./dataset.js";
import { itemsPlan } from "./sources/from-items.js";

/**
 * A dataset of `items` in memory: numbers, strings, typed arrays, tensors, or dicts and tuples of them. Borrows the
 * array: later changes to it show. Tensors stay the caller's; elements hold clones.
 * @throws {ArgumentError} `invalid-argument` when `items` is no array.
 */
export function fromItems<T>(items: readonly T[]): Dataset<T> {
  if (!Array.isArray(items)) {
    throw new ArgumentError("invalid-argument", `fromItems: items is ${typeof items}, expected an array`, {
      argument: "items",
    });
  }
  return new Dataset<T>(itemsPlan(items));
}
