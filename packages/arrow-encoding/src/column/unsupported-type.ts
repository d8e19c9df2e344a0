import { UnsupportedError } from "@tfxio/wire";
import type { DataType } from "apache-arrow";

/**
 * Creates the `unsupported` (`column-type`) error for an operation that does not support columns of `type`.
 * @param expected The supported types, as a noun phrase.
 */
export function unsupportedType(operation: string, type: DataType, expected: string): UnsupportedError {
  return new UnsupportedError(`${operation} requires ${expected}, found ${type}.`, {
    reason: "column-type",
    feature: `${operation} of ${type}`,
  });
}
