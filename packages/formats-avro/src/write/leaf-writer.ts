import { type BytesColumn, columnElements, flatValues, isBytesType } from "@tfxio/arrow-encoding";
import { ConversionError } from "@tfxio/wire";
import { type Data, DataType, DateUnit, type Decimal, Precision, TimeUnit, Vector } from "apache-arrow";
import type { ByteWriter } from "./byte-writer.js";

/** An Avro schema as JSON. */
export type AvroJson = string | { readonly [key: string]: unknown } | readonly AvroJson[];

/** Writes row `row` of a column, which is not null. */
export type WriteRow = (row: number, out: ByteWriter) => void;

/** How columns of one Arrow type become Avro values. */
export interface ColumnWriter {
  readonly schema: AvroJson;
  /** The writer for one column of that type. */
  readonly of: (column: Data) => WriteRow;
}

const UNITS = {
  [TimeUnit.SECOND]: "millis",
  [TimeUnit.MILLISECOND]: "millis",
  [TimeUnit.MICROSECOND]: "micros",
  [TimeUnit.NANOSECOND]: "nanos",
} as const;
const MILLIS_OF_DAY = 86_400_000;
const MAX_LONG = 2n ** 63n - 1n;

/** How columns without children become Avro values; undefined for types that Avro has no form for. */
export function leafWriter(type: DataType): ColumnWriter | undefined {
  if (DataType.isNull(type)) return { schema: "null", of: () => () => {} };
  if (DataType.isInt(type)) {
    const isInt = type.bitWidth < 32 || (type.bitWidth === 32 && type.isSigned);
    return integerWriter(isInt ? "int" : "long", 1);
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
        return (row, out) => out.writeBytes(values.get(row));
      },
    };
  }
  if (DataType.isDate(type)) {
    const perDay = type.unit === DateUnit.DAY ? 1 : MILLIS_OF_DAY;
    return integerWriter({ type: "int", logicalType: "date" }, 1 / perDay);
  }
  if (DataType.isTime(type)) {
    if (type.unit === TimeUnit.NANOSECOND) return integerWriter("long", 1);
    const schema = { type: type.bitWidth === 32 ? "int" : "long", logicalType: `time-${UNITS[type.unit]}` };
    return integerWriter(schema, type.unit === TimeUnit.SECOND ? 1000 : 1);
  }
  if (DataType.isTimestamp(type)) {
    const prefix = type.timezone === null || type.timezone === undefined ? "local-" : "";
    const schema = { type: "long", logicalType: `${prefix}timestamp-${UNITS[type.unit]}` };
    return integerWriter(schema, type.unit === TimeUnit.SECOND ? 1000 : 1);
  }
  return DataType.isDecimal(type) ? decimalWriter(type) : undefined;
}

/** Integers of 32 or 64 bits, times `factor`, which is 1 unless Avro lacks the unit. */
function integerWriter(schema: AvroJson, factor: number): ColumnWriter {
  return {
    schema,
    of({ values }: Data) {
      if (!(values instanceof BigInt64Array || values instanceof BigUint64Array)) {
        return (row, out) => out.writeNumber((values as Int32Array)[row]! * factor);
      }
      if (factor < 1) return (row, out) => out.writeNumber(Math.floor(Number(values[row]) * factor));
      if (factor > 1) {
        return (row, out) => writeBigInt(BigInt.asIntN(64, values[row]!) * BigInt(factor), row, out);
      }
      if (values instanceof BigUint64Array) return (row, out) => writeBigInt(values[row]!, row, out);
      const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
      return (row, out) => out.writeLong(halves[2 * row]!, halves[2 * row + 1]!);
    },
  };
}

function writeBigInt(value: bigint, row: number, out: ByteWriter): void {
  if (value > MAX_LONG || value < -MAX_LONG - 1n) {
    throw new ConversionError("out-of-range", `Row ${row} is ${value}, which an Avro long cannot hold.`, {
      reason: "int64",
      row,
    });
  }
  out.writeLong(Number(BigInt.asIntN(32, value)), Number(value >> 32n));
}

/** @param write Gets a value as arrow-js gives it. */
function vectorWriter(schema: AvroJson, write: (value: unknown, out: ByteWriter) => void): ColumnWriter {
  return {
    schema,
    of(column) {
      const vector = new Vector([column]);
      return (row, out) => write(vector.get(row), out);
    },
  };
}

/** Little-endian words become big-endian bytes. */
function decimalWriter({ precision, scale, bitWidth }: Decimal): ColumnWriter {
  const width = bitWidth / 8;
  return {
    schema: { type: "bytes", logicalType: "decimal", precision, scale },
    of({ values }) {
      const { buffer, byteOffset, byteLength } = values as Uint32Array;
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      return (row, out) => out.writeBytes(bytes.subarray(row * width, (row + 1) * width).toReversed());
    },
  };
}
