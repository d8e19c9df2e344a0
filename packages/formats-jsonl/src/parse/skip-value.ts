import { RecordError } from "@tfxio/wire";
import { copyString, QUOTE } from "./copy-string.js";
import type { JsonCursor } from "./json-cursor.js";
import { scanNumber, startsWith } from "./scan-number.js";

export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const COMMA = 0x2c;
const COLON = 0x3a;
export const LETTER_T = 0x74;
export const LETTER_F = 0x66;
export const LETTER_N = 0x6e;

/**
 * Checks a value and moves past it. Returns true if the value is or contains a string, a number or a boolean.
 * @param depth Number of objects and lists that enclose the value.
 * @throws {RecordError} `malformed-payload`, as for a value that is parsed; `limit-exceeded` (`nesting-depth`).
 */
export function skipValue(cursor: JsonCursor, depth: number): boolean {
  let hasValues = false;
  switch (peek(cursor)) {
    case QUOTE:
      skipString(cursor);
      return true;
    case OPEN_OBJECT:
      enterLevel(cursor, depth);
      if (isClosed(cursor, CLOSE_OBJECT)) return false;
      do {
        skipName(cursor);
        if (skipValue(cursor, depth + 1)) hasValues = true;
      } while (goesOn(cursor, CLOSE_OBJECT));
      return hasValues;
    case OPEN_LIST:
      enterLevel(cursor, depth);
      if (isClosed(cursor, CLOSE_LIST)) return false;
      do {
        if (skipValue(cursor, depth + 1)) hasValues = true;
      } while (goesOn(cursor, CLOSE_LIST));
      return hasValues;
    case LETTER_T:
      takeWord(cursor, "true");
      return true;
    case LETTER_F:
      takeWord(cursor, "false");
      return true;
    case LETTER_N:
      takeWord(cursor, "null");
      return false;
    default:
      scanNumber(cursor);
      return true;
  }
}

/** Returns the next byte, or 0 at the end of the record. A 0 byte never occurs in valid JSON. */
export function peek({ bytes, at, end }: JsonCursor): number {
  return at < end ? bytes[at]! : 0;
}

/** Moves past an opening bracket and white space. @throws {RecordError} `limit-exceeded` (`nesting-depth`). */
export function enterLevel(cursor: JsonCursor, depth: number): void {
  const { maxDepth } = cursor.rules;
  if (depth >= maxDepth) {
    const { at } = cursor;
    throw new RecordError(
      "limit-exceeded",
      `${cursor.where(at)}: objects and lists must not be nested more than ${maxDepth} levels deep (maxDepth).`,
      { reason: "nesting-depth", ...cursor.place(at) },
    );
  }
  cursor.at++;
  cursor.skipSpace();
}

/** If the object or list that was just entered is empty, moves past its closing bracket and returns true. */
export function isClosed(cursor: JsonCursor, close: number): boolean {
  if (peek(cursor) !== close) return false;
  cursor.at++;
  return true;
}

/** Moves past a comma and white space and returns true, or past the closing bracket and returns false. */
export function goesOn(cursor: JsonCursor, close: number): boolean {
  if (peek(cursor) <= 0x20) cursor.skipSpace();
  const byte = peek(cursor);
  if (byte !== COMMA && byte !== close) {
    throw cursor.malformed(`"," or "${String.fromCharCode(close)}"`);
  }
  cursor.at++;
  if (byte === close) return false;
  if (peek(cursor) <= 0x20) cursor.skipSpace();
  return true;
}

/** Moves past a colon and the white space around it. */
export function takeColon(cursor: JsonCursor): void {
  if (peek(cursor) <= 0x20) cursor.skipSpace();
  if (peek(cursor) !== COLON) throw cursor.malformed('":"');
  cursor.at++;
  if (peek(cursor) <= 0x20) cursor.skipSpace();
}

/** Moves past one of JSON's three words. */
export function takeWord(cursor: JsonCursor, word: "true" | "false" | "null"): void {
  if (!startsWith(cursor, word)) throw cursor.malformed("a value");
  cursor.at += word.length;
}

function skipString(cursor: JsonCursor): void {
  cursor.at++;
  cursor.scratch.length = 0;
  copyString(cursor, cursor.scratch);
}

function skipName(cursor: JsonCursor): void {
  if (peek(cursor) !== QUOTE) throw cursor.malformed("a name in double quotes");
  skipString(cursor);
  takeColon(cursor);
}
