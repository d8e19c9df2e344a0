import { ArgumentError } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import { componentsOf } from "../columns/structure.js";
import { append } from "./batch-reducers.js";
import { Reducer } from "./reducer.js";

/** A number, or a bigint for int64 and uint64. */
type Scalar = number | bigint;

/** Creates a reducer that counts all elements. */
export function count(): Reducer<unknown, number, number> {
  return new Reducer(
    () => 0,
    (number) => number + 1,
  );
}

/** Creates a reducer that adds all elements. The sum of bigints is an exact bigint. For an empty dataset, the result is 0. */
export function sum(): Reducer<Scalar, Scalar, Scalar> {
  return new Reducer<Scalar, Scalar>(
    () => 0,
    (total, element) => added(total, scalar(element, "sum")),
  );
}

/** Creates a reducer that computes the mean of all elements as a number. For an empty dataset, the result is NaN. */
export function mean(): Reducer<Scalar, readonly [Scalar, number], number> {
  return new Reducer<Scalar, readonly [Scalar, number], number>(
    () => [0, 0],
    ([total, number], element) => [added(total, scalar(element, "mean")), number + 1],
    ([total, number]) => Number(total) / number,
  );
}

/**
 * Creates a reducer that finds the smallest element. The result is undefined for an empty dataset, and NaN if an element is NaN.
 */
export function min(): Reducer<Scalar, Scalar | undefined, Scalar | undefined> {
  return extreme("min", (element, least) => element < least);
}

/**
 * Creates a reducer that finds the largest element. The result is undefined for an empty dataset, and NaN if an element is NaN.
 */
export function max(): Reducer<Scalar, Scalar | undefined, Scalar | undefined> {
  return extreme("max", (element, greatest) => element > greatest);
}

/** Creates a reducer that returns the first element, or undefined for an empty dataset. Reads the whole dataset. */
export function first<T>(): Reducer<T, { readonly element: T } | undefined, T | undefined> {
  return new Reducer<T, { readonly element: T } | undefined, T | undefined>(
    () => undefined,
    (state, element) => state ?? { element },
    (state) => state?.element,
  );
}

/** Creates a reducer that returns the last element, or undefined for an empty dataset. */
export function last<T>(): Reducer<T, T | undefined, T | undefined> {
  return new Reducer<T, T | undefined, T | undefined>(
    () => undefined,
    (_, element) => element,
  );
}

/** Creates a reducer that collects all elements in an array, in order. */
export function toArray<T>(): Reducer<T, T[], T[]> {
  return new Reducer<T, T[]>(() => [], append);
}

function extreme(
  operator: string,
  isBetter: (element: Scalar, best: Scalar) => boolean,
): Reducer<Scalar, Scalar | undefined, Scalar | undefined> {
  return new Reducer<Scalar, Scalar | undefined>(
    () => undefined,
    (best, element) => {
      const value = scalar(element, operator);
      if (best === undefined || Number.isNaN(value)) return value;
      return isBetter(value, best) ? value : best;
    },
  );
}

function added(total: Scalar, element: Scalar): Scalar {
  if (typeof total === "bigint" && typeof element === "bigint") return total + element;
  if (total === 0 && typeof element === "bigint") return element;
  return Number(total) + Number(element);
}

function scalar(element: unknown, operator: string): Scalar {
  if (typeof element === "number" || typeof element === "bigint") return element;
  const advice = componentsOf(element) === undefined ? "" : " Map elements to one component first.";
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: an element must be a number or bigint, found ${describeValue(element)}.${advice}`,
  );
}
