import type { PredicateValue } from "./predicate.js";

/** Matches an integer or a float with an optional sign. Sticky, so set `lastIndex` first. */
export const NUMBER: RegExp = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/uy;

/** Matches text in double quotes, or bytes in double quotes after a `b`. Sticky, so set `lastIndex` first. */
export const STRING: RegExp = /b?"(?:[^"\\\n]|\\.)*"/uy;

const INTEGER = /^[+-]?\d+$/u;
const BYTE = /\\x([0-9a-fA-F]{2})|\\(["\\nrt])|([\x20-\x5b\x5d-\x7e])/uy;
/** Byte values of the escapes that consist of a backslash and one character, keyed by that character. */
const byteEscapes: Readonly<Record<string, number>> = { '"': 34, "\\": 92, n: 10, r: 13, t: 9 };

/** Parses a number: a bigint if the text has no point and no exponent, otherwise a float. */
export function parseNumber(text: string): bigint | number {
  if (!INTEGER.test(text)) return Number(text);
  return text.startsWith("+") ? BigInt(text.slice(1)) : BigInt(text);
}

/**
 * Parses a match of {@link STRING}: text with JSON's escapes, or bytes as printable ASCII and escapes such as `\x00`. Undefined
 * for an unknown escape, for an unescaped control character, and for bytes outside printable ASCII that are not escaped.
 */
export function parseString(text: string): string | Uint8Array | undefined {
  if (text.startsWith("b")) return parseBytes(text.slice(2, -1));
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** Parses the text between the quotes. Undefined if it contains anything but printable ASCII and known escapes. */
function parseBytes(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  BYTE.lastIndex = 0;
  while (BYTE.lastIndex < text.length) {
    const match = BYTE.exec(text);
    if (match === null) return undefined;
    const [, hex, escape, plain] = match;
    if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else bytes.push(byteEscapes[escape ?? ""] ?? (plain ?? "").charCodeAt(0));
  }
  return Uint8Array.from(bytes);
}

/**
 * Formats a value as text that parses to the same value. The text of a number has a point or an exponent, or is a name such as
 * `NaN`. The text of a bigint has only digits and, if it is negative, a minus sign.
 */
export function formatValue(value: PredicateValue): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return formatNumber(value);
    case "object":
      return `b"${Array.from(value, formatByte).join("")}"`;
    default:
      return String(value);
  }
}

/** Formats a number so that it does not parse as an integer: `18.0`, `1e+21`, `NaN`. */
function formatNumber(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  return INTEGER.test(text) ? `${text}.0` : text;
}

/** Formats a byte as printable ASCII, or as an escape such as `\x00`. Quotes and backslashes are escaped. */
function formatByte(byte: number): string {
  const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 34 && byte !== 92;
  return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
}
