import {
  columnElements,
  isListType,
  leafValues,
  listElements,
  nullMask,
  recordBatchOf,
  toListColumns,
} from "@tfxio/arrow-encoding";
import { type Data, DataType, type Field, Schema as ArrowSchema } from "apache-arrow";
import { cellError } from "./cell-error.js";
import { type EndCell, type Inexpressible, QUOTING_PROBLEMS } from "./quoting.js";
import type { TextBuffer } from "./text-buffer.js";
import { type AppendValue, valueAppender } from "./value-text.js";

/** Appends the cell of a row, quoted if necessary. */
export type AppendCell = (row: number) => void;

/** Rules for writing the cells of a column, the same for all batches. */
export interface ColumnSyntax {
  readonly field: Field;
  readonly endCell: EndCell;
  /** Undefined if the dialect has no text for null. */
  readonly nullText: string | undefined;
  readonly emptyListText: string | null;
  readonly inBase64: boolean;
  /** Rules for joining the values of a multivalent column; undefined for other columns. */
  readonly items?: ItemSyntax | undefined;
}

/** Rules for the items of a multivalent cell. The items form a record whose delimiter is `secondaryDelimiter`. */
export interface ItemSyntax {
  readonly delimiter: Uint8Array;
  readonly endItem: EndCell;
}

/** Returns a function that appends the cells of a column, which is flat or holds lists. */
export function columnCells(data: Data, syntax: ColumnSyntax, text: TextBuffer): AppendCell {
  const { type } = data;
  if (DataType.isNull(type)) {
    const appendNull = nullCell(syntax, text);
    return (row) => appendNull(row, row);
  }
  if (isDictionary(type)) return decodedCells(data, syntax, text);
  return isListType(type) ? listCells(data, syntax, text) : flatCells(data, syntax, text);
}

function flatCells(data: Data, syntax: ColumnSyntax, text: TextBuffer): AppendCell {
  const { field } = syntax;
  const elements = columnElements(data);
  const isNull = nullMask(elements);
  const column = { path: field.name, type: data.type, owners: [field], inBase64: syntax.inBase64 };
  const append = oneValue(valueAppender(leafValues(elements), column, text), syntax, text);
  const appendNull = nullCell(syntax, text);
  return (row) => (isNull?.[row] === 1 ? appendNull(row, row) : append(row, row));
}

function listCells(data: Data, syntax: ColumnSyntax, text: TextBuffer): AppendCell {
  const { field, emptyListText } = syntax;
  const rows = columnElements(data);
  const isNull = nullMask(rows);
  const { rowSplits, elements } = listElements(rows);
  const holdsNulls = DataType.isNull(elements.data.type);
  const isNullItem = holdsNulls ? new Uint8Array(elements.length).fill(1) : nullMask(elements);
  const path = field.name;
  const owners = [field, ...data.type.children];
  const column = { path, type: elements.data.type, owners, inBase64: syntax.inBase64 };
  const appendValue = holdsNulls ? () => {} : valueAppender(leafValues(elements), column, text);
  const appendOne = oneValue(appendValue, syntax, text);
  const appendMany = manyValues(appendValue, isNullItem, syntax, text);
  const appendNull = nullCell(syntax, text);
  return (row) => {
    const first = rowSplits[row] as number;
    const numValues = (rowSplits[row + 1] as number) - first;
    if (isNull?.[row] === 1) appendNull(row, row);
    else if (numValues === 0) text.appendAscii(assertedEmpty(emptyListText, path, row));
    else if (appendMany !== undefined) appendMany(first, numValues, row);
    else if (numValues > 1) throw manyInOne(path, row, numValues);
    else if (isNullItem?.[first] === 1) throw nullInList(path, row);
    else appendOne(first, row);
  };
}

function oneValue(appendValue: AppendValue, { endCell, field }: ColumnSyntax, text: TextBuffer): AppendValue {
  return (index, row) => {
    const start = text.length;
    appendValue(index, row);
    assertExpressed(endCell(text, start), field.name, row);
  };
}

function nullCell({ field, nullText }: ColumnSyntax, text: TextBuffer): AppendValue {
  return (_, row) => {
    if (nullText === undefined) {
      throw cellError(field.name, row, "null-cell", "is null, but `nullMarkers` is empty");
    }
    text.appendAscii(nullText);
  };
}

function manyValues(
  appendValue: AppendValue,
  isNullItem: Uint8Array | undefined,
  { items, endCell, field, nullText }: ColumnSyntax,
  text: TextBuffer,
): ((first: number, numValues: number, row: number) => void) | undefined {
  if (items === undefined) return undefined;
  const { delimiter, endItem } = items;
  const path = field.name;
  const appendItem: AppendValue = (index, row) => {
    if (isNullItem?.[index] === 1) {
      if (nullText === undefined || nullText === "") throw nullInList(path, row);
      text.appendAscii(nullText);
      return;
    }
    const start = text.length;
    appendValue(index, row);
    assertExpressed(endItem(text, start), path, row);
  };
  return (first, numValues, row) => {
    const start = text.length;
    for (let index = first; index < first + numValues; index++) {
      if (index > first) text.appendAll(delimiter);
      appendItem(index, row);
    }
    assertExpressed(endCell(text, start), path, row);
  };
}

/** Converts a column of dictionary values, flat or in lists, to lists of plain values. Returns a function that appends them. */
function decodedCells(data: Data, syntax: ColumnSyntax, text: TextBuffer): AppendCell {
  const batch = toListColumns(recordBatchOf(new ArrowSchema([syntax.field]), data.length, [data]));
  const field = batch.schema.fields[0] as Field;
  return listCells(batch.data.children[0] as Data, { ...syntax, field }, text);
}

function isDictionary(type: DataType): boolean {
  return DataType.isDictionary(isListType(type) ? type.valueType : type);
}

function assertedEmpty(emptyListText: string | null, path: string, row: number): string {
  if (emptyListText !== null) return emptyListText;
  throw cellError(path, row, "empty-list", "is an empty list; set `emptyListText` to write such lists");
}

function manyInOne(path: string, row: number, numValues: number): Error {
  const hint = "name the column in `multivalentColumns` and set `secondaryDelimiter`";
  return cellError(path, row, "many-values", `has ${numValues} values; ${hint}`);
}

function nullInList(path: string, row: number): Error {
  const hint =
    "only lists in multivalent columns can hold nulls, and only if the first of `nullMarkers` is not empty";
  return cellError(path, row, "null-item", `has a null in its list; ${hint}`);
}

function assertExpressed(reason: Inexpressible | undefined, path: string, row: number): void {
  if (reason !== undefined) throw cellError(path, row, reason, QUOTING_PROBLEMS[reason]);
}
