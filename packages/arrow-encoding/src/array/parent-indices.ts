import { ArgumentError } from "@tfxio/wire";
import { aBoolean, anInteger, assertArgument, assertOptions, invalidArgument } from "@tfxio/wire/checks";
import { type Data, DataType, Int32, Int64, makeData } from "apache-arrow";
import { aColumn, aListType } from "../argument-rules.js";
import { MAX_POSITION } from "../column/column-access-offsets.js";
import { columnElements, listElements } from "../column/column-access.js";
import type { ExampleListType } from "../example/example-arrow-types.js";
import { isListType } from "../column/list-column.js";
import { bitmapOf, makeList } from "../column/make-list.js";
import { unsupportedType } from "../column/unsupported-type.js";
import { widenPositions } from "../column/widen-positions.js";

/**
 * Returns the row of each value in a list column, counted from the start of the slice. Descends only one list level. The result
 * is int64 for LargeList, otherwise int32. Excludes values under null rows, like {@link flattenNested}.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for a column that is not a list.
 * @see tfx_bsl.arrow.array_util.GetFlattenedArrayParentIndices
 */
export function parentIndices(data: Data): Data<Int32 | Int64> {
  assertArgument("data", data, aColumn);
  if (!isListType(data.type)) throw unsupportedType("parentIndices", data.type, "lists");
  const parents = rowsOfValues(listElements(columnElements(data)).rowSplits);
  const common = { length: parents.length, nullCount: 0 };
  return DataType.isLargeList(data.type)
    ? makeData({ type: new Int64(), ...common, data: widenPositions(parents) })
    : makeData({ type: new Int32(), ...common, data: parents });
}

/** Returns the row of each value as int32. `rowSplits` must start with 0. */
export function rowsOfValues(rowSplits: Int32Array): Int32Array {
  const numRows = rowSplits.length - 1;
  const rows = new Int32Array(rowSplits[numRows] as number);
  for (let row = 0; row < numRows; row++) rows.fill(row, rowSplits[row], rowSplits[row + 1]);
  return rows;
}

/** Options of {@link listFromParentIndices}. */
export interface ListFromParentIndicesOptions {
  /** If true, rows without values are null; if false, they are `[]`. Default true, as in tfx_bsl. */
  readonly emptyListAsNull?: boolean | undefined;
  /** `"large"` creates a LargeList, as tfx_bsl does. Default `"list"`. */
  readonly listType?: ExampleListType | undefined;
}

/**
 * Creates a list column of `numParents` rows in which value `i` belongs to row `parents[i]`. This is the inverse of {@link
 * parentIndices}, but an int32 result of that function must first be converted to int64. Borrows the values.
 * @param parents One row number for each value, int64 without nulls, never decreasing, below `numParents`.
 * @throws {ArgumentError} `invalid-argument` (`parent-indices`) if `parents` or `numParents` is invalid.
 * @see tfx_bsl.arrow.array_util.MakeListArrayFromParentIndicesAndValues
 */
export function listFromParentIndices(
  numParents: number,
  parents: Data,
  values: Data,
  options: ListFromParentIndicesOptions = {},
): Data {
  assertArgument("parents", parents, aColumn);
  assertArgument("values", values, aColumn);
  assertOptions("listFromParentIndices", options, { emptyListAsNull: aBoolean, listType: aListType });
  const { emptyListAsNull = true, listType = "list" } = options;
  const offsets = offsetsOfParents(numParents, parents, values.length);
  if (!emptyListAsNull) return makeList(values, offsets, listType, { nullCount: 0 });
  const hasValues = (row: number): boolean => offsets[row] !== offsets[row + 1];
  let nullCount = 0;
  for (let row = 0; row < numParents; row++) if (!hasValues(row)) nullCount++;
  if (nullCount === 0) return makeList(values, offsets, listType, { nullCount });
  return makeList(values, offsets, listType, { nullCount, nullBitmap: bitmapOf(numParents, hasValues) });
}

const aNumParents = anInteger(0, MAX_POSITION);

/** Counts the values of each row and returns the rows' offsets: int32, length `numParents + 1`. */
function offsetsOfParents(numParents: number, parents: Data, numValues: number): Int32Array {
  if (!aNumParents.holds(numParents)) {
    throw invalidArgument("numParents", aNumParents.expected, numParents, { reason: "parent-indices" });
  }
  const { type } = parents;
  if (!DataType.isInt(type) || type.bitWidth !== 64 || !type.isSigned || parents.nullCount > 0) {
    throw badParents(`must be int64 without nulls, found ${type} with ${parents.nullCount} nulls`);
  }
  if (parents.length !== numValues) {
    throw badParents(`must have one entry for each of the ${numValues} values, found ${parents.length}`);
  }
  // Read the int64 values as pairs of little-endian int32. A value whose high half is not 0 is out of range.
  const halves = new Int32Array(
    (parents.values as BigInt64Array).buffer,
    (parents.values as BigInt64Array).byteOffset,
    numValues * 2,
  );
  const offsets = new Int32Array(numParents + 1);
  let previous = 0;
  for (let index = 0; index < numValues; index++) {
    const parent = halves[2 * index] as number;
    if (halves[2 * index + 1] !== 0 || parent < previous || parent >= numParents) {
      const found = (parents.values as BigInt64Array)[index] as bigint;
      const after = index > 0 && found < previous ? ` after ${previous}` : "";
      throw badParents(
        `must be at least 0 and below numParents (${numParents}), and must never decrease, found ${found}${after}`,
      );
    }
    offsets[parent + 1] = (offsets[parent + 1] as number) + 1;
    previous = parent;
  }
  for (let row = 0; row < numParents; row++) {
    offsets[row + 1] = (offsets[row + 1] as number) + (offsets[row] as number);
  }
  return offsets;
}

/** @param finding The rest of the sentence after "Parent indices", without its full stop. */
function badParents(finding: string): ArgumentError {
  return new ArgumentError("invalid-argument", `Parent indices ${finding}.`, {
    reason: "parent-indices",
    argument: "parents",
  });
}
