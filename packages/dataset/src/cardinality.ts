import { ArgumentError } from "@tfxio/wire";
import { anInteger, type Rule, rule } from "@tfxio/wire/checks";

/** Number of elements in one pass: an exact count, `"infinite"`, or `"unknown"` if only a pass can count them. */
export type Cardinality = number | "infinite" | "unknown";

const aNumberOfElements = anInteger(0);

/** Accepts a {@link Cardinality}. */
export const aCardinality: Rule = rule(
  `${aNumberOfElements.expected}, "infinite" or "unknown"`,
  (value) => value === "infinite" || value === "unknown" || aNumberOfElements.holds(value),
);

/**
 * Checks that a dataset is not known to be infinite, for an operator that reads all elements.
 * @throws {ArgumentError} `invalid-argument` (`infinite-dataset`).
 */
export function assertFinite(operator: string, cardinality: Cardinality): void {
  if (cardinality !== "infinite") return;
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: the dataset must be finite. Limit it with take(n).`,
    { reason: "infinite-dataset" },
  );
}

/** Applies `f` to an exact count. Returns `"infinite"` and `"unknown"` unchanged. */
export function mapCount(cardinality: Cardinality, f: (count: number) => number): Cardinality {
  return typeof cardinality === "number" ? f(cardinality) : cardinality;
}

/** Returns the cardinality of batches of `size` elements. With `dropRemainder`, a smaller last batch is not counted. */
export function batchedCount(cardinality: Cardinality, size: number, dropRemainder: boolean): Cardinality {
  return mapCount(cardinality, (n) => (dropRemainder ? Math.floor(n / size) : Math.ceil(n / size)));
}

/** Returns a cardinality as the `size` that tfjs-data expects: a number, `Infinity`, or null if it is unknown. */
export function sizeOf(cardinality: Cardinality): number | null {
  if (cardinality === "infinite") return Number.POSITIVE_INFINITY;
  return cardinality === "unknown" ? null : cardinality;
}
