import {
  BytesColumn,
  type ColumnElements,
  isUtf8,
  leafValues,
  shortFloat32,
  temporalText,
  toBase64,
  valueKind,
} from "@tfxio/arrow-encoding";
import { ConversionError } from "@tfxio/wire";
import { DataType, type Field } from "apache-arrow";
import type { JsonRowOptions } from "../options.js";
import type { JsonBuffer } from "./json-buffer.js";

/** Appends value `index` of a column. Errors name `row`, the index of the value's row in the batch. */
export type AppendValue = (index: number, row: number) => void;

/** Options for writing values, and the buffer to write to. */
export interface JsonStyle extends Pick<JsonRowOptions, "nonFinite" | "binary" | "unwrapSingle"> {
  readonly json: JsonBuffer;
}

/** Values of a column in list form. {@link valueAppender} takes the values of the innermost lists. */
export interface LeafColumn {
  readonly path: string;
  readonly elements: ColumnElements;
  /** Type of the values before the conversion to list form. */
  readonly stored: DataType;
  /** Fields that enclose the values. Their metadata may declare booleans, dates or times. */
  readonly owners: readonly Field[];
}

/**
 * Returns a function that appends non-null values. Integers are exact. Finite floats have the fewest digits that read back as the
 * same value, and always a point or an exponent. Dates and times are written in ISO 8601, durations as integers, and
 * decimals as text.
 * @throws {ConversionError} `not-convertible` (`not-utf8`, `non-finite`, `date-range`), from the returned function.
 */
export function valueAppender({ path, elements, stored, owners }: LeafColumn, style: JsonStyle): AppendValue {
  const { json } = style;
  const { type } = elements.data;
  if (DataType.isNull(type)) return () => json.appendAscii("null");
  const values = leafValues(elements);
  if (values instanceof BytesColumn) {
    const isBinary = style.binary === "base64" && holdsBytes(stored);
    return isBinary ? base64(values, json) : utf8(values, path, json);
  }
  if (valueKind(type, owners) === "boolean") {
    return (index) => json.appendAscii(values[index] === 1 ? "true" : "false");
  }
  const asDate = temporalText(type, owners);
  if (asDate !== undefined) {
    return (index, row) => {
      const date = asDate(values[index]!);
      if (date === undefined) {
        throw cellError(
          path,
          row,
          "date-range",
          `has the value ${values[index]}, which is outside the range of ISO 8601 dates`,
        );
      }
      json.appendAscii(`"${date}"`);
    };
  }
  if (values instanceof BigInt64Array) return int64(values, json);
  const isFloat32 = values instanceof Float32Array;
  return (index, row) => {
    const value = values[index] as number;
    if (Number.isFinite(value)) json.appendAscii(floatText(isFloat32 ? shortFloat32(value) : value));
    else appendNonFinite(value, path, row, style);
  };
}

/** Returns true for all binary types and dictionaries of them, and false for text and decimals. */
function holdsBytes(stored: DataType): boolean {
  if (DataType.isDictionary(stored)) return holdsBytes(stored.dictionary as DataType);
  return DataType.isBinary(stored) || DataType.isLargeBinary(stored) || DataType.isFixedSizeBinary(stored);
}

/**
 * Returns a function that appends int64 values. It reads 32-bit halves, since a bigint for each value would take several times as
 * long. Arrow buffers are little-endian.
 */
function int64(values: BigInt64Array, json: JsonBuffer): AppendValue {
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  return (index) => {
    const low = halves[2 * index]!;
    const fitsInt32 = halves[2 * index + 1] === low >> 31;
    json.appendAscii(String(fitsInt32 ? low : values[index]));
  };
}

/** Returns the text of a float. A whole number without an exponent ends in `.0`, so that it is not read back as an integer. */
function floatText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  return Number.isInteger(value) && !text.includes("e") ? `${text}.0` : text;
}

function appendNonFinite(value: number, path: string, row: number, { nonFinite, json }: JsonStyle): void {
  if (nonFinite === "error") {
    const hint = 'nonFinite: "accept" writes it as Python does, "null" writes null';
    throw cellError(path, row, "non-finite", `has ${value}, which JSON cannot represent; ${hint}`);
  }
  json.appendAscii(nonFinite === "null" ? "null" : String(value));
}

function utf8({ data, offsets }: BytesColumn, path: string, json: JsonBuffer): AppendValue {
  return (index, row) => {
    const start = offsets[index]!;
    const end = offsets[index + 1]!;
    if (!isUtf8(data, start, end)) {
      const hint = 'binary: "base64" writes Binary columns in base64';
      throw cellError(path, row, "not-utf8", `has bytes that are not UTF-8 text; ${hint}`);
    }
    json.appendString(data, start, end);
  };
}

function base64(values: BytesColumn, json: JsonBuffer): AppendValue {
  return (index) => json.appendAscii(`"${toBase64(values.get(index))}"`);
}

function cellError(columnPath: string, row: number, reason: string, problem: string): ConversionError {
  const message = `Row ${row} of the batch: column "${columnPath}" ${problem}.`;
  return new ConversionError("not-convertible", message, { reason, columnPath, row });
}
