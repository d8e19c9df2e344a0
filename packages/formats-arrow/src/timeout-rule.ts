import { anInteger, type Rule, rule } from "@tfxio/wire/checks";

/** Longest timeout in milliseconds. If the delay is longer, Node's `setTimeout` fires after 1 ms. */
export const MAX_TIMEOUT_MS: number = 2 ** 31 - 1;

/** Rule for an option that holds a time limit in whole milliseconds, or `Infinity` for no limit. */
export const aTimeout: Rule = rule(
  `a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}, or Infinity`,
  (value) => value === Infinity || anInteger(1, MAX_TIMEOUT_MS).holds(value),
);
