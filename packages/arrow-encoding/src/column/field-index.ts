import type { Field } from "apache-arrow";

/** Fewer fields are looked through as fast as a map is. */
const FEW_FIELDS = 16;

const knownPositions = new WeakMap<readonly Field[], ReadonlyMap<string, number>>();

/**
 * Position of the first of `fields` named `name`, -1 when there is none. Pass the very array of a schema or a struct type:
 * its names are looked at once, so that looking up all columns of a batch takes time in proportion to their number.
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
