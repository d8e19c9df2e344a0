import { DataType, DateUnit, type Field, TimeUnit } from "apache-arrow";
import { LOGICAL_KEY } from "../list-form/value-kind.js";

/** The kind and unit of a column of dates or times. */
interface Temporal {
  readonly kind: "date" | "time" | "timestamp";
  /** Number of decimal places of the seconds: 0, 3, 6 or 9. Undefined for dates in days. */
  readonly fractionDigits: number | undefined;
  /** True for a timestamp with a time zone, whose values are in UTC. */
  readonly hasZone: boolean;
}

/**
 * Formats one value. Returns undefined for a year before 0 or after 9999, and for a time of day that is negative or at least 24
 * hours.
 */
export type TemporalText = (value: number | bigint) => string | undefined;

const DAY_SECONDS = 86_400n;
const unitDigits: Readonly<Record<string, number>> = {
  second: 0,
  millisecond: 3,
  microsecond: 6,
  nanosecond: 9,
};
const digitsOf: Readonly<Record<TimeUnit, number>> = {
  [TimeUnit.SECOND]: 0,
  [TimeUnit.MILLISECOND]: 3,
  [TimeUnit.MICROSECOND]: 6,
  [TimeUnit.NANOSECOND]: 9,
};

/**
 * Creates an ISO 8601 formatter for a column of dates or times: `2024-02-29`, `23:59:58.250`, `2024-02-29T23:59:58.250`. The
 * fraction has as many digits as the column's unit requires, so nothing is rounded. A timestamp with a time zone is written in
 * UTC and ends in `Z`. A date in milliseconds that is not midnight is written as a timestamp.
 * @param type The type of the stored values, or Int64 for a column in list form.
 * @param owners The fields that enclose the values. In list form, their metadata holds the original type.
 * @returns The formatter, or undefined if the column does not hold dates or times. Durations have no formatter.
 */
export function temporalText(type: DataType, owners: readonly Field[]): TemporalText | undefined {
  const temporal = storedTemporal(type) ?? listedTemporal(type, owners);
  if (temporal === undefined) return undefined;
  const { kind, fractionDigits, hasZone } = temporal;
  if (fractionDigits === undefined) return (value) => dateText(BigInt(value));
  if (kind === "time") return (value) => timeOfDay(BigInt(value), fractionDigits);
  return (value) => {
    const text = timestampText(BigInt(value), fractionDigits);
    if (kind === "date") return text?.replace("T00:00:00.000", "");
    return hasZone && text !== undefined ? `${text}Z` : text;
  };
}

/** Returns the kind and unit of a column whose Arrow type is a date, time or timestamp; undefined for other types. */
function storedTemporal(type: DataType): Temporal | undefined {
  if (DataType.isDate(type)) {
    const fractionDigits = type.unit === DateUnit.DAY ? undefined : digitsOf[TimeUnit.MILLISECOND];
    return { kind: "date", fractionDigits, hasZone: false };
  }
  if (DataType.isTime(type)) return { kind: "time", fractionDigits: digitsOf[type.unit], hasZone: false };
  if (!DataType.isTimestamp(type)) return undefined;
  return { kind: "timestamp", fractionDigits: digitsOf[type.unit], hasZone: Boolean(type.timezone) };
}

/** Returns the kind and unit of a column in list form, from the metadata of its fields; undefined for other columns. */
function listedTemporal(type: DataType, owners: readonly Field[]): Temporal | undefined {
  const metadata = owners.find((field) => field.metadata.has(LOGICAL_KEY))?.metadata;
  const kind = metadata?.get(LOGICAL_KEY);
  if (!DataType.isInt(type) || (kind !== "date" && kind !== "time" && kind !== "timestamp")) return undefined;
  const fractionDigits = unitDigits[metadata?.get("tfxio.unit") ?? ""];
  return { kind, fractionDigits, hasZone: metadata?.has("tfxio.timezone") === true };
}

/** @param value Number of units since 1970-01-01T00:00:00. May be negative. */
function timestampText(value: bigint, fractionDigits: number): string | undefined {
  const [seconds, fraction] = divided(value, 10n ** BigInt(fractionDigits));
  const [days, secondOfDay] = divided(seconds, DAY_SECONDS);
  const date = dateText(days);
  return date === undefined ? undefined : `${date}T${clockText(secondOfDay, fraction, fractionDigits)}`;
}

/** @param value Number of units since midnight. */
function timeOfDay(value: bigint, fractionDigits: number): string | undefined {
  const [seconds, fraction] = divided(value, 10n ** BigInt(fractionDigits));
  return seconds < 0n || seconds >= DAY_SECONDS ? undefined : clockText(seconds, fraction, fractionDigits);
}

function clockText(secondOfDay: bigint, fraction: bigint, fractionDigits: number): string {
  const seconds = Number(secondOfDay);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return fractionDigits === 0 ? clock : `${clock}.${String(fraction).padStart(fractionDigits, "0")}`;
}

/** Formats a date. @param days Number of days since 1970-01-01, in the proleptic Gregorian calendar. */
function dateText(days: bigint): string | undefined {
  const date = new Date(Number(days * DAY_SECONDS) * 1000);
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString().slice(0, 10) : undefined;
}

/** Returns the quotient, rounded down, and the non-negative remainder. */
function divided(value: bigint, by: bigint): readonly [bigint, bigint] {
  const rest = ((value % by) + by) % by;
  return [(value - rest) / by, rest];
}
