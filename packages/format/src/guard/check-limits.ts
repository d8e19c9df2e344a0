import { ArgumentError } from "@tfxio/wire";
import { DEFAULT_LIMITS, type Limits } from "../limits.js";
import { overlayOptions } from "./overlay-options.js";

/** @throws {ArgumentError} `invalid-argument` for an unknown limit, or one that is not a positive integer. */
export function resolveLimits(given: Partial<Limits> | undefined): Limits {
  const limits = overlayOptions(DEFAULT_LIMITS, given, "limits");
  for (const [name, bytes] of Object.entries(limits)) assertPositiveInteger(bytes as number, name);
  return limits;
}

/** @throws {ArgumentError} `invalid-argument` naming `argument`. */
export function assertPositiveInteger(value: number, argument: string): void {
  assertInteger(value, argument, 1);
}

/** @throws {ArgumentError} `invalid-argument` naming `argument`. */
export function assertInteger(value: number, argument: string, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new ArgumentError(
    "invalid-argument",
    `${argument} is an integer of ${least} or more, found ${String(value)}`,
    {
      argument,
    },
  );
}
