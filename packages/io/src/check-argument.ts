import type { ColumnPath } from "@tfxio/schema";
import { ArgumentError, assertKnownKeys } from "@tfxio/wire";

/** What an argument has to be, by the name under which {@link assertArgument} checks it. */
const KINDS = {
  boolean: "true or false",
  function: "a function",
  names: "a list of names",
  object: "an object",
  signal: "an AbortSignal",
  string: "a string",
} as const;

/** @throws {ArgumentError} `invalid-argument` unless `value` is of that kind. Undefined passes: it means the default. */
export function assertArgument(argument: string, value: unknown, kind: keyof typeof KINDS): void {
  if (value === undefined || isOfKind(value, kind)) return;
  throw invalidArgument(argument, `must be ${KINDS[kind]}, not ${show(value)}`);
}

function isOfKind(value: unknown, kind: keyof typeof KINDS): boolean {
  switch (kind) {
    case "names":
      return Array.isArray(value) && value.every((name) => typeof name === "string");
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "signal":
      return typeof (value as { throwIfAborted?: unknown } | null)?.throwIfAborted === "function";
    default:
      return typeof value === kind;
  }
}

/** @throws {ArgumentError} `invalid-argument` unless `value` is an integer of at least 1. */
export function assertPositiveInteger(argument: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw invalidArgument(argument, `must be a positive integer, not ${show(value)}`);
}

/**
 * @param owner who takes the options, for the message.
 * @throws {ArgumentError} `invalid-argument` unless `options` is an object whose keys are all `known`
 * (`unknown-option`, naming the first that is not).
 */
export function assertKnownOptions(options: object, known: readonly string[], owner: string): void {
  assertArgument("options", options, "object");
  assertKnownKeys(options, known, owner);
}

/** True for the name of a top-level column, and for the path of any. */
export function isColumn(value: unknown): value is string | ColumnPath {
  return typeof value === "string" || Array.isArray((value as { steps?: unknown } | null)?.steps);
}

/** The error for an argument that cannot be used; `problem` goes on after its name. */
export function invalidArgument(argument: string, problem: string): ArgumentError {
  return new ArgumentError("invalid-argument", `${argument} ${problem}`, { argument });
}

/** A value in an error: text in quotes, so that it does not pass for a number, and cut where it is long. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
