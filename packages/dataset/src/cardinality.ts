import { anInteger, type Rule, rule } from "@tfxio/wire/checks";

/** Number of elements in one pass: an exact count, `"infinite"`, or `"unknown"` before the pass. */
export type Cardinality = number | "infinite" | "unknown";

const aNumberOfElements = anInteger(0);

/** Rule for a {@link Cardinality}. */
export const aCardinality: Rule = rule(
  `${aNumberOfElements.expected}, "infinite" or "unknown"`,
  (value) => value === "infinite" || value === "unknown" || aNumberOfElements.holds(value),
);

/** Applies `f` to an exact count; `"infinite"` and `"unknown"` pass through. */
export function mapCount(cardinality: Cardinality, f: (count: number) => number): Cardinality {
  return typeof cardinality === "number" ? f(cardinality) : cardinality;
}

/** Cardinality of batches of `size` elements. */
export function batchedCount(cardinality: Cardinality, size: number, dropRemainder: boolean): Cardinality {
  return mapCount(cardinality, (n) => (dropRemainder ? Math.floor(n / size) : Math.ceil(n / size)));
}

/** The `size` that tfjs-data expects: a number, `Infinity`, or null if unknown. */
export function sizeOf(cardinality: Cardinality): number | null {
  if (cardinality === "infinite") return Number.POSITIVE_INFINITY;
  return cardinality === "unknown" ? null : cardinality;
}
