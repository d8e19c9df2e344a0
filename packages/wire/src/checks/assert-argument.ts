import { ArgumentError } from "../errors.js";
import { describeValue } from "./describe-value.js";
import { anObject, anOptionsObject, type Rule } from "./rules.js";

/**
 * Rules for options, by option name. The value is null for an option that is checked elsewhere. The type requires an entry for
 * every option.
 */
export type OptionRules<Options> = { readonly [Name in keyof Options]-?: Rule | null };

/** Optional details of the error for an invalid argument. */
export interface InvalidArgument {
  /** Name of the function that takes the argument. The message begins with it. */
  readonly owner?: string | undefined;
  /** The invalid part of the argument, such as `[3]` or `.seed`. The message appends it to the name. */
  readonly at?: string | undefined;
  readonly reason?: string | undefined;
}

/**
 * Asserts that `options` is an object whose keys all occur in `rules` and whose values pass their rules. Undefined stands for the
 * default, so it passes unless the option is required.
 * @param owner Name of the function that takes the options, for the message.
 * @throws {ArgumentError} `invalid-argument` if `options` is not an object or is iterable, or if an option is invalid;
 *   `invalid-argument` (`unknown-option`) if `options` has a key that is not in `rules`.
 */
export function assertOptions<Options extends object>(
  owner: string,
  options: Options,
  rules: OptionRules<Options>,
): void {
  const names = Object.keys(rules) as (keyof Options & string)[];
  assertKeys(owner, options, names);
  for (const name of names) assertMember(name, options[name], rules[name], owner);
}

/**
 * Like {@link assertOptions}, but for an object within the options. Messages name its members by path, such as `shuffle.seed`.
 */
export function assertMembers<Members extends object>(
  argument: string,
  value: Members,
  rules: OptionRules<Members>,
): void {
  assertArgument(argument, value, anObject);
  const names = Object.keys(rules) as (keyof Members & string)[];
  assertKnown(argument, value, names);
  for (const name of names) assertMember(`${argument}.${name}`, value[name], rules[name]);
}

/**
 * Asserts that `options` is an object and that all of its keys are `known`.
 * @throws {ArgumentError} `invalid-argument` if `options` is not an object, or is iterable like a list or a Map;
 *   `invalid-argument` (`unknown-option`) if it has a key that is not in `known`.
 */
export function assertKeys(owner: string, options: unknown, known: readonly string[]): void {
  assertArgument("options", options, anOptionsObject, owner);
  assertKnown(owner, options as object, known);
}

/**
 * Asserts that `value` passes `rule`.
 * @throws {ArgumentError} `invalid-argument` if it does not. The message names `argument` or, in a list, its first invalid item.
 */
export function assertArgument(argument: string, value: unknown, rule: Rule, owner?: string): void {
  if (rule.holds(value)) return;
  const { expected, item } = rule;
  const invalid =
    item !== undefined && Array.isArray(value) ? value.findIndex((each) => !item.holds(each)) : -1;
  if (item === undefined || invalid === -1) throw invalidArgument(argument, expected, value, { owner });
  throw invalidArgument(argument, item.expected, (value as readonly unknown[])[invalid], {
    owner,
    at: `[${invalid}]`,
  });
}

/** Like {@link assertArgument}, but undefined passes. For optional arguments. */
export function assertOptional(argument: string, value: unknown, rule: Rule, owner?: string): void {
  if (value !== undefined) assertArgument(argument, value, rule, owner);
}

/** Returns the error for an argument that fails its rule. @param expected The text after "must be". */
export function invalidArgument(
  argument: string,
  expected: string,
  found: unknown,
  details?: InvalidArgument,
): ArgumentError {
  return unusableArgument(argument, `must be ${expected}, found ${describeValue(found)}`, details);
}

/**
 * Returns the error for an argument that passes its rule but is still unusable, for instance because of another argument.
 * @param problem The text after the name of the argument, such as "cannot be combined with schema".
 */
export function unusableArgument(
  argument: string,
  problem: string,
  { owner, at = "", reason }: InvalidArgument = {},
): ArgumentError {
  const place = `${owner === undefined ? "" : `${owner}: `}${argument}${at}`;
  return new ArgumentError("invalid-argument", `${place} ${problem}.`, { argument, reason });
}

function assertKnown(owner: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const problem =
    known.length === 0
      ? `takes no options, found "${unknown}"`
      : `has no option "${unknown}"; it has ${known.join(", ")}`;
  throw new ArgumentError("invalid-argument", `${owner} ${problem}.`, {
    reason: "unknown-option",
    argument: unknown,
  });
}

function assertMember(argument: string, value: unknown, rule: Rule | null, owner?: string): void {
  const isChecked = rule !== null && (value !== undefined || rule.isRequired === true);
  if (isChecked) assertArgument(argument, value, rule, owner);
}
