import type { Field } from "apache-arrow";

/** Counts how often the names of `fields` are read from now on. */
export function countNameReads(fields: readonly Field[]): () => number {
  let numReads = 0;
  for (const field of fields) {
    const { name } = field;
    Object.defineProperty(field, "name", { get: () => (numReads++, name) });
  }
  return () => numReads;
}
