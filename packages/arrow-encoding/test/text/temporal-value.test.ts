import { expect, test } from "@jest/globals";
import { parseSchemaText } from "@tfxio/schema";
import {
  DateDay,
  DateMillisecond,
  type DataType,
  DurationSecond,
  Field,
  Int64,
  Schema as ArrowSchema,
  TimeMicrosecond,
  TimeMillisecond,
  TimeNanosecond,
  TimeSecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
} from "apache-arrow";
import { schemaFromArrow, temporalText, temporalValue } from "../../src/index.js";

const valueOf = (type: DataType) =>
  temporalValue(schemaFromArrow(new ArrowSchema([new Field("x", type)])).feature[0]!);

// `Date.parse` computes the expected values of most dates.
test.each<[string, DataType, bigint]>([
  ["2024-02-29", new DateDay(), BigInt(Date.parse("2024-02-29") / 86_400_000)],
  ["1969-12-31", new DateDay(), -1n],
  ["0001-01-01", new DateDay(), BigInt(Date.parse("0001-01-01T00:00:00Z") / 86_400_000)],
  ["2024-02-29T00:00:00.001", new DateMillisecond(), BigInt(Date.parse("2024-02-29")) + 1n],
  ["23:59:58", new TimeSecond(), 86_398n],
  ["23:59:59.999", new TimeMillisecond(), 86_399_999n],
  ["00:00:01.000250", new TimeMicrosecond(), 1_000_250n],
  ["00:00:00.000000001", new TimeNanosecond(), 1n],
  ["1969-12-31T23:59:59", new TimestampSecond(), -1n],
  ["2024-02-29T12:34:56.789Z", new TimestampMillisecond("UTC"), 1_709_210_096_789n],
  ["1970-01-01T00:00:00.000001", new TimestampMicrosecond(), 1n],
  ["1677-09-21T00:12:43.145224193", new TimestampNanosecond(), -(2n ** 63n) + 1n],
])("temporalValue parses %s, which temporalText writes for a column of %s", (text, type, value) => {
  expect(temporalText(type, [new Field("x", type)])?.(value)).toBe(text);
  expect(valueOf(type)?.(text)).toBe(value);
});

test.each<[string, bigint]>([
  ["2024-02-29 12:00:00", 1_709_208_000_000n],
  ["2024-02-29T12:00:00.5", 1_709_208_000_500n],
  ["2024-02-29T12:00:00+05:30", 1_709_188_200_000n],
  ["2024-02-29T12:00:00-05:30", 1_709_227_800_000n],
])("temporalValue reads %s as milliseconds since 1970", (text, value) => {
  const hasOffset = /[+-]\d\d:\d\d$/.test(text);
  expect(BigInt(Date.parse(hasOffset ? text : `${text}Z`))).toBe(value);
  expect(valueOf(new TimestampMillisecond())?.(text)).toBe(value);
});

test.each<[string, DataType]>([
  ["2023-02-29", new DateDay()],
  ["2024-2-9", new DateDay()],
  ["2024-02-29T00:00:01", new DateDay()],
  ["2024-02-29T12:34:56.7891", new TimestampMillisecond()],
  ["2024-02-29T24:00:00", new TimestampSecond()],
  ["2024-02-29T23:59:60", new TimestampSecond()],
  ["23:60:00", new TimeSecond()],
  ["00:00:00.5", new TimeSecond()],
  ["2024-02-29", new TimeSecond()],
  ["", new DateDay()],
])("temporalValue returns undefined for %j in a column of %s", (text, type) => {
  expect(valueOf(type)?.(text)).toBeUndefined();
});

test("temporalValue returns no parser for integers and durations", () => {
  expect(valueOf(new Int64())).toBeUndefined();
  expect(valueOf(new DurationSecond())).toBeUndefined();
  const [age] = parseSchemaText('feature { name: "age" type: INT int_domain { min: 0 max: 120 } }').feature;
  expect(temporalValue(age!)).toBeUndefined();
});
