import {
  Bool,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Duration,
  FixedSizeBinary,
  Float16,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  Interval,
  Null,
  Time,
  Timestamp,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
} from "apache-arrow";
import type { FlatTable } from "../flatbuffer/flat-table.js";
import type { Layout } from "./stored-column.js";

/** A type without children, and its layout. */
export interface ValueType {
  readonly type: DataType;
  readonly layout: Layout;
}

const SIGNED = { 8: Int8, 16: Int16, 32: Int32, 64: Int64 } as const;
const UNSIGNED = { 8: Uint8, 16: Uint16, 32: Uint32, 64: Uint64 } as const;
const FLOATS = [Float16, Float32, Float64] as const;
const DECIMAL_BITS: ReadonlySet<number> = new Set([32, 64, 128, 256]);
const SECOND = 0;
const MILLISECOND = 1;
const NANOSECOND = 3;
/** Byte widths of the numbers in an interval, by unit: months; days and milliseconds; months, days and nanoseconds. */
const INTERVALS: readonly (readonly number[])[] = [[4], [4, 4], [4, 4, 8]];

export const nullType: ValueType = { type: new Null(), layout: { kind: "null" } };
export const boolType: ValueType = { type: new Bool(), layout: { kind: "bits" } };

/** Describes values that are one number of `byteWidth` bytes. */
function number(type: DataType, byteWidth: number): ValueType {
  return { type, layout: { kind: "fixed", byteWidth, units: [byteWidth] } };
}

/**
 * Returns the type and layout of an integer column. Like the other exported functions of this file, it reads the parameters of
 * the type from `table`.
 * @throws {RecordError} `malformed-payload` (`metadata`) for an invalid parameter.
 */
export function intType(table: FlatTable): ValueType {
  const bits = table.int32(0);
  const types = table.bool(1) ? SIGNED : UNSIGNED;
  if (bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64) {
    throw table.malformed(`an integer has ${bits} bits, expected 8, 16, 32 or 64`);
  }
  return number(new types[bits](), bits / 8);
}

export function floatType(table: FlatTable): ValueType {
  const precision = table.int16(0);
  const Type = FLOATS[precision];
  if (Type === undefined) throw table.malformed(`a float has precision ${precision}, expected 0 to 2`);
  return number(new Type(), 2 << precision);
}

export function decimalType(table: FlatTable): ValueType {
  const bits = table.int32(2, 128);
  if (!DECIMAL_BITS.has(bits)) {
    throw table.malformed(`a decimal has ${bits} bits, expected 32, 64, 128 or 256`);
  }
  return number(new Decimal(table.int32(1), table.int32(0), bits), bits / 8);
}

export function dateType(table: FlatTable): ValueType {
  const isDay = unitOf(table, MILLISECOND, MILLISECOND) === 0;
  return isDay ? number(new DateDay(), 4) : number(new DateMillisecond(), 8);
}

export function timeType(table: FlatTable): ValueType {
  const unit = unitOf(table, MILLISECOND, NANOSECOND);
  const bits = table.int32(1, 32);
  const expected = unit <= MILLISECOND ? 32 : 64;
  if (bits !== expected)
    throw table.malformed(`a time of unit ${unit} has ${bits} bits, expected ${expected}`);
  return number(new Time(unit, expected), expected / 8);
}

export function timestampType(table: FlatTable): ValueType {
  return number(new Timestamp(unitOf(table, SECOND, NANOSECOND), table.string(1) ?? null), 8);
}

export function durationType(table: FlatTable): ValueType {
  return number(new Duration(unitOf(table, MILLISECOND, NANOSECOND)), 8);
}

export function intervalType(table: FlatTable): ValueType {
  const unit = unitOf(table, 0, INTERVALS.length - 1);
  const units = INTERVALS[unit] as readonly number[];
  const byteWidth = units.reduce((sum, one) => sum + one, 0);
  return { type: new Interval(unit), layout: { kind: "fixed", byteWidth, units } };
}

export function fixedSizeBinaryType(table: FlatTable): ValueType {
  const byteWidth = sizeOf(table, "byte width");
  return { type: new FixedSizeBinary(byteWidth), layout: { kind: "fixed", byteWidth, units: [] } };
}

/** Returns the length of a fixed-size list, or the byte width of a fixed-size binary value. */
export function sizeOf(table: FlatTable, what: string): number {
  const size = table.int32(0);
  if (size < 0) throw table.malformed(`a ${what} is ${size}, expected 0 or more`);
  return size;
}

function unitOf(table: FlatTable, absent: number, most: number): number {
  const unit = table.int16(0, absent);
  if (unit < 0 || unit > most) throw table.malformed(`a time unit is ${unit}, expected 0 to ${most}`);
  return unit;
}
