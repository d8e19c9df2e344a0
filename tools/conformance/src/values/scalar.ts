import { halfOf, numberOfHalf } from "./float16.js";

/** Bytes in the notation of the test vectors, which is base64. */
export interface BytesJson {
  readonly b64: string;
}

/** Parses a number from a test vector. JSON cannot represent NaN and infinities, so they are text in vectors. */
export function numberOf(json: unknown): number {
  if (typeof json === "number") return json;
  if (json === "NaN") return Number.NaN;
  if (json === "Infinity" || json === "inf") return Number.POSITIVE_INFINITY;
  if (json === "-Infinity" || json === "-inf") return Number.NEGATIVE_INFINITY;
  throw new TypeError(
    `a number in a test vector must be a JSON number or "NaN", "inf" or "-inf", found ${JSON.stringify(json)}`,
  );
}

/** Parses bytes from a test vector: a member `b64` with base64, or a string whose UTF-8 is returned. */
export function bytesOf(json: unknown): Uint8Array {
  if (typeof json === "string") return new TextEncoder().encode(json);
  if (typeof json === "object" && json !== null && "b64" in json) {
    return Uint8Array.from(atob(String(json.b64)), (character) => character.charCodeAt(0));
  }
  throw new TypeError(`bytes in a test vector must be text or { b64 }, found ${JSON.stringify(json)}`);
}

/** Returns bytes in the notation of the test vectors. */
export function bytesJson(bytes: Uint8Array): BytesJson {
  return { b64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
}

/** Converts a value of a test vector to the notation in which values are compared, and rounds it to the precision of `dtype`. */
export function canonicalScalar(dtype: string, json: unknown): unknown {
  switch (dtype) {
    case "int64":
    case "uint64":
      return String(json);
    case "float32":
      return Math.fround(numberOf(json));
    case "float16":
      return numberOfHalf(halfOf(numberOf(json)));
    case "float64":
      return numberOf(json);
    case "binary":
    case "large_binary":
      return bytesJson(bytesOf(json));
    default:
      return json;
  }
}
