import type { Field } from "apache-arrow";

/** Starts to count how often a name of `fields` is read. Returns a function that returns the number of reads so far. */
export function countNameReads(fields: readonly Field[]): () => number {
  let numReads = 0;
  for (const field of fields) {
    const { name } = field;
    Object.defineProperty(field, "name", { get: () => (numReads++, name) });
  }
  return () => numReads;
}
