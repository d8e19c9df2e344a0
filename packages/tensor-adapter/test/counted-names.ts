import type { Field } from "apache-arrow";

/** Counts reads of the names of `fields` from now on. Returns a function that reports their number. */
export function countNameReads(fields: readonly Field[]): () => number {
  let numReads = 0;
  for (const field of fields) {
    const { name } = field;
    Object.defineProperty(field, "name", { get: () => (numReads++, name) });
  }
  return () => numReads;
}
