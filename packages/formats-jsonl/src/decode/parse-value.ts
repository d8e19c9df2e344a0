import type { Column } from "../columns/column.js";
import type { Kind } from "../columns/declared.js";
import { copyString, QUOTE } from "../parse/copy-string.js";
import type { JsonCursor } from "../parse/json-cursor.js";
import { acceptsAsFloat, acceptsNonFinite, BEYOND_FLOAT32, scanNumber } from "../parse/scan-number.js";
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  enterLevel,
  goesOn,
  isClosed,
  LETTER_F,
  LETTER_N,
  LETTER_T,
  OPEN_LIST,
  OPEN_OBJECT,
  peek,
  skipValue,
  takeColon,
  takeWord,
} from "../parse/skip-value.js";
import { settleKind } from "./settle-kind.js";

/**
 * Appends the value at the cursor to a column, and moves past it.
 * @param depth Number of objects and lists that enclose the value.
 * @throws {RecordError} `malformed-payload`, `limit-exceeded`.
 * @throws {SchemaError} `schema-mismatch`.
 */
function parseValue(cursor: JsonCursor, column: Column, depth: number): void {
  const byte = peek(cursor);
  if (column.isDeclared && column.kind === "list" && byte !== OPEN_LIST && byte !== LETTER_N) {
    parseListOfOne(cursor, column, depth);
    return;
  }
  switch (byte) {
    case QUOTE:
      if (column.kind !== "text") return parseOther(cursor, column, depth, "text");
      cursor.at++;
      copyString(cursor, column.text);
      column.endValue(column.text.length);
      return;
    case OPEN_OBJECT:
      if (column.kind !== "struct") return parseOther(cursor, column, depth, "struct");
      parseObject(cursor, column, depth);
      return;
    case OPEN_LIST:
      if (column.kind !== "list") return parseOther(cursor, column, depth, "list");
      parseList(cursor, column, depth);
      return;
    case LETTER_T:
    case LETTER_F:
      parseBool(cursor, column, depth);
      return;
    case LETTER_N:
      takeWord(cursor, "null");
      column.appendNull();
      return;
    default:
      parseNumber(cursor, column, depth);
  }
}

/** Appends the object at the cursor. If a name repeats, it keeps its first position and takes the last value. */
export function parseObject(cursor: JsonCursor, column: Column, depth: number): void {
  const { fields } = column;
  const index = column.length;
  enterLevel(cursor, depth);
  if (!isClosed(cursor, CLOSE_OBJECT)) {
    let expected = 0;
    do {
      const at = cursor.at;
      const slot = fields.next(cursor, expected);
      takeColon(cursor);
      if (slot.column !== undefined) parseField(cursor, slot.column, index, depth + 1);
      else if (skipValue(cursor, depth + 1)) fields.assertListed(slot, cursor, at);
      expected = slot.index + 1;
    } while (goesOn(cursor, CLOSE_OBJECT));
  }
  column.length = index + 1;
}

function parseField(cursor: JsonCursor, column: Column, index: number, depth: number): void {
  if (column.length < index) column.appendNulls(index - column.length);
  else if (column.length > index) column.truncate(index);
  parseValue(cursor, column, depth);
}

function parseList(cursor: JsonCursor, column: Column, depth: number): void {
  const { items } = column;
  enterLevel(cursor, depth);
  if (!isClosed(cursor, CLOSE_LIST)) {
    do parseValue(cursor, items, depth + 1);
    while (goesOn(cursor, CLOSE_LIST));
  }
  column.endValue(items.length);
}

/** Appends a single value without brackets as a list of one. */
function parseListOfOne(cursor: JsonCursor, column: Column, depth: number): void {
  const { items } = column;
  const { length } = items;
  parseValue(cursor, items, depth);
  if (items.nullBytes[length] === 1) {
    // A non-finite number was read as null, so the list becomes null.
    items.truncate(length);
    column.appendNull();
  } else {
    column.endValue(items.length);
  }
}

function parseBool(cursor: JsonCursor, column: Column, depth: number): void {
  if (column.kind !== "bool") return parseOther(cursor, column, depth, "bool");
  const isTrue = peek(cursor) === LETTER_T;
  takeWord(cursor, isTrue ? "true" : "false");
  column.appendBool(isTrue ? 1 : 0);
}

function parseNumber(cursor: JsonCursor, column: Column, depth: number): void {
  const start = cursor.at;
  if (!scanNumber(cursor)) return column.appendNull();
  const { number } = cursor;
  if (column.kind === "int" && number.isInteger && number.fitsInt64) {
    column.appendInteger(number.low, number.high);
  } else if (column.kind === "float" && (!number.isInteger || number.isExact)) {
    column.appendDouble(number.value);
  } else if (column.kind === "single") {
    appendSingle(cursor, column, start);
  } else {
    cursor.at = start;
    parseOther(cursor, column, depth, number.isInteger ? "int" : "float");
  }
}

/** Appends the float64 nearest to the scanned number, rounded to float32. tfx_bsl rounds numbers in CSV in the same two steps. */
function appendSingle(cursor: JsonCursor, column: Column, start: number): void {
  if (!acceptsAsFloat(cursor, start)) return column.appendNull();
  const { value } = cursor.number;
  const single = Math.fround(value);
  const isBeyond = Number.isFinite(value) && !Number.isFinite(single);
  if (isBeyond && !acceptsNonFinite(cursor, start, BEYOND_FLOAT32)) column.appendNull();
  else column.appendSingle(single);
}

/** Appends a value that does not fit the column's current kind. */
function parseOther(cursor: JsonCursor, column: Column, depth: number, found: Kind): void {
  if (settleKind(cursor, column, depth, found) === "append") parseValue(cursor, column, depth);
}
