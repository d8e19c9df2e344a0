import type { Json } from "../expression/json.js";

/**
 * Returns canonical JSON text, which is the same for equal values: no spaces, and members sorted by the UTF-16 code units of
 * their names. Undefined members are left out.
 * @throws {TypeError} for numbers that JSON cannot hold, and for text with lone surrogates.
 * @see RFC 8785
 */
export function canonicalJson(value: Json): string {
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  if (typeof value === "string" && hasLoneSurrogate(value)) throw new TypeError("text is not well-formed");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const members = Object.entries(value as Readonly<Record<string, Json | undefined>>)
    .filter((member): member is [string, Json] => member[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`);
  return `{${members.join()}}`;
}

function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
