import { ArgumentError } from "@tfxio/wire";
import { aBoolean, aPositiveInteger, assertArgument, assertOptions, rule } from "@tfxio/wire/checks";
import type { WindowOptions } from "../../dataset-options.js";
import { spanOf, type WindowSettings } from "./window.js";

const aShift = rule(`${aPositiveInteger.expected} or "size"`, (value) => {
  return value === "size" || aPositiveInteger.holds(value);
});

/** Returns window options as an object, whether they were passed as an object or as positional arguments. */
export function windowOptions(
  shift: WindowOptions | number | "size",
  stride: number | undefined,
  dropRemainder: boolean | undefined,
): WindowOptions {
  return typeof shift === "object" ? shift : { shift, stride, dropRemainder };
}

/**
 * Checks window options and applies their defaults.
 * @throws {ArgumentError} `invalid-argument` for invalid options, and for a window that spans more than 2^53 - 1 elements.
 */
export function windowSettings(operator: string, size: number, options: WindowOptions): WindowSettings {
  assertArgument("size", size, aPositiveInteger, operator);
  assertOptions(operator, options, { shift: aShift, stride: aPositiveInteger, dropRemainder: aBoolean });
  const { shift = 1, stride = 1, dropRemainder = true } = options;
  const settings = { size, shift: shift === "size" ? size : shift, stride, dropRemainder };
  if (Number.isSafeInteger(spanOf(settings))) return settings;
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: a window of ${size} elements with stride ${stride} must span at most 2^53 - 1 elements.`,
    { argument: "size" },
  );
}
