import type { PlainValue } from "@tfxio/arrow-encoding";

/** Maximum number of list values, or of struct fields, to show. */
const MAX_VALUES = 4;
/** Maximum number of characters of text to show. */
const MAX_CHARACTERS = 48;
/** Maximum number of bytes to show in hexadecimal. */
const MAX_BYTES = 8;

/** Meaning of strings in a column: text, or values that JSON cannot represent, such as NaN, large integers and dates. */
export type StringMeaning = "text" | "number";

/**
 * Formats a value of a row as one short line. A list of one value is shown as that value, unless the value is a list. Null is
 * shown as `null`, and an empty list as `[]`. Text that could be mistaken for null, a boolean, a number, a list or an empty cell
 * is quoted. A binary value is shown as its first bytes in hexadecimal, followed by its length.
 */
export function cellText(value: PlainValue, strings: StringMeaning = "text"): string {
  if (Array.isArray(value) && value.length === 1 && !Array.isArray(value[0]))
    return scalarText(value[0] as PlainValue, strings);
  return Array.isArray(value)
    ? listText(value as readonly PlainValue[], strings)
    : scalarText(value, strings);
}

/** Formats a list in brackets, even if it has a single value. */
export function listText(values: readonly PlainValue[], strings: StringMeaning = "text"): string {
  const shown = values.slice(0, MAX_VALUES).map((item) => itemText(item, strings));
  if (values.length > MAX_VALUES) shown.push(`… ${values.length - MAX_VALUES} more`);
  return `[${shown.join(", ")}]`;
}

/**
 * Formats a value inside a list or struct. Quotes all text, except plain text (see {@link isPlain}) that is the only value of a
 * nested list.
 */
function itemText(value: PlainValue, strings: StringMeaning): string {
  if (typeof value === "string" && strings === "text") return shortened(value, JSON.stringify);
  return cellText(value, strings);
}

/** Formats a value that is not a list: null, text, a number, bytes or a struct. */
function scalarText(value: PlainValue, strings: StringMeaning): string {
  if (value === null) return "null";
  if (typeof value === "string") {
    if (strings === "number") return value;
    return shortened(value, isPlain(value) ? String : JSON.stringify);
  }
  if (typeof value !== "object") return String(value);
  if (isBytes(value)) return bytesText(value.base64);
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${itemText(field, "text")}`);
  const more = fields.length > MAX_VALUES ? [`… ${fields.length - MAX_VALUES} more`] : [];
  return `{${[...fields.slice(0, MAX_VALUES), ...more].join(", ")}}`;
}

/** Returns whether text needs no quotes: it cannot be mistaken for null, a boolean, a number, a list or an empty cell. */
function isPlain(text: string): boolean {
  const isWord = /^[\p{L}\p{N}](?:[^\p{C}"]*[^\p{C}\p{Z}"])?$/u.test(text);
  return isWord && !/^(?:null|true|false|nan|infinity|[\d.eE+-]+)$/i.test(text);
}

/** Formats text with `write`. Long text is truncated, and the number of remaining characters is appended. */
function shortened(text: string, write: (text: string) => string): string {
  const characters = Array.from(text);
  const rest = characters.length - MAX_CHARACTERS;
  return rest <= 0 ? write(text) : `${write(characters.slice(0, MAX_CHARACTERS).join(""))}… ${rest} more`;
}

function isBytes(value: object): value is { readonly base64: string } {
  const [name, ...others] = Object.keys(value);
  return (
    name === "base64" && others.length === 0 && typeof (value as { base64: unknown }).base64 === "string"
  );
}

/** Formats the first bytes in hexadecimal, followed by the total number of bytes. */
function bytesText(base64: string): string {
  const bytes = Buffer.from(base64, "base64");
  const hex = bytes.subarray(0, MAX_BYTES).toString("hex");
  return `0x${hex}${bytes.length > MAX_BYTES ? "…" : ""} (${bytes.length} ${bytes.length === 1 ? "byte" : "bytes"})`;
}
