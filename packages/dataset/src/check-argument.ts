import { ArgumentError, assertOptions as assertKnownOptions } from "@tfxio/wire";

/** Throws unless `value` is a safe integer of at least `minimum`. @throws {ArgumentError} `invalid-argument` */
export function assertInteger(value: unknown, minimum: number, operator: string, argument: string): void {
  if (Number.isSafeInteger(value) && (value as number) >= minimum) return;
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: ${argument} is ${String(value)}, expected an integer of at least ${minimum}`,
    { argument },
  );
}

/** Throws unless `value` counts elements. @throws {ArgumentError} `invalid-argument` */
export function assertCardinality(value: unknown, operator: string): void {
  if (value !== "unknown" && value !== "infinite") assertInteger(value, 0, operator, "cardinality");
}

/** Throws unless `value` is a function. @throws {ArgumentError} `invalid-argument` */
export function assertFunction(value: unknown, operator: string, argument: string): void {
  if (typeof value === "function") return;
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: ${argument} is ${typeof value}, expected a function`,
    {
      argument,
    },
  );
}

/** Throws unless `value` is undefined, true or false. @throws {ArgumentError} `invalid-argument` */
export function assertBoolean(value: unknown, operator: string, argument: string): void {
  if (value === undefined || typeof value === "boolean") return;
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: ${argument} is ${String(value)}, expected true or false`,
    { argument },
  );
}

/**
 * Throws unless `options` is an object that has no keys but those that are known, and a `signal` is one.
 * @throws {ArgumentError} `invalid-argument`, with reason `unknown-option` for another key.
 */
export function assertOptions<Options extends object>(
  options: Options,
  known: readonly (keyof Options & string)[],
  operator: string,
): void {
  if (typeof options !== "object" || options === null) {
    throw new ArgumentError(
      "invalid-argument",
      `${operator}: options is ${String(options)}, expected an object`,
      { argument: "options" },
    );
  }
  assertKnownOptions(options, known, operator);
}

/** Throws unless `value` is undefined or one of `known`. @throws {ArgumentError} `invalid-argument` */
export function assertOneOf(
  value: unknown,
  known: readonly string[],
  operator: string,
  argument: string,
): void {
  if (value === undefined || known.includes(value as string)) return;
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: ${argument} is ${String(value)}, expected one of ${known.join(", ")}`,
    { argument },
  );
}
