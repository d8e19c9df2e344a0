import { ConversionError } from "@tfxio/wire/errors";
import { invalidArgument } from "@tfxio/wire/checks";
import type { SqlValue } from "./drivers/driver.js";

/**
 * Returns the value of an integer column as a number. Null counts as 0.
 * @throws {ConversionError} `out-of-range` if the value is not a safe integer.
 */
export function safeInteger(value: SqlValue | undefined, column: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new ConversionError(
    "out-of-range",
    `Column ${column} must hold a safe integer, found ${String(value)}.`,
    {
      columnPath: column,
    },
  );
}

/** Returns the value of a text column; undefined for null, and for values of other types. */
export function textOrUndefined(value: SqlValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Encodes any number of ids as one parameter for `IN (SELECT value FROM json_each(?))`, so that one prepared statement
 * suffices for lists of any length.
 */
export function idList(ids: Iterable<number>): string {
  return JSON.stringify([...ids]);
}

/** Checks the form of an id. @throws {ArgumentError} `invalid-argument` if it is not a positive safe integer. */
export function assertId(argument: string, id: number): void {
  if (!Number.isSafeInteger(id) || id < 1) throw invalidArgument(argument, "the id of a stored entity", id);
}
