import { invalidArgument, isObject } from "@tfxio/wire/checks";
import type { Json } from "../expression/json.js";
import { bytesFromJson } from "./constants.js";
import type { Constant } from "./value-function.js";

/** Parses a constant from untrusted JSON: the inverse of `constantToJson`. @throws {ArgumentError} `invalid-argument`. */
export function constantFromJson(json: Json): Constant {
  if (typeof json === "number" || typeof json === "boolean" || typeof json === "string") return json;
  const [[kind, text] = [], ...others] = isObject(json) ? Object.entries(json) : [];
  if (typeof text === "string" && others.length === 0) {
    if (kind === "int" && /^-?\d{1,40}$/u.test(text)) return BigInt(text);
    if (kind === "float" && ["NaN", "Infinity", "-Infinity", "-0"].includes(text)) return Number(text);
    if (kind === "bytes" && /^[A-Za-z0-9+/]*={0,2}$/u.test(text) && text.length % 4 === 0) {
      return bytesFromJson({ bytes: text });
    }
  }
  throw invalidArgument("constant", "a number, boolean or text, or an object with int, float or bytes", json);
}
