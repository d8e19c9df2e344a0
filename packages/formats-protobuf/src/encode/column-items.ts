import { type ColumnElements, isListType, listElements, nullMask } from "@tfxio/arrow-encoding";
import { type EncodeContext, unwritable } from "./encode-context.js";

/** The items of a column, and the range of items of each parent. */
export interface ColumnItems {
  readonly elements: ColumnElements;
  /** Returns the first item of a parent. */
  start(parent: number): number;
  /** Returns the end of the items of a parent, exclusive. @throws {ConversionError} `not-convertible` for a null in the list. */
  end(parent: number): number;
}

/**
 * Returns the items of a list column. A column of single values counts as lists of at most one value. Only `end` checks for nulls
 * in a list.
 */
export function columnItems(parents: ColumnElements, column: string, context: EncodeContext): ColumnItems {
  if (!isListType(parents.data.type)) return singleItems(parents);
  const { rowSplits, elements } = listElements(parents);
  const isNull = nullMask(elements);
  return {
    elements,
    start: (parent) => rowSplits[parent]!,
    end(parent) {
      const end = rowSplits[parent + 1]!;
      if (isNull?.subarray(rowSplits[parent], end).includes(1)) {
        throw unwritable(column, context, "has a null in a list");
      }
      return end;
    },
  };
}

/** Returns the values of a column that is not a list. A parent has no item if its value is null. */
function singleItems(elements: ColumnElements): ColumnItems {
  const isNull = nullMask(elements);
  return {
    elements,
    start: (parent) => parent,
    end: (parent) => (isNull?.[parent] === 1 ? parent : parent + 1),
  };
}
