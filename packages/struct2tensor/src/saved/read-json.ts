import { isObject } from "@tfxio/wire/checks";
import type { Json } from "../expression/json.js";
import { canonicalJson } from "./canonical-json.js";
import { malformed, problemOf } from "./errors.js";

/** An unchecked JSON object. */
export type JsonObject = Readonly<Record<string, Json>>;

/** Limit on the nesting of lists and objects. Deeper nesting could exhaust the stack. */
const MAX_DEPTH = 64;

/**
 * Parses the object in a JSON file. The file must be canonical JSON, so that equal content has equal bytes.
 * @throws {RecordError} `malformed-payload` (`data-view`).
 */
export function readJsonFile(file: string, bytes: Uint8Array): JsonObject {
  let text: string;
  let json: Json;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    assertDepth(text);
    json = JSON.parse(text) as Json;
    if (canonicalJson(json) !== text) throw new Error("it is not canonical JSON (RFC 8785)");
  } catch (cause) {
    throw malformed(file, `it cannot be read as JSON: ${problemOf(cause)}`, "data-view", cause);
  }
  return objectIn(file, "its content", json);
}

/** Checks the nesting before parsing, because the parser may recurse. */
function assertDepth(text: string): void {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gu)) {
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth > MAX_DEPTH)
      throw new Error(`its lists and objects must be nested at most ${MAX_DEPTH} levels deep`);
  }
}

/**
 * Returns an object that has exactly the members `names`.
 * @throws {RecordError} `malformed-payload` (`data-view`) for any other JSON.
 */
export function membersIn<Name extends string>(
  file: string,
  what: string,
  json: Json | undefined,
  names: readonly Name[],
): Readonly<Record<Name, Json>> {
  const object = objectIn(file, what, json);
  const found = Object.keys(object).sort().join(", ");
  const expected = [...names].sort().join(", ");
  if (found !== expected)
    throw malformed(file, `${what} must have the members ${expected}; found ${found || "none"}`);
  return object;
}

/** Returns `json` if it is an object. @throws {RecordError} `malformed-payload` (`data-view`). */
export function objectIn(file: string, what: string, json: Json | undefined): JsonObject {
  if (isObject(json) && !Array.isArray(json)) return json as JsonObject;
  throw malformed(file, `${what} must be an object`);
}

/**
 * Returns `json` if it is a list of at most `maxLength` items.
 * @throws {RecordError} `malformed-payload`: `data-view` if it is not a list, `data-view-size` for a longer list.
 */
export function listIn(
  file: string,
  what: string,
  json: Json | undefined,
  maxLength: number,
): readonly Json[] {
  if (!Array.isArray(json)) throw malformed(file, `${what} must be a list`);
  if (json.length <= maxLength) return json as readonly Json[];
  throw malformed(
    file,
    `${what} must have at most ${maxLength} items, found ${json.length}`,
    "data-view-size",
  );
}

/** Returns `json` if it is text. @throws {RecordError} `malformed-payload` (`data-view`). */
export function textIn(file: string, what: string, json: Json | undefined): string {
  if (typeof json === "string") return json;
  throw malformed(file, `${what} must be text`);
}
