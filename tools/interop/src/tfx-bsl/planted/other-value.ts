import type { Json } from "../question.js";
import { changedAt } from "./planted-fault.js";

/**
 * Changes the first item of the first list `values` that starts with a number, or with a non-negative integer as text. Returns
 * undefined if there is no such list.
 */
export function otherValue(theirs: Json): Json | undefined {
  return changedAt(theirs, (json, key) => {
    const [first, ...rest] = key === "values" ? (json as readonly unknown[]) : [];
    if (typeof first === "number") return [first === 0 ? 1 : 0, ...rest];
    return typeof first === "string" && /^\d+$/.test(first)
      ? [first === "0" ? "1" : "0", ...rest]
      : undefined;
  });
}
