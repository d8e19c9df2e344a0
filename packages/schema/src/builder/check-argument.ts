import { ArgumentError } from "@tfxio/wire";

/**
 * Throws unless `value` is an object that has no keys but those that are known.
 * @throws {ArgumentError} `invalid-argument`, with reason `unknown-option` for another key.
 */
export function assertKeys<Value extends object>(
  value: Value,
  known: readonly (keyof Value & string)[],
  argument: string,
): void {
  assertRecord(value, argument);
  const unknown = Object.keys(value).find((key) => !(known as readonly string[]).includes(key));
  if (unknown === undefined) return;
  throw new ArgumentError(
    "invalid-argument",
    `${argument} has no option ${unknown}, expected some of ${known.join(", ")}`,
    { reason: "unknown-option", argument: unknown },
  );
}

/** Throws unless `value` is an object with entries. @throws {ArgumentError} `invalid-argument` */
export function assertRecord(value: unknown, argument: string): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw unexpected(value, "an object", argument);
}

/** Throws unless `value` is an array of strings. @throws {ArgumentError} `invalid-argument` */
export function assertStrings(value: unknown, argument: string): void {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return;
  throw unexpected(value, "a list of strings", argument);
}

/**
 * Throws when a range is upside down; a limit that is undefined does not limit.
 * @throws {ArgumentError} `invalid-argument`, reason `bounds`.
 */
export function assertBounds(
  min: bigint | number = -Infinity,
  max: bigint | number = Infinity,
  argument: string,
): void {
  // Also false for NaN.
  if (min <= max) return;
  throw new ArgumentError("invalid-argument", `${argument} goes from ${min} to ${max}, where nothing lies`, {
    reason: "bounds",
    argument,
  });
}

/** The error for an argument of another type. */
export function unexpected(value: unknown, expected: string, argument: string): ArgumentError {
  const found = Array.isArray(value) ? "an array" : value === null ? "null" : typeof value;
  return new ArgumentError("invalid-argument", `${argument} is ${found}, expected ${expected}`, { argument });
}
