import type { Field } from "apache-arrow";

/** Returns a function that reports how often the names of `fields` have been read since `countNameReads` was called. */
export function countNameReads(fields: readonly Field[]): () => number {
  let numReads = 0;
  for (const field of fields) {
    const { name } = field;
    Object.defineProperty(field, "name", { get: () => (numReads++, name) });
  }
  return () => numReads;
}
