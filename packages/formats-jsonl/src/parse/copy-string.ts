import type { JsonCursor } from "./json-cursor.js";
import type { TextBytes } from "./text-bytes.js";

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/**
 * 1 for bytes that are copied without further checks: ASCII except control characters, quote and backslash. In JSON, DEL is not a
 * control character.
 */
const PLAIN: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);
/** The byte that a character after a backslash stands for; 0 for `u`, and for characters that must not follow a backslash. */
const ESCAPED: Uint8Array = new Uint8Array(256);
for (const [letter, byte] of Object.entries({
  '"': 0x22,
  "\\": 0x5c,
  "/": 0x2f,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
})) {
  ESCAPED[letter.charCodeAt(0)] = byte;
}
/** Maximum size of a UTF-8 character in bytes. */
const MAX_CHARACTER = 4;

/**
 * Appends the text of a string, as UTF-8 and with escapes resolved. The cursor must be after the opening quote. It moves past
 * the closing quote.
 * @throws {RecordError} `malformed-payload`: `json-syntax`; `json-utf8` for bytes that are not UTF-8; `lone-surrogate` for an
 * escaped half of a surrogate pair without the other half.
 */
export function copyString(cursor: JsonCursor, text: TextBytes): void {
  const { bytes, end } = cursor;
  let { at } = cursor;
  for (;;) {
    text.reserve(MAX_CHARACTER);
    const target = text.bytes;
    let { length } = text;
    const stop = Math.min(end, at + target.length - length);
    let byte = 0;
    while (at < stop && PLAIN[(byte = bytes[at]!)] === 1) {
      target[length++] = byte;
      at++;
    }
    text.length = length;
    if (at === end) throw cursor.malformed("the quote that ends a string", "json-syntax", at);
    if (at === stop) {
      text.reserve(target.length);
      continue;
    }
    if (byte === QUOTE) {
      cursor.at = at + 1;
      return;
    }
    text.reserve(MAX_CHARACTER);
    at = byte === BACKSLASH ? copyEscape(cursor, at, text) : copyCharacter(cursor, at, text);
  }
}

/** Copies the character of the escape at `at`, and returns the escape's end. */
function copyEscape(cursor: JsonCursor, at: number, text: TextBytes): number {
  const { bytes, end } = cursor;
  const letter = at + 1 < end ? bytes[at + 1]! : 0;
  if (letter !== LOWER_U) {
    const byte = ESCAPED[letter]!;
    if (byte === 0) throw cursor.malformed("a character that may follow a backslash", "json-syntax", at + 1);
    text.bytes[text.length++] = byte;
    return at + 2;
  }
  const unit = hexUnit(cursor, at + 2);
  let next = at + 6;
  let codePoint = unit;
  if (unit >= 0xd800 && unit < 0xe000) {
    const isPair =
      unit < 0xdc00 && next + 1 < end && bytes[next] === BACKSLASH && bytes[next + 1] === LOWER_U;
    const low = isPair ? hexUnit(cursor, next + 2) : 0;
    if (low < 0xdc00 || low >= 0xe000) {
      const half = String.fromCharCode(...bytes.subarray(at, next));
      throw cursor.malformed("both halves of a surrogate pair", "lone-surrogate", at, `only ${half}`);
    }
    codePoint = 0x10000 + (unit - 0xd800) * 0x400 + (low - 0xdc00);
    next += 6;
  }
  appendCodePoint(text, codePoint);
  return next;
}

/** Parses four hexadecimal digits as a UTF-16 code unit. */
function hexUnit(cursor: JsonCursor, at: number): number {
  let unit = 0;
  for (let index = at; index < at + 4; index++) {
    const byte = index < cursor.end ? cursor.bytes[index]! : 0;
    const digit = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : hexLetter(byte | 0x20);
    if (digit < 0) throw cursor.malformed("four hexadecimal digits", "json-syntax", index);
    unit = unit * 16 + digit;
  }
  return unit;
}

function hexLetter(byte: number): number {
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
}

function appendCodePoint(text: TextBytes, codePoint: number): void {
  const { bytes } = text;
  if (codePoint < 0x80) {
    bytes[text.length++] = codePoint;
    return;
  }
  if (codePoint < 0x800) {
    bytes[text.length++] = 0xc0 | (codePoint >> 6);
  } else {
    if (codePoint < 0x10000) {
      bytes[text.length++] = 0xe0 | (codePoint >> 12);
    } else {
      bytes[text.length++] = 0xf0 | (codePoint >> 18);
      bytes[text.length++] = 0x80 | ((codePoint >> 12) & 0x3f);
    }
    bytes[text.length++] = 0x80 | ((codePoint >> 6) & 0x3f);
  }
  bytes[text.length++] = 0x80 | (codePoint & 0x3f);
}

/** Copies a character of several bytes, and returns its end. @see RFC 3629, section 4 */
function copyCharacter(cursor: JsonCursor, at: number, text: TextBytes): number {
  const { bytes, end } = cursor;
  const lead = bytes[at]!;
  if (lead < 0x20) throw cursor.malformed("an escape instead of a control character", "json-syntax", at);
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > end) throw notUtf8(cursor, at);
  const second = bytes[at + 1]!;
  // Reject overlong forms, surrogates, and code points beyond U+10FFFF.
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) throw notUtf8(cursor, at);
  for (let index = at; index < at + length; index++) {
    const byte = bytes[index]!;
    if (index > at && (byte & 0xc0) !== 0x80) throw notUtf8(cursor, at);
    text.bytes[text.length++] = byte;
  }
  return at + length;
}

function notUtf8(cursor: JsonCursor, at: number): Error {
  return cursor.malformed("UTF-8", "json-utf8", at);
}
