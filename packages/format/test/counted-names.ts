import type { Field } from "apache-arrow";

/** Counts every later read of the name of a field. Returns a function that returns the count. */
export function countNameReads(fields: readonly Field[]): () => number {
  let numReads = 0;
  for (const field of fields) {
    const { name } = field;
    Object.defineProperty(field, "name", { get: () => (numReads++, name) });
  }
  return () => numReads;
}
