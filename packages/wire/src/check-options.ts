import { ArgumentError } from "./errors.js";

/**
 * For the options of a function: {@link assertKnownKeys}, and the two options that are the same wherever they are.
 * @param owner Who takes the options, for the message.
 * @throws {ArgumentError} `invalid-argument` for a `signal` that is no AbortSignal, an `onProgress` that is no function.
 */
export function assertOptions(given: object, known: readonly string[], owner: string): void {
  assertKnownKeys(given, known, owner);
  const { signal, onProgress } = given as { readonly signal?: unknown; readonly onProgress?: unknown };
  if (signal !== undefined && !isSignal(signal)) throw invalid("signal", "is an AbortSignal", signal);
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw invalid("onProgress", "is a function", onProgress);
  }
}

/**
 * @throws {ArgumentError} `invalid-argument` when `given` is no object, or a list; (`unknown-option`) naming its first
 * key that is not `known`.
 */
export function assertKnownKeys(given: object, known: readonly string[], owner: string): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw invalid(owner, "takes an object", given);
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const choice = known.length === 0 ? "none" : known.join(", ");
  throw new ArgumentError("invalid-argument", `${owner} has no option "${unknown}"; it has ${choice}`, {
    reason: "unknown-option",
    argument: unknown,
  });
}

function isSignal(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { aborted, addEventListener } = value as Partial<AbortSignal>;
  return typeof aborted === "boolean" && typeof addEventListener === "function";
}

function invalid(argument: string, rule: string, found: unknown): ArgumentError {
  return new ArgumentError("invalid-argument", `${argument} ${rule}, found ${String(found)}`, { argument });
}
