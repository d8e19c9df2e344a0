import { describeValue } from "./describe-value.js";

/** What a value must be: `expected` follows "must be" in the message of the error. */
export interface Rule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  /** True for an option that must be given; by default undefined passes. */
  readonly isRequired?: boolean;
}

/** A rule of the caller's, such as `rule("an even number", isEven)`. */
export function rule(expected: string, holds: (value: unknown) => boolean): Rule {
  return { expected, holds };
}

/** The same rule for an option that has no default. */
export function required(base: Rule): Rule {
  return { ...base, isRequired: true };
}

export const aBoolean: Rule = rule("true or false", (value) => typeof value === "boolean");
export const aFunction: Rule = rule("a function", (value) => typeof value === "function");
export const aString: Rule = rule("a string", (value) => typeof value === "string");
export const aName: Rule = rule("a name of at least one character", isName);
/** An object that is not a list. */
export const anObject: Rule = rule("an object", isObject);
/** {@link anObject} that has its options as keys: a Map has none, and its entries would be ignored. */
export const anOptionsObject: Rule = rule(
  "an object",
  (value) => isObject(value) && !(Symbol.iterator in value),
);
export const aList: Rule = rule("a list", Array.isArray);
export const aListOfNames: Rule = rule("a list of names", isListOf(isString));
export const aUint8Array: Rule = rule("a Uint8Array", isTagged("Uint8Array"));
export const anAbortSignal: Rule = rule("an AbortSignal", (value) => {
  const { aborted, addEventListener, removeEventListener } = membersOf(value);
  return typeof aborted === "boolean" && [addEventListener, removeEventListener].every(aFunction.holds);
});
export const aPositiveInteger: Rule = rule("a positive integer", isIntegerWithin(1));

/** A safe integer of at least `least` and, if given, at most `most`. */
export function anInteger(least: number, most?: number): Rule {
  return rule(`an integer ${rangeText(least, most)}`, isIntegerWithin(least, most));
}

/** A number, whole or not, of at least `least` and, if given, at most `most`; without `most` also infinity. */
export function aNumber(least: number, most?: number): Rule {
  return rule(`a number ${rangeText(least, most)}`, (value) => {
    return typeof value === "number" && value >= least && value <= (most ?? Infinity);
  });
}

/** One of these values, compared by identity. */
export function oneOf(...values: readonly unknown[]): Rule {
  const choices = values
    .map(describeValue)
    .join(", ")
    .replace(/, (?=[^,]*$)/, " or ");
  return rule(choices, (value) => values.includes(value));
}

/** How bytes to be read may be compressed. */
export const aReadCompression: Rule = oneOf("auto", "none", "gzip", "zlib");

/** A list of which every item passes; `expected` describes the list. */
export function aListOf(expected: string, item: Rule): Rule {
  return rule(expected, isListOf(item.holds));
}

/** One value for all, or an object of one for each of some names. */
export function orByName({ expected, holds }: Rule): Rule {
  return rule(`${expected}, or an object of these by name`, (value) =>
    isObject(value) ? Object.values(value).every(holds) : holds(value),
  );
}

/** The members of any value, none of `null` and `undefined`, to look for the parts of an object of another realm. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value) as Readonly<Record<string, unknown>>;
}

/** True for a value whose built-in class has that name, in whichever realm it was made. */
export function isTagged(name: string): (value: unknown) => boolean {
  return (value) => Object.prototype.toString.call(value) === `[object ${name}]`;
}

/** True for an object that is not a list. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rangeText(least: number, most: number | undefined): string {
  return most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isListOf(holds: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(holds);
}

function isIntegerWithin(least: number, most = Number.MAX_SAFE_INTEGER): (value: unknown) => boolean {
  return (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}
