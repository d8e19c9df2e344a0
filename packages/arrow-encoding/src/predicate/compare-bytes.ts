import type { CompareOperator } from "@tfxio/schema";
import { BytesColumn } from "../column/column-access-bytes.js";
import { distinctValues } from "../array/distinct-values.js";
import type { Truth } from "./truth.js";

/** Results of each operator for a value below the bound, equal to it, and above it. */
const byOrder: Readonly<Record<CompareOperator, readonly [number, number, number]>> = {
  "==": [0, 1, 0],
  "!=": [1, 0, 1],
  "<": [1, 0, 0],
  "<=": [1, 1, 0],
  ">": [0, 0, 1],
  ">=": [0, 1, 1],
};

/**
 * Compares each value with `bound`, byte by byte as unsigned integers. A prefix sorts before longer values. For UTF-8, this is
 * the order of code points.
 */
export function compareBytes({ data, offsets }: BytesColumn, op: CompareOperator, bound: Uint8Array): Truth {
  const [below, equal, above] = byOrder[op];
  const truth = new Uint8Array(offsets.length - 1);
  for (let i = 0; i < truth.length; i++) {
    const start = offsets[i] as number;
    const length = (offsets[i + 1] as number) - start;
    const shared = Math.min(length, bound.length);
    let at = 0;
    while (at < shared && data[start + at] === bound[at]) at++;
    const order = at < shared ? (data[start + at] as number) - (bound[at] as number) : length - bound.length;
    truth[i] = order < 0 ? below : order === 0 ? equal : above;
  }
  return truth;
}

/** Tests each value: true if it equals a value in `set`. */
export function includesBytes(values: BytesColumn, set: readonly Uint8Array[]): Truth {
  const known = BytesColumn.from(set);
  const distinct = distinctValues(known);
  for (let i = 0; i < known.length; i++) distinct.add(known, i);
  const truth = new Uint8Array(values.length);
  for (let i = 0; i < truth.length; i++) if (distinct.find(values, i) >= 0) truth[i] = 1;
  return truth;
}
