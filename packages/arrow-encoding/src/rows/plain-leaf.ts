import type { Data, Field } from "apache-arrow";
import { columnElements } from "../column/column-access.js";
import { BytesColumn } from "../column/column-access-bytes.js";
import { unsupportedType } from "../column/unsupported-type.js";
import { leafValues } from "../list-form/leaf-values.js";
import { valueKind } from "../list-form/value-kind.js";
import { toBase64 } from "../text/base64.js";
import { shortFloat32 } from "../text/short-float32.js";
import type { Base64Bytes, PlainValue } from "./plain-value.js";

/**
 * Creates a function that reads non-null values of a column by position. The column must hold numbers, dates, times, decimals,
 * text, bytes or booleans.
 * @param owners The fields that enclose the values, outermost first.
 * @param path The column's path, for error messages.
 * @throws {UnsupportedError} `unsupported` (`column-type`) if the column holds other values.
 */
export function leafReader(
  data: Data,
  owners: readonly Field[],
  path: string,
): (index: number) => PlainValue {
  const { type } = data;
  const kind = valueKind(type, owners);
  if (kind === undefined) {
    throw unsupportedType(
      `plainRows of column "${path}"`,
      type,
      "numbers, text, bytes or booleans, or lists, structs or maps of them",
    );
  }
  const values = leafValues(columnElements(data));
  if (values instanceof BytesColumn) return (index) => plainBytes(values.get(index));
  if (kind === "boolean") return (index) => values[index] === 1;
  switch (values[Symbol.toStringTag]) {
    case "BigInt64Array":
    case "BigUint64Array":
      return (index) => plainInteger(values[index] as bigint);
    case "Float32Array":
      return (index) => plainFloat(shortFloat32(values[index] as number));
    default:
      return (index) => plainFloat(values[index] as number);
  }
}

// A byte order mark is part of the text.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Converts bytes to a string if they are valid UTF-8, otherwise to base64. */
function plainBytes(bytes: Uint8Array): string | Base64Bytes {
  try {
    return decoder.decode(bytes);
  } catch {
    return { base64: toBase64(bytes) };
  }
}

/** Converts a 64-bit integer to a number if it is a safe integer, otherwise to a string of its digits. */
function plainInteger(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** Converts NaN and infinities to strings, as in protobuf's JSON mapping. Other floats stay numbers. */
function plainFloat(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}
