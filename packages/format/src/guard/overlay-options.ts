import { assertKnownKeys } from "@tfxio/wire";

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
