import {
  BytesColumn,
  type FlatValues,
  isUtf8,
  temporalText,
  toBase64,
  valueKind,
} from "@tfxio/arrow-encoding";
import { DataType, type Field } from "apache-arrow";
import { cellError } from "./cell-error.js";
import { appendFloat32, appendFloat64, appendInt32 } from "./number-text.js";
import type { TextBuffer } from "./text-buffer.js";

/** Appends the text of value `index`, unquoted. Errors name `row`, the index of the value's row in the batch. */
export type AppendValue = (index: number, row: number) => void;

export interface ValueColumn {
  readonly path: string;
  /** Type of the values as stored. */
  readonly type: DataType;
  /** The fields that enclose the values, outermost first. */
  readonly owners: readonly Field[];
  readonly inBase64: boolean;
}

/**
 * Returns a function that appends values of a column as text: integers exactly, floats with the fewest digits that read back as
 * the same value.
 */
export function valueAppender(values: FlatValues, column: ValueColumn, text: TextBuffer): AppendValue {
  const { path, type, owners, inBase64 } = column;
  if (values instanceof BytesColumn) return inBase64 ? base64(values, text) : utf8(values, path, text);
  if (valueKind(type, owners) === "boolean") {
    return (index) => text.appendAscii(values[index] === 1 ? "true" : "false");
  }
  const asDate = temporalText(type, owners);
  if (asDate !== undefined) {
    return (index, row) => {
      const found = values[index] as number | bigint;
      const date = asDate(found);
      if (date === undefined)
        throw cellError(
          path,
          row,
          "date-range",
          `has ${found}, which is outside the range of ISO 8601 dates`,
        );
      text.appendAscii(date);
    };
  }
  switch (values[Symbol.toStringTag]) {
    case "BigInt64Array":
      return int64(values as BigInt64Array, text);
    case "Int8Array":
    case "Int16Array":
    case "Int32Array":
    case "Uint8Array":
    case "Uint16Array":
      return (index) => appendInt32(values[index] as number, text);
    case "Float32Array":
      return (index) => appendFloat32(values[index] as number, text);
    case "Float64Array":
      return (index) => appendFloat64(values[index] as number, text);
    default:
      return (index) => text.appendAscii(String(values[index]));
  }
}

/**
 * Returns a function that appends int64 values. It reads 32-bit halves, so that only values beyond int32 become bigints, which
 * take several times as long. Arrow buffers are little-endian.
 */
function int64(values: BigInt64Array, text: TextBuffer): AppendValue {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  return (index) => {
    const low = halves[2 * index] as number;
    const fitsInt32 = halves[2 * index + 1] === low >> 31;
    if (fitsInt32) appendInt32(low, text);
    else text.appendAscii(String(values[index]));
  };
}

function utf8({ data, offsets }: BytesColumn, path: string, text: TextBuffer): AppendValue {
  return (index, row) => {
    const start = offsets[index] as number;
    const end = offsets[index + 1] as number;
    if (!isUtf8(data, start, end)) {
      const hint = "name the column in `base64Columns` to write it in base64";
      throw cellError(path, row, "not-utf8", `has bytes that are not UTF-8 text; ${hint}`);
    }
    text.append(data, start, end);
  };
}

function base64(values: BytesColumn, text: TextBuffer): AppendValue {
  return (index) => text.appendAscii(toBase64(values.get(index)));
}
