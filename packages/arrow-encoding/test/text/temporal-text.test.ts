import { describe, expect, test } from "@jest/globals";
import {
  DateDay,
  DateMillisecond,
  type DataType,
  DurationSecond,
  Field,
  Int64,
  TimeMicrosecond,
  TimeSecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
} from "apache-arrow";
import { listColumnsSchema, temporalText } from "../../src/index.js";
import { Schema as ArrowSchema } from "apache-arrow";

const textOf = (type: DataType, value: number | bigint): string | undefined =>
  temporalText(type, [new Field("x", type)])?.(value);

/** Returns the number of days from 1970-01-01 to a date, as `Date.parse` computes it. */
const days = (date: string): number => Date.parse(date) / 86_400_000;

describe("temporalText", () => {
  test.each<[string, DataType, number | bigint]>([
    ["2024-02-29", new DateDay(), days("2024-02-29")],
    ["1969-12-31", new DateDay(), -1],
    ["0001-01-01", new DateDay(), days("0001-01-01T00:00:00Z")],
    ["9999-12-31", new DateDay(), days("9999-12-31")],
    ["2024-02-29", new DateMillisecond(), BigInt(Date.parse("2024-02-29"))],
    ["2024-02-29T00:00:00.001", new DateMillisecond(), BigInt(Date.parse("2024-02-29")) + 1n],
    ["23:59:58", new TimeSecond(), 86_398],
    ["00:00:01.000250", new TimeMicrosecond(), 1_000_250n],
    ["1969-12-31T23:59:59", new TimestampSecond(), -1n],
    ["2024-02-29T12:34:56.789", new TimestampMillisecond(), BigInt(Date.parse("2024-02-29T12:34:56.789Z"))],
    ["2024-02-29T12:34:56.789Z", new TimestampMillisecond("Europe/Berlin"), 1_709_210_096_789n],
    ["1677-09-21T00:12:43.145224193", new TimestampNanosecond(), -(2n ** 63n) + 1n],
  ])("writes %s for a column of %s", (text, type, value) => {
    expect(textOf(type, value)).toBe(text);
  });

  test("reads the type and unit of a column in list form from the field's metadata", () => {
    const stored = new Field("t", new TimestampMillisecond("UTC"), true);
    const [listed] = listColumnsSchema(new ArrowSchema([stored])).fields as [Field];
    expect(temporalText(new Int64(), [listed])?.(1_709_210_096_789n)).toBe("2024-02-29T12:34:56.789Z");
  });

  test.each<[string, DataType, number | bigint]>([
    ["a year after 9999", new DateDay(), days("+010000-01-01T00:00:00Z")],
    ["a year before 0", new DateDay(), days("-000001-12-31T00:00:00Z")],
    ["seconds beyond any calendar", new TimestampSecond(), 2n ** 62n],
    ["a time of 24 hours", new TimeSecond(), 86_400],
    ["a negative time", new TimeSecond(), -1],
  ])("returns undefined for %s", (_, type, value) => {
    expect(textOf(type, value)).toBeUndefined();
  });

  test("returns no formatter for integers and durations", () => {
    expect(textOf(new Int64(), 1n)).toBeUndefined();
    expect(textOf(new DurationSecond(), 1n)).toBeUndefined();
  });
});
