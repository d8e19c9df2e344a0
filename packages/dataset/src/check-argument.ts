import { ArgumentError } from "@tfxio/wire";

/** Throws unless `value` is a safe integer of at least `minimum`. @throws {ArgumentError} `invalid-argument` */
export function assertInteger(value: unknown, minimum: number, operator: string, argument: string): void {
  if (Number.isSafeInteger(value) && (value as number) >= minimum) return;
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: ${argument} is ${String(value)}, expected an integer of at least ${minimum}`,
    { argument },
  );
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
