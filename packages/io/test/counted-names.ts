import type { Field } from "apache-arrow";

/** Starts counting how often the names of `fields` are read. The returned function returns the count so far. */
export function countNameReads(fields: readonly Field[]): () => number {
  let numReads = 0;
  for (const field of fields) {
    const { name } = field;
    Object.defineProperty(field, "name", { get: () => (numReads++, name) });
  }
  return () => numReads;
}
