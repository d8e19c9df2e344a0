import { anInteger, type Rule, rule } from "@tfxio/wire/checks";

/** Longest timer in milliseconds. `setTimeout` treats a longer delay as no delay. */
export const MAX_TIMEOUT_MS: number = 2 ** 31 - 1;

/** A time limit in milliseconds, or `Infinity` for none. */
export const aTimeout: Rule = rule(
  `a number of milliseconds from 1 to ${MAX_TIMEOUT_MS}, or Infinity`,
  (value) => value === Infinity || anInteger(1, MAX_TIMEOUT_MS).holds(value),
);
