import { SchemaError } from "@tfxio/wire";
import { assertArgument } from "@tfxio/wire/checks";
import { type Data, DataType } from "apache-arrow";
import { aColumn, aColumnElements } from "../argument-rules.js";
import { assertAttached } from "./column-access-offsets.js";
import { fieldIndex } from "./field-index.js";
import { isValid, listColumn } from "./list-column.js";

/**
 * The state of a walk down a column: its elements at one depth of lists and structs. Excludes the values of null lists, and
 * values outside the slice. Borrows the column.
 */
export interface ColumnElements {
  /** The column that holds the elements. It may also hold values that are not elements. */
  readonly data: Data;
  /** Start and end (exclusive) of each run of adjacent elements in `data`, ascending. One pair if the elements are contiguous. */
  readonly runs: Int32Array;
  /** Number of elements in all runs. */
  readonly length: number;
  /**
   * Those of `data` and its enclosing structs that have nulls. An element is null if any of these columns is null at the
   * element's position in `data`.
   */
  readonly nullable: readonly Data[];
}

/**
 * Starts a walk at all rows of a column. Borrows the column.
 * @throws {ArgumentError} `invalid-argument` (`detached-buffer`) if the batch was transferred to another thread or its lease was
 *   released.
 */
export function columnElements(data: Data): ColumnElements {
  assertArgument("data", data, aColumn);
  assertAttached(data);
  return elementsAt(data, Int32Array.of(0, data.length), data.length, []);
}

/**
 * Descends to one field of struct elements. The field is null where the struct is null.
 * @throws {SchemaError} `schema-mismatch` (`no-such-field`) if the elements are not structs or lack the field.
 */
export function fieldElements(elements: ColumnElements, name: string): ColumnElements {
  assertArgument("elements", elements, aColumnElements);
  const { type, children } = elements.data;
  const index = DataType.isStruct(type) ? fieldIndex(type.children, name) : -1;
  const child = children[index];
  if (child === undefined) {
    throw new SchemaError("schema-mismatch", `Expected a struct with a field "${name}", found ${type}.`, {
      reason: "no-such-field",
      expected: `a struct with a field "${name}"`,
      actual: String(type),
    });
  }
  return elementsAt(child, elements.runs, elements.length, elements.nullable);
}

/** Result of {@link listElements}. */
export interface ListElements {
  /**
   * int32, length `numLists + 1`, starting with 0. List `i` has the elements `rowSplits[i]` to `rowSplits[i + 1]` (exclusive).
   */
  readonly rowSplits: Int32Array;
  /** True if `rowSplits` is a view of the column's own offsets. */
  readonly borrowed: boolean;
  /** The values of the lists. */
  readonly elements: ColumnElements;
}

/**
 * Descends one level, to the values of list elements. The result does not distinguish null from empty lists; use {@link
 * nullMask}. The row splits borrow the offsets of a List column if `parents` are contiguous, their first offset is 0, and no null
 * parent spans values.
 * @throws {SchemaError} As {@link listColumn}.
 * @throws {ConversionError} As {@link listColumn}.
 */
export function listElements(parents: ColumnElements): ListElements {
  assertArgument("parents", parents, aColumnElements);
  const { rowSplits, values, borrowed } = listColumn(parents.data);
  const { runs, nullable } = parents;
  if (runs.length === 2 && (nullable.length === 0 || !hidesValues(parents, rowSplits))) {
    const own = rowSplits.subarray(runs[0], (runs[1] as number) + 1);
    const first = own[0] as number;
    const end = own[own.length - 1] as number;
    return {
      rowSplits: first === 0 ? own : own.map((split) => split - first),
      borrowed: borrowed && first === 0,
      elements: elementsAt(values, Int32Array.of(first, end), end - first, []),
    };
  }
  const compact = new Int32Array(parents.length + 1);
  const childRuns: number[] = [];
  let count = 0;
  let total = 0;
  eachElement(parents, (position, isNull) => {
    const first = rowSplits[position] as number;
    const end = rowSplits[position + 1] as number;
    if (!isNull && end > first) {
      total += end - first;
      if (childRuns.at(-1) === first) childRuns[childRuns.length - 1] = end;
      else childRuns.push(first, end);
    }
    compact[++count] = total;
  });
  const found = childRuns.length > 0 ? Int32Array.from(childRuns) : Int32Array.of(0, 0);
  return { rowSplits: compact, borrowed: false, elements: elementsAt(values, found, total, []) };
}

/** Calls `visit` for every element in order, with its position in `elements.data`. */
export function eachElement(
  elements: ColumnElements,
  visit: (position: number, isNull: boolean) => void,
): void {
  const { runs, nullable } = elements;
  for (let run = 0; run < runs.length; run += 2) {
    const end = runs[run + 1] as number;
    for (let position = runs[run] as number; position < end; position++) {
      visit(position, nullable.length > 0 && isNullAt(elements, position));
    }
  }
}

/**
 * Returns the index of the first null element, or -1. An element also counts as null if its dictionary entry is null. Takes
 * constant time if `elements.nullable` is empty and the dictionary has no nulls.
 */
export function firstNull(elements: ColumnElements): number {
  return nullMask(elements)?.indexOf(1) ?? -1;
}

/**
 * Returns one byte per element: 1 for null, otherwise 0. An element also counts as null if its dictionary entry is null. Returns
 * undefined if `elements.nullable` is empty and the dictionary has no nulls.
 */
export function nullMask(elements: ColumnElements): Uint8Array | undefined {
  assertArgument("elements", elements, aColumnElements);
  const { data, nullable, runs, length } = elements;
  const isNullEntry = nullEntries(data);
  if (nullable.length === 0 && isNullEntry === undefined) return undefined;
  const mask = new Uint8Array(length);
  for (const column of nullable) markNulls(column, runs, mask);
  if (isNullEntry !== undefined) {
    const keys = data.values as ArrayLike<number | bigint>;
    let index = 0;
    eachElement(elements, (position) => {
      if (isNullEntry[Number(keys[position])] === 1) mask[index] = 1;
      index++;
    });
  }
  return mask;
}

/**
 * Returns one byte per entry of the dictionary, 1 for null. Undefined if there is no dictionary, or none of its entries is null.
 */
function nullEntries({ dictionary }: Data): Uint8Array | undefined {
  if (dictionary === undefined || dictionary.nullCount === 0) return undefined;
  const isNull = new Uint8Array(dictionary.length);
  let at = 0;
  for (const chunk of dictionary.data) {
    isNull.set(nullMask(columnElements(chunk)) ?? [], at);
    at += chunk.length;
  }
  return isNull;
}

/** Sets the mask to 1 for the nulls of one column. A call per element would take several times as long as these plain loops. */
function markNulls({ type, offset, nullBitmap }: Data, runs: Int32Array, mask: Uint8Array): void {
  if (DataType.isNull(type)) {
    mask.fill(1);
    return;
  }
  let index = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const end = offset + (runs[run + 1] as number);
    for (let bit = offset + (runs[run] as number); bit < end; bit++) {
      const isNull = (~(nullBitmap[bit >> 3] as number) >> (bit & 7)) & 1;
      mask[index] = (mask[index] as number) | isNull;
      index++;
    }
  }
}

function isNullAt(elements: ColumnElements, position: number): boolean {
  return elements.nullable.some((data) => DataType.isNull(data.type) || !isValid(data, position));
}

/** Returns whether a null list spans values. The elements must be contiguous. */
function hidesValues(elements: ColumnElements, rowSplits: Int32Array): boolean {
  const mask = nullMask(elements);
  const first = elements.runs[0] as number;
  for (let index = 0; index < elements.length; index++) {
    if (mask?.[index] === 1 && rowSplits[first + index] !== rowSplits[first + index + 1]) return true;
  }
  return false;
}

/** Creates the state of a walk. `around` holds the enclosing structs that have nulls. */
function elementsAt(data: Data, runs: Int32Array, length: number, around: readonly Data[]): ColumnElements {
  // A column of type Null may lack a bitmap. Its slices then have a null count of -1.
  const hasNulls = data.nullCount > 0 || DataType.isNull(data.type);
  return { data, runs, length, nullable: hasNulls ? [...around, data] : around };
}
