import { damaged } from "../metadata/damage.js";
import { type ArrayContext, elementsOf } from "./typed-arrays.js";

/** The dictionary column whose indices are read. */
export interface IndexContext extends ArrayContext {
  readonly id: number;
  readonly indexBytes: 1 | 2 | 4 | 8;
  readonly isSigned: boolean;
  readonly length: number;
  /** Number of values in the dictionary. */
  readonly numValues: number;
  readonly isValid: (index: number) => boolean;
}

type Indices = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

const SIGNED = { 1: Int8Array, 2: Int16Array, 4: Int32Array } as const;
const UNSIGNED = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;

/**
 * Returns the indices into the dictionary, checked except in null rows. 64-bit indices become int32.
 * @throws {RecordError} `corrupt-record` (`dictionary`) for an index outside the dictionary; `corrupt-record` (`array`) for a
 *   buffer that is too short.
 */
export function readDictionaryIndices(bytes: Uint8Array, context: IndexContext): Indices {
  const { indexBytes, isSigned, length, numValues, isValid } = context;
  const indices =
    indexBytes === 8
      ? narrowIndices(bytes, context)
      : elementsOf<Indices>((isSigned ? SIGNED : UNSIGNED)[indexBytes], bytes, length, context);
  for (let row = 0; row < length; row++) {
    const index = indices[row] as number;
    if ((index >= 0 && index < numValues) || !isValid(row)) continue;
    throw outside(index, row, context);
  }
  return indices;
}

/** Converts 64-bit indices to int32. Null rows may hold any index, so they get 0. */
function narrowIndices(bytes: Uint8Array, context: IndexContext): Int32Array {
  const { length, numValues, isValid } = context;
  const wide = elementsOf(BigInt64Array, bytes, length, context);
  return Int32Array.from(wide, (index, row) => {
    if (!isValid(row)) return 0;
    if (index < 0n || index >= BigInt(numValues)) throw outside(index, row, context);
    return Number(index);
  });
}

function outside(index: number | bigint, row: number, { path, place, id, numValues }: IndexContext): Error {
  const problem = `column "${path}" has the index ${index} in row ${row}, but dictionary ${id} has ${numValues} values`;
  return damaged(place, problem, "dictionary");
}
