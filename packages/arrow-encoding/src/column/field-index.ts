import type { Field } from "apache-arrow";

/** Below this many fields, a linear search is as fast as a map. */
const FEW_FIELDS = 16;

/** Positions by name, for each array of fields. Weak, so that an unused schema can be collected. */
const knownPositions = new WeakMap<readonly Field[], ReadonlyMap<string, number>>();

/**
 * Returns the position of the first field called `name`, or -1. The names of an array are indexed once, so looking up all columns
 * of a batch takes linear time. To reuse the index, pass the schema's or struct type's own array, not a copy. Do not modify the
 * array.
 */
export function fieldIndex(fields: readonly Field[], name: string): number {
  if (fields.length < FEW_FIELDS) return fields.findIndex((field) => field.name === name);
  let positions = knownPositions.get(fields);
  if (positions === undefined) {
    positions = positionsOf(fields);
    knownPositions.set(fields, positions);
  }
  return positions.get(name) ?? -1;
}

function positionsOf(fields: readonly Field[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [index, { name }] of fields.entries()) if (!positions.has(name)) positions.set(name, index);
  return positions;
}
