import { ArgumentError } from "@tfxio/wire";
import { append } from "./batch-reducers.js";
import { Reducer } from "./reducer.js";

/** A number, or a bigint for 64-bit integers. */
type Scalar = number | bigint;

/** The number of elements. */
export function count(): Reducer<unknown, number, number> {
  return new Reducer(
    () => 0,
    (number) => number + 1,
  );
}

/** The sum of all elements; 0 for an empty dataset. Bigints sum exactly to a bigint. */
export function sum(): Reducer<Scalar, Scalar, Scalar> {
  return new Reducer<Scalar, Scalar>(
    () => 0,
    (total, element) => added(total, scalar(element, "sum")),
  );
}

/** The mean of all elements; NaN for an empty dataset. */
export function mean(): Reducer<Scalar, readonly [Scalar, number], number> {
  return new Reducer<Scalar, readonly [Scalar, number], number>(
    () => [0, 0],
    ([total, number], element) => [added(total, scalar(element, "mean")), number + 1],
    ([total, number]) => Number(total) / number,
  );
}

/** The smallest element; undefined for an empty dataset. NaN if any element is NaN, like `Math.min`. */
export function min(): Reducer<Scalar, Scalar | undefined, Scalar | undefined> {
  return extreme("min", (element, least) => element < least);
}

/** The largest element; undefined for an empty dataset. NaN if any element is NaN, like `Math.max`. */
export function max(): Reducer<Scalar, Scalar | undefined, Scalar | undefined> {
  return extreme("max", (element, greatest) => element > greatest);
}

/** The first element; undefined for an empty dataset. */
export function first<T>(): Reducer<T, { readonly element: T } | undefined, T | undefined> {
  return new Reducer<T, { readonly element: T } | undefined, T | undefined>(
    () => undefined,
    (state, element) => state ?? { element },
    (state) => state?.element,
  );
}

/** The last element; undefined for an empty dataset. */
export function last<T>(): Reducer<T, T | undefined, T | undefined> {
  return new Reducer<T, T | undefined, T | undefined>(
    () => undefined,
    (_, element) => element,
  );
}

/** All elements, in order. */
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
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: an element is a ${typeof element}, expected a number or bigint; map to the component first`,
  );
}
