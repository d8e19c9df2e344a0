import { SchemaError } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import type { TemporalValue } from "@tfxio/arrow-encoding";
import type { Column } from "../columns/column.js";
import type { Kind } from "../columns/declared.js";
import { copyString, QUOTE } from "../parse/copy-string.js";
import type { JsonCursor } from "../parse/json-cursor.js";
import { acceptsAsFloat, scanNumber } from "../parse/scan-number.js";
import { LETTER_T, peek, skipValue, takeWord } from "../parse/skip-value.js";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Names of kinds in errors. */
const NAMES: Readonly<Record<Kind, string>> = {
  null: "null",
  bool: "booleans",
  int: "integers",
  float: "floats",
  single: "floats",
  text: "text",
  list: "lists",
  struct: "objects",
};

/** `"appended"`: the value has been appended. `"append"`: the column now has the value's kind, and the caller must append it. */
export type Settled = "appended" | "append";

/**
 * Handles a value that does not fit the column's current kind, such as the column's first value, a float among integers, or text
 * among numbers. The cursor is at the value, and moves past a value that is appended.
 * @throws {SchemaError} `schema-mismatch`: `wrong-kind`; `integer-range` for an integer that does not fit an int64 column or,
 * without a schema, for one that a column of floats cannot hold exactly.
 */
export function settleKind(cursor: JsonCursor, column: Column, depth: number, found: Kind): Settled {
  if (found === "int" || found === "float") {
    appendNumber(cursor, column, depth, found);
    return "appended";
  }
  if (column.kind === "null") {
    column.start(found);
    return "append";
  }
  if (column.isDeclared && column.kind === "int" && found === "bool") {
    const isTrue = peek(cursor) === LETTER_T;
    takeWord(cursor, isTrue ? "true" : "false");
    column.appendInteger(isTrue ? 1 : 0, 0);
  } else if (column.integerOf !== undefined && found === "text") {
    appendTemporal(cursor, column, column.integerOf);
  } else {
    appendMixed(cursor, column, depth, found);
  }
  return "appended";
}

function appendNumber(cursor: JsonCursor, column: Column, depth: number, found: Kind): void {
  const start = cursor.at;
  const { kind, isDeclared } = column;
  const { number } = cursor;
  const isRounding = cursor.rules.onMixed === "widen";
  if (!(kind === "null" || kind === "int" || kind === "float")) {
    return appendMixed(cursor, column, depth, found);
  }
  scanNumber(cursor);
  if (isDeclared) {
    // A FLOAT feature reads every number as a float, even an integer that float64 rounds.
    if (kind === "float" && !acceptsAsFloat(cursor, start)) return column.appendNull();
    if (kind === "float") return column.appendDouble(number.value);
    cursor.at = start;
    if (found === "int") throw integerRange(cursor, column, "int64");
    return appendMixed(cursor, column, depth, found);
  }
  if (number.isInteger && number.fitsInt64 && kind === "null") {
    column.start("int");
    return column.appendInteger(number.low, number.high);
  }
  if (number.isInteger && !isRounding && !(kind === "float" && number.isExact)) {
    cursor.at = start;
    const type = kind === "float" ? "float64 (the type of the other numbers)" : "int64";
    throw integerRange(cursor, column, type);
  }
  if (!acceptsAsFloat(cursor, start)) return column.appendNull();
  if (kind === "null") column.start("float");
  if (kind === "int") {
    const inexact = isRounding ? undefined : column.inexactInteger();
    if (inexact !== undefined) {
      cursor.at = start;
      const expected = `integers that float64 cannot represent exactly, such as ${inexact}`;
      throw wrongKind(cursor, column, expected, found);
    }
    column.toDoubles();
  }
  column.appendDouble(number.value);
}

/** Appends the integer for a date or time in text. */
function appendTemporal(cursor: JsonCursor, column: Column, integerOf: TemporalValue): void {
  const { at: start, scratch } = cursor;
  scratch.length = 0;
  cursor.at++;
  copyString(cursor, scratch);
  const text = utf8.decode(scratch.bytes.subarray(0, scratch.length));
  const value = integerOf(text);
  if (value === undefined || BigInt.asIntN(64, value) !== value) {
    cursor.at = start;
    const expected = "integers, or dates and times that are whole multiples of the column's unit";
    throw wrongKind(cursor, column, expected, "text", describeValue(text));
  }
  column.appendInteger(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
}

/**
 * Throws unless the column may mix kinds. Appends the text of the value to a text column. In any other column, the text of the
 * earlier values is lost, so this function appends a null, and the session later parses the batch again with a text column.
 */
function appendMixed(cursor: JsonCursor, column: Column, depth: number, found: Kind): void {
  const { isDeclared, kind } = column;
  if (cursor.rules.onMixed === "error" || (isDeclared && kind !== "text")) {
    throw wrongKind(cursor, column, NAMES[kind], found);
  }
  if (kind === "text") return appendText(cursor, column, depth);
  skipValue(cursor, depth);
  cursor.mixed.add(column);
  column.appendNull();
}

/** Appends a string unchanged, and any other value as its JSON. */
function appendText(cursor: JsonCursor, column: Column, depth: number): void {
  const start = cursor.at;
  if (peek(cursor) === QUOTE) {
    cursor.at++;
    copyString(cursor, column.text);
  } else {
    skipValue(cursor, depth);
    column.text.append(cursor.bytes, start, cursor.at);
  }
  column.endValue(column.text.length);
}

/** @param shown Describes the value in the message. Default: the name of its kind. */
function wrongKind(
  cursor: JsonCursor,
  column: Column,
  expected: string,
  found: Kind,
  shown = NAMES[found],
): SchemaError {
  const { path: columnPath } = column.selection;
  const actual = NAMES[found];
  const remedy = column.isDeclared ? "" : ' (onMixed: "widen" accepts both)';
  return new SchemaError(
    "schema-mismatch",
    `${cursor.where(cursor.at)}: column "${columnPath}" holds ${expected}, but this record has ${shown}${remedy}.`,
    { reason: "wrong-kind", columnPath, expected, actual, ...cursor.place(cursor.at) },
  );
}

function integerRange(cursor: JsonCursor, column: Column, type: string): SchemaError {
  const { path: columnPath } = column.selection;
  const remedy = column.isDeclared ? "" : ' (onMixed: "widen" reads it as the nearest float64)';
  return new SchemaError(
    "schema-mismatch",
    `${cursor.where(cursor.at)}: column "${columnPath}" has an integer that ${type} cannot hold${remedy}.`,
    { reason: "integer-range", columnPath, ...cursor.place(cursor.at) },
  );
}
