import type { Field } from "apache-arrow";

/** Begins to count reads of the names of `fields`. Returns a function that returns the count. */
export function countNameReads(fields: readonly Field[]): () => number {
  let numReads = 0;
  for (const field of fields) {
    const { name } = field;
    Object.defineProperty(field, "name", { get: () => (numReads++, name) });
  }
  return () => numReads;
}
