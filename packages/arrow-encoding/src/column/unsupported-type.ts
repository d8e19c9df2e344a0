import { UnsupportedError } from "@tfxio/wire";
import type { DataType } from "apache-arrow";

/** The `unsupported` (`column-type`) error for an operation that is not defined on columns of this type. */
export function unsupportedType(operation: string, type: DataType, expected: string): UnsupportedError {
  return new UnsupportedError(`${operation} takes ${expected}, found ${type}.`, {
    reason: "column-type",
    feature: `${operation} of ${type}`,
  });
}
