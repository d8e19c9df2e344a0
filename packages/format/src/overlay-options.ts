import { ArgumentError } from "@tfxio/wire";

/**
 * `defaults` overlaid with what the caller gave; `undefined` means the default.
 * @throws {ArgumentError} `invalid-argument` (`unknown-option`) for a key that `defaults` lacks.
 */
export function overlayOptions<Options extends object>(
  defaults: Options,
  given: Partial<Options> | undefined,
  owner: string,
): Options {
  const overlaid = { ...defaults };
  if (given === undefined) return overlaid;
  assertKnownKeys(given, Object.keys(defaults), owner);
  for (const key of Object.keys(given) as (keyof Options)[]) {
    const value = given[key];
    if (value !== undefined) overlaid[key] = value;
  }
  return overlaid;
}

/** @throws {ArgumentError} `invalid-argument` (`unknown-option`) naming the first key that is not `known`. */
export function assertKnownKeys(given: object, known: readonly string[], owner: string): void {
  if (typeof given !== "object" || given === null) {
    throw new ArgumentError("invalid-argument", `${owner} takes an object, found ${String(given)}`, {
      argument: owner,
    });
  }
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const choice = known.length === 0 ? "none" : known.join(", ");
  throw new ArgumentError("invalid-argument", `${owner} has no option "${unknown}"; it has ${choice}`, {
    reason: "unknown-option",
    argument: unknown,
  });
}
