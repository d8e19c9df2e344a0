import {
  type AnyReducer,
  batchDense,
  batchSparse,
  count,
  paddedBatchDense,
  ragged,
  Reducer,
  tuple,
} from "@tfxio/dataset";
import { NotBuiltYet } from "../outcome.js";
import { integerOf } from "./items.js";
import type { ReducerJson } from "./vector.js";

/** Returns the sum of all integers in an element. */
function total(element: unknown): bigint {
  return Array.isArray(element)
    ? element.reduce((sum: bigint, item) => sum + total(item), 0n)
    : integerOf(element);
}

const reducers: Readonly<Record<string, (json: ReducerJson) => AnyReducer>> = {
  count,
  sum: ({ init = 0 }) =>
    new Reducer(
      () => BigInt(init),
      (sum: bigint, element) => sum + total(element),
    ),
  product: ({ init = 1 }) =>
    new Reducer(
      () => BigInt(init),
      (state: bigint, element) => state * total(element),
    ),
  max: ({ init = 0 }) =>
    new Reducer(
      () => BigInt(init),
      (state: bigint, element) => (total(element) > state ? total(element) : state),
    ),
  last: ({ init = 0 }) =>
    new Reducer<unknown, unknown>(
      () => BigInt(init),
      (_state, element) => element,
    ),
  mean: () =>
    new Reducer(
      () => ({ sum: 0, number: 0 }),
      ({ sum, number }, element) => ({ sum: sum + Number(total(element)), number: number + 1 }),
      ({ sum, number }) => sum / number,
    ),
  sumAndCount: () =>
    new Reducer(
      () => tuple(0n, 0n),
      ([sum, number], element) => tuple(sum + total(element), number + 1n) as never,
    ),
  batchDense: ({ elementShape }) => batchDense({ dtype: "int64", shape: elementShape }),
  paddedBatchDense: ({ paddedShape, paddingValue }) =>
    paddedBatchDense({ shape: paddedShape, value: paddingValue }),
  batchSparse,
  ragged: () => ragged(),
};

/**
 * Creates the reducer that a test vector names.
 * @throws {NotBuiltYet} if no reducer has this name.
 */
export function reducerOf(json: ReducerJson): AnyReducer {
  const create = reducers[json.name];
  if (create === undefined) throw new NotBuiltYet(`dataset: reducer ${json.name}`);
  return create(json);
}
