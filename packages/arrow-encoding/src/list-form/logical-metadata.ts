import { DataType, DateUnit, type Field, TimeUnit } from "apache-arrow";
import { LOGICAL_KEY } from "./value-kind.js";

/** Values of the metadata key `tfxio.unit` for the time units of Arrow. */
const timeUnits: Readonly<Record<TimeUnit, string>> = {
  [TimeUnit.SECOND]: "second",
  [TimeUnit.MILLISECOND]: "millisecond",
  [TimeUnit.MICROSECOND]: "microsecond",
  [TimeUnit.NANOSECOND]: "nanosecond",
};

/**
 * Returns the metadata of a field in list form. Drops Arrow's extension type, which does not apply to the converted values,
 * and adds keys that describe the original type.
 * @param type The innermost type of the original field.
 */
export function listFormMetadata(field: Field, type: DataType): Map<string, string> {
  const own = [...field.metadata].filter(([key]) => !key.startsWith("ARROW:extension:"));
  return new Map([...own, ...Object.entries(logicalType(type))]);
}

/**
 * Returns the metadata that describes a type. Empty unless values are booleans, dates, times, durations, timestamps or
 * decimals.
 */
function logicalType(type: DataType): Readonly<Record<string, string>> {
  if (DataType.isDictionary(type)) return logicalType(type.dictionary as DataType);
  if (DataType.isBool(type)) return { [LOGICAL_KEY]: "bool" };
  if (DataType.isDate(type)) {
    return { [LOGICAL_KEY]: "date", "tfxio.unit": type.unit === DateUnit.DAY ? "day" : "millisecond" };
  }
  if (DataType.isTime(type)) return { [LOGICAL_KEY]: "time", "tfxio.unit": timeUnits[type.unit] };
  if (DataType.isDuration(type)) return { [LOGICAL_KEY]: "duration", "tfxio.unit": timeUnits[type.unit] };
  if (DataType.isTimestamp(type)) {
    const zone = type.timezone ? { "tfxio.timezone": type.timezone } : {};
    return { [LOGICAL_KEY]: "timestamp", "tfxio.unit": timeUnits[type.unit], ...zone };
  }
  if (DataType.isDecimal(type)) {
    return {
      [LOGICAL_KEY]: "decimal",
      "tfxio.precision": String(type.precision),
      "tfxio.scale": String(type.scale),
    };
  }
  return {};
}
