import { halfOf, numberOfHalf } from "./float16.js";

/** Bytes as vectors write them. */
export interface BytesJson {
  readonly b64: string;
}

/** Parses a number of a vector. JSON has no NaN or infinities, so vectors write those as text. `-0` is a number. */
export function numberOf(json: unknown): number {
  if (typeof json === "number") return json;
  if (json === "NaN") return Number.NaN;
  if (json === "Infinity" || json === "inf") return Number.POSITIVE_INFINITY;
  if (json === "-Infinity" || json === "-inf") return Number.NEGATIVE_INFINITY;
  throw new TypeError(`not a number in a vector: ${JSON.stringify(json)}`);
}

/** Parses bytes of a vector: base64, or a plain string that stands for its UTF-8. */
export function bytesOf(json: unknown): Uint8Array {
  if (typeof json === "string") return new TextEncoder().encode(json);
  if (typeof json === "object" && json !== null && "b64" in json) {
    return Uint8Array.from(atob(String(json.b64)), (character) => character.charCodeAt(0));
  }
  throw new TypeError(`not bytes in a vector: ${JSON.stringify(json)}`);
}

/** The inverse of {@link bytesOf}. */
export function bytesJson(bytes: Uint8Array): BytesJson {
  return { b64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
}

/** The value as a column of type `dtype` stores it, in the notation in which both sides are compared. */
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
