import { type BytesColumn, columnElements, flatValues, isBytesType } from "@tfxio/arrow-encoding";
import { ConversionError } from "@tfxio/wire";
import { type Data, DataType, DateUnit, type Decimal, Precision, TimeUnit, Vector } from "apache-arrow";
import type { ByteWriter } from "./byte-writer.js";

/** An Avro schema as JSON. */
export type AvroJson = string | { readonly [key: string]: unknown } | readonly AvroJson[];

/** Writes value `index` of a column. Errors name `row`, the row of the batch that contains the value. */
export type WriteValue = (index: number, out: ByteWriter, row: number) => void;

/** Writes columns of one Arrow type as Avro values. */
export interface ColumnWriter {
  readonly schema: AvroJson;
  /** Returns a function that writes the values of `column`, which must have the writer's Arrow type. Borrows the column. */
  readonly of: (column: Data) => WriteValue;
}

/** Unit names in Avro's logical types. Avro has no seconds, so they are written as milliseconds. */
const UNITS = {
  [TimeUnit.SECOND]: "millis",
  [TimeUnit.MILLISECOND]: "millis",
  [TimeUnit.MICROSECOND]: "micros",
  [TimeUnit.NANOSECOND]: "nanos",
} as const;
const MILLIS_OF_DAY = 86_400_000;
const MAX_INT = 2 ** 31 - 1;
const MAX_LONG = 2n ** 63n - 1n;

/**
 * Returns the writer of a column without children, or undefined if Avro has no such type. Durations and Intervals have no writer,
 * because Avro's `duration` can store only some of them: it holds unsigned 32-bit counts of months, days and milliseconds.
 * @param path Name of the column for errors.
 */
export function leafWriter(type: DataType, path: string): ColumnWriter | undefined {
  if (DataType.isNull(type)) return { schema: "null", of: () => () => {} };
  if (DataType.isInt(type)) {
    const isInt = type.bitWidth < 32 || (type.bitWidth === 32 && type.isSigned);
    return integerWriter(isInt ? "int" : "long", 1, path);
  }
  if (DataType.isBool(type)) {
    return vectorWriter("boolean", (value, out) => out.writeByte(value === true ? 1 : 0));
  }
  if (DataType.isFloat(type)) {
    return type.precision === Precision.DOUBLE
      ? vectorWriter("double", (value, out) => out.writeDouble(value as number))
      : vectorWriter("float", (value, out) => out.writeFloat(value as number));
  }
  if (isBytesType(type)) {
    const isText = DataType.isUtf8(type) || DataType.isLargeUtf8(type);
    return {
      schema: isText ? "string" : "bytes",
      of: (column) => {
        const values = flatValues(columnElements(column)).values as BytesColumn;
        return (index, out) => out.writeBytes(values.get(index));
      },
    };
  }
  if (DataType.isDate(type)) {
    const perDay = type.unit === DateUnit.DAY ? 1 : MILLIS_OF_DAY;
    return integerWriter({ type: "int", logicalType: "date" }, 1 / perDay, path);
  }
  if (DataType.isTime(type)) {
    if (type.unit === TimeUnit.NANOSECOND) return integerWriter("long", 1, path);
    const schema = { type: type.bitWidth === 32 ? "int" : "long", logicalType: `time-${UNITS[type.unit]}` };
    return integerWriter(schema, type.unit === TimeUnit.SECOND ? 1000 : 1, path);
  }
  if (DataType.isTimestamp(type)) {
    const prefix = type.timezone === null || type.timezone === undefined ? "local-" : "";
    const schema = { type: "long", logicalType: `${prefix}timestamp-${UNITS[type.unit]}` };
    return integerWriter(schema, type.unit === TimeUnit.SECOND ? 1000 : 1, path);
  }
  return DataType.isDecimal(type) ? decimalWriter(type) : undefined;
}

/**
 * Returns a writer that multiplies integers by `factor` and rounds down. The factor is 1000 for seconds, 1 / 86,400,000 for dates
 * in milliseconds, and otherwise 1.
 */
function integerWriter(schema: AvroJson, factor: number, path: string): ColumnWriter {
  return {
    schema,
    of({ values }: Data) {
      const writeInt = (value: number, out: ByteWriter, row: number): void => {
        if (value > MAX_INT || value < -MAX_INT - 1) throw outOfRange(value, "int", { path, row });
        out.writeNumber(value);
      };
      if (!(values instanceof BigInt64Array || values instanceof BigUint64Array)) {
        if (factor === 1) return (index, out) => out.writeNumber((values as Int32Array)[index]!);
        return (index, out, row) => writeInt((values as Int32Array)[index]! * factor, out, row);
      }
      if (factor < 1) {
        return (index, out, row) => writeInt(Math.floor(Number(values[index]) * factor), out, row);
      }
      const writeLong = (value: bigint, out: ByteWriter, row: number): void => {
        if (value > MAX_LONG || value < -MAX_LONG - 1n) throw outOfRange(value, "long", { path, row });
        out.writeLong(Number(BigInt.asIntN(32, value)), Number(value >> 32n));
      };
      if (factor > 1) {
        return (index, out, row) => writeLong(BigInt.asIntN(64, values[index]!) * BigInt(factor), out, row);
      }
      if (values instanceof BigUint64Array) return (index, out, row) => writeLong(values[index]!, out, row);
      const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
      return (index, out) => out.writeLong(halves[2 * index]!, halves[2 * index + 1]!);
    },
  };
}

function outOfRange(
  value: number | bigint,
  type: "int" | "long",
  { path: columnPath, row }: { readonly path: string; readonly row: number },
): ConversionError {
  const message = `Row ${row} of column "${columnPath}" would be written as ${value}, which does not fit an Avro ${type}.`;
  return new ConversionError("out-of-range", message, {
    reason: type === "int" ? "avro-int" : "int64",
    columnPath,
    row,
  });
}

/** Returns a writer that reads each value through arrow-js. @param write Writes a value that `Vector.get` returned. */
function vectorWriter(schema: AvroJson, write: (value: unknown, out: ByteWriter) => void): ColumnWriter {
  return {
    schema,
    of(column) {
      const vector = new Vector([column]);
      return (index, out) => write(vector.get(index), out);
    },
  };
}

/** Returns a writer of decimals. Reverses their bytes, since Arrow stores them little-endian and Avro big-endian. */
function decimalWriter({ precision, scale, bitWidth }: Decimal): ColumnWriter {
  const width = bitWidth / 8;
  return {
    schema: { type: "bytes", logicalType: "decimal", precision, scale },
    of({ values }) {
      const { buffer, byteOffset, byteLength } = values as Uint32Array;
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      return (index, out) => out.writeBytes(bytes.subarray(index * width, (index + 1) * width).toReversed());
    },
  };
}
