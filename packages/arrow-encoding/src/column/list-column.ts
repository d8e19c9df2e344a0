import { SchemaError } from "@tfxio/wire";
import { assertArgument } from "@tfxio/wire/checks";
import { type Data, DataType, type FixedSizeList, type LargeList, type List } from "apache-arrow";
import { aColumn } from "../argument-rules.js";
import { assertPosition, int32Offsets, malformedColumn } from "./column-access-offsets.js";

/** The list types that a column may have. Nested lists may mix them. */
export type ListType = List | LargeList | FixedSizeList;

/** Returns true for List, LargeList and FixedSizeList. @see tfx_bsl.arrow.array_util.is_list_like */
export function isListType(type: DataType): type is ListType {
  return DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type);
}

/** A list column of any list type, as int32 row splits over a column of values. */
export interface ListColumn {
  readonly numRows: number;
  /**
   * int32, length `numRows + 1`, never decreasing. May start above 0 in a sliced column. A null row may span values; check {@link
   * isNull}.
   */
  readonly rowSplits: Int32Array;
  /** The column into which the row splits point. Borrowed. */
  readonly values: Data;
  /** True if `rowSplits` is a view of the column's own buffer (List), false if it was created (LargeList, FixedSizeList). */
  readonly borrowed: boolean;
  /** Returns whether the list at `row` is null. Rows count from 0 at the start of the slice. */
  isNull(row: number): boolean;
}

/**
 * Returns the row splits and values of a list column.
 * @throws {SchemaError} `schema-mismatch` (`not-a-list`) if the column is not a list.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) if the column spans 2^31 values or more. `not-convertible`
 *   (`malformed-column`) if its offsets decrease or point outside its values, or if a FixedSizeList has too few values.
 */
export function listColumn(data: Data): ListColumn {
  assertArgument("data", data, aColumn);
  const [values] = data.children;
  if (!isListType(data.type) || values === undefined) {
    throw new SchemaError("schema-mismatch", `Expected a list column, found ${data.type}.`, {
      reason: "not-a-list",
      expected: "List, LargeList or FixedSizeList",
      actual: String(data.type),
    });
  }
  const hasNulls = data.nullCount > 0;
  return {
    numRows: data.length,
    ...(DataType.isFixedSizeList(data.type)
      ? fixedSizeRows(data, data.type, values)
      : offsetRows(data, values)),
    isNull: (row) => hasNulls && !isValid(data, row),
  };
}

/** Returns whether `row` is not null. Call this only if the column has nulls, because otherwise its bitmap may be missing. */
export function isValid(data: Data, row: number): boolean {
  const position = data.offset + row;
  return ((data.nullBitmap[position >> 3] as number) & (1 << (position & 7))) !== 0;
}

/** Returns the rows of a List or LargeList. The values of a LargeList are sliced, so that its row splits start at 0. */
function offsetRows(data: Data, values: Data): Pick<ListColumn, "rowSplits" | "values" | "borrowed"> {
  const { offsets, base, borrowed } = int32Offsets(data, values.length);
  return {
    rowSplits: offsets,
    values: base === 0 ? values : values.slice(base, values.length - base),
    borrowed,
  };
}

/** Creates row splits for a FixedSizeList, which has no offsets. A slice also slices the values, so the row splits start at 0. */
function fixedSizeRows(
  data: Data,
  type: FixedSizeList,
  values: Data,
): Pick<ListColumn, "rowSplits" | "values" | "borrowed"> {
  const { listSize } = type;
  const numValues = data.length * listSize;
  assertPosition(numValues, type);
  if (values.length < numValues) {
    throw malformedColumn(type, `${data.length} rows require ${numValues} values, found ${values.length}`);
  }
  const rowSplits = Int32Array.from({ length: data.length + 1 }, (_, row) => row * listSize);
  return { rowSplits, values, borrowed: false };
}
