import { type ArrayContext, contradiction, elementsOf } from "./typed-arrays.js";

/** Returns the type ids of a union. @throws {RecordError} `corrupt-record` (`array`) for a type id that the union lacks. */
export function readTypeIds(
  bytes: Uint8Array,
  {
    length,
    known,
    ...context
  }: ArrayContext & { readonly length: number; readonly known: readonly number[] },
): Int8Array {
  const typeIds = elementsOf(Int8Array, bytes, length, context);
  const isKnown = new Uint8Array(256);
  for (const id of known) isKnown[id] = 1;
  const strange = typeIds.findIndex((id) => isKnown[id & 0xff] === 0);
  if (strange < 0) return typeIds;
  const found = `has the type id ${typeIds[strange]} in row ${strange}`;
  throw contradiction(`${found}, expected one of [${known.join(", ")}]`, context);
}

/**
 * Returns the offsets of a dense union into its children.
 * @param lengths Lengths of the children, by type id.
 * @throws {RecordError} `corrupt-record` (`array`) for an offset outside its child.
 */
export function readUnionOffsets(
  bytes: Uint8Array,
  typeIds: Int8Array,
  lengths: ReadonlyMap<number, number>,
  context: ArrayContext,
): Int32Array {
  const offsets = elementsOf(Int32Array, bytes, typeIds.length, context);
  const ends = Array.from({ length: 128 }, (_, id) => lengths.get(id) ?? 0);
  for (const [row, offset] of offsets.entries()) {
    const end = ends[typeIds[row] as number] as number;
    if (offset < 0 || offset >= end) {
      throw contradiction(
        `has the offset ${offset} in row ${row}, outside the ${end} values of type id ${typeIds[row]}`,
        context,
      );
    }
  }
  return offsets;
}
