import { type Feature, TimeDomain_IntegerTimeFormat as TimeFormat } from "@tfxio/schema";

/**
 * Parses a date or time. Returns undefined for any other text, or if the result would not be a whole number in the feature's
 * unit. The result may be outside the range of int64.
 */
export type TemporalValue = (text: string) => bigint | undefined;

const DAY_SECONDS = 86_400n;
const SECOND_NANOS = 1_000_000_000n;
const DAY_NANOS: bigint = DAY_SECONDS * SECOND_NANOS;

/** Nanoseconds in each unit of a `time_domain`. */
const unitNanos: Readonly<Partial<Record<TimeFormat, bigint>>> = {
  [TimeFormat.UNIX_DAYS]: DAY_NANOS,
  [TimeFormat.UNIX_SECONDS]: SECOND_NANOS,
  [TimeFormat.UNIX_MILLISECONDS]: 1_000_000n,
  [TimeFormat.UNIX_MICROSECONDS]: 1000n,
  [TimeFormat.UNIX_NANOSECONDS]: 1n,
};

const CLOCK = "(\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d{1,9}))?";
const TIME_OF_DAY = new RegExp(`^${CLOCK}$`);
const TIMESTAMP = new RegExp(`^(\\d{4}-\\d\\d-\\d\\d)(?:[T ]${CLOCK}(?:Z|([+-])(\\d\\d):(\\d\\d))?)?$`);

/**
 * Nanoseconds in each unit of a time of day. The key is the last time of the day, counted in that unit.
 * {@link schemaFromArrow} writes it as the `int_domain` maximum.
 */
const unitOfMaximum: ReadonlyMap<bigint, bigint> = new Map(
  [SECOND_NANOS, 1_000_000n, 1000n, 1n].map((nanos) => [DAY_NANOS / nanos - 1n, nanos]),
);

/**
 * Creates a parser that turns ISO 8601 text into the integers of an INT feature. It is the inverse of the formatter of
 * {@link temporalText}. If the feature has a `time_domain` with an integer format, the parser converts dates and timestamps to
 * the time since 1970-01-01 in the domain's unit. Text without an offset is UTC. If the feature has an `int_domain` from 0 to the
 * last second, millisecond, microsecond or nanosecond of a day, the parser converts times of day to the time since midnight in
 * that unit.
 * @returns The parser, or undefined if the feature has no such domain or the domain's unit is unknown.
 * @see RFC 3339, section 5.6, whose offsets are optional here
 */
export function temporalValue({ domainInfo }: Feature): TemporalValue | undefined {
  if (domainInfo.case === "timeDomain" && domainInfo.value.format.case === "integerFormat") {
    const nanos = unitNanos[domainInfo.value.format.value];
    return nanos === undefined ? undefined : (text) => inUnits(timestampNanos(text), nanos);
  }
  if (domainInfo.case !== "intDomain" || domainInfo.value.min !== 0n) return undefined;
  const nanos = unitOfMaximum.get(domainInfo.value.max);
  return nanos === undefined ? undefined : (text) => inUnits(timeOfDayNanos(text), nanos);
}

/** Returns the last time of day, counted in units of 10^-`fractionDigits` seconds. */
export function lastTimeOfDay(fractionDigits: number): bigint {
  return DAY_SECONDS * 10n ** BigInt(fractionDigits) - 1n;
}

/** Converts nanoseconds to a unit. Undefined if the result would not be exact. */
function inUnits(nanos: bigint | undefined, unit: bigint): bigint | undefined {
  return nanos === undefined || nanos % unit !== 0n ? undefined : nanos / unit;
}

function timeOfDayNanos(text: string): bigint | undefined {
  const parts = TIME_OF_DAY.exec(text);
  return parts === null ? undefined : clockNanos(parts.slice(1));
}

function timestampNanos(text: string): bigint | undefined {
  const [, date, hours, minutes, seconds, fraction, sign, offsetHours, offsetMinutes] =
    TIMESTAMP.exec(text) ?? [];
  if (date === undefined) return undefined;
  const days = unixDays(date);
  const clock = hours === undefined ? 0n : clockNanos([hours, minutes, seconds, fraction]);
  const offset = sign === undefined ? 0n : clockNanos([offsetHours, offsetMinutes, "00"]);
  if (days === undefined || clock === undefined || offset === undefined) return undefined;
  return days * DAY_NANOS + clock - (sign === "-" ? -offset : offset);
}

/** Returns the number of days from 1970-01-01 to a date such as `2024-02-29`; undefined for a date that does not exist. */
function unixDays(date: string): bigint | undefined {
  const milliseconds = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(date)) return undefined;
  return BigInt(milliseconds / 86_400_000);
}

/**
 * Returns nanoseconds since midnight; undefined for an invalid time. Leap seconds are invalid, because Unix time cannot
 * represent them.
 */
function clockNanos([hours, minutes, seconds, fraction = ""]: readonly (string | undefined)[]):
  | bigint
  | undefined {
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return BigInt(hour * 3600 + minute * 60 + second) * SECOND_NANOS + BigInt(fraction.padEnd(9, "0"));
}
