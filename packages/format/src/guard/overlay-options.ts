import { anObject, aPositiveInteger, assertArgument, assertKeys, assertOptions } from "@tfxio/wire/checks";
import { DEFAULT_LIMITS, type Limits } from "../limits.js";

/**
 * Overlays `defaults` with the caller's options. An option that is `undefined` takes its default.
 * @param owner Id of the format or payload, for messages.
 * @throws {ArgumentError} `invalid-argument` (`unknown-option`) for a key that `defaults` lacks.
 */
export function overlayOptions<Options extends object>(
  defaults: Options,
  given: Partial<Options> | undefined,
  owner: string,
): Options {
  if (given !== undefined) assertKeys(owner, given, Object.keys(defaults));
  return overlaid(defaults, given);
}

/**
 * Overlays the default limits with the caller's.
 * @throws {ArgumentError} `invalid-argument` for an unknown limit, or one that is not a positive integer.
 */
export function overlayLimits(given: Partial<Limits> | undefined): Limits {
  if (given !== undefined) {
    assertArgument("limits", given, anObject);
    assertOptions<Partial<Limits>>("limits", given, {
      maxRecordBytes: aPositiveInteger,
      maxMetadataBytes: aPositiveInteger,
      maxPageBytes: aPositiveInteger,
      maxColumns: aPositiveInteger,
    });
  }
  return overlaid(DEFAULT_LIMITS, given);
}

/** Overlays `defaults` with the values in `given` that are not undefined. */
function overlaid<Values extends object>(defaults: Values, given: Partial<Values> = {}): Values {
  const all = { ...defaults };
  for (const key of Object.keys(given) as (keyof Values)[]) {
    const value = given[key];
    if (value !== undefined) all[key] = value;
  }
  return all;
}
