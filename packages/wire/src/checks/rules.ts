import { describeValue } from "./describe-value.js";

/** A condition on a value. `expected` is the text after "must be" in the error message. */
export interface Rule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  /** True for an option without a default. Otherwise undefined passes. */
  readonly isRequired?: boolean;
}

/** A rule from a description and a predicate: `rule("an even number", isEven)`. */
export function rule(expected: string, holds: (value: unknown) => boolean): Rule {
  return { expected, holds };
}

/** The same rule for an option that has no default. */
export function required(base: Rule): Rule {
  return { ...base, isRequired: true };
}

/** A primitive boolean; other truthy or falsy values fail. */
export const aBoolean: Rule = rule("true or false", (value) => typeof value === "boolean");
/** Any callable value, classes included. */
export const aFunction: Rule = rule("a function", (value) => typeof value === "function");
/** A primitive string, which may be empty. */
export const aString: Rule = rule("a string", (value) => typeof value === "string");
/** A string with at least one character. */
export const aName: Rule = rule("a name of at least one character", isName);
/** An object that is not a list. */
export const anObject: Rule = rule("an object", isObject);
/** {@link anObject} that is not iterable. A Map passes as an object, but its entries would be ignored as options. */
export const anOptionsObject: Rule = rule(
  "an object",
  (value) => isObject(value) && !(Symbol.iterator in value),
);
/** An array, even of another realm. Other iterables and typed arrays fail. */
export const aList: Rule = rule("a list", Array.isArray);
/** An array of strings, which may be empty. */
export const aListOfNames: Rule = rule("a list of names", isListOf(isString));
/** A Uint8Array, also a Buffer or an array of another realm. */
export const aUint8Array: Rule = rule("a Uint8Array", isTagged("Uint8Array"));
/** An AbortSignal, recognised by its members, so that implementations of other realms pass. */
export const anAbortSignal: Rule = rule("an AbortSignal", (value) => {
  const { aborted, addEventListener, removeEventListener } = membersOf(value);
  return typeof aborted === "boolean" && [addEventListener, removeEventListener].every(aFunction.holds);
});
/** A safe integer of at least 1. */
export const aPositiveInteger: Rule = rule("a positive integer", isIntegerWithin(1));

/** A safe integer from `least` to `most`, both inclusive. Without `most` there is no upper bound. */
export function anInteger(least: number, most?: number): Rule {
  return rule(`an integer ${rangeText(least, most)}`, isIntegerWithin(least, most));
}

/** A number, whole or not, from `least` to `most`, both inclusive. Without `most` infinity passes too. */
export function aNumber(least: number, most?: number): Rule {
  return rule(`a number ${rangeText(least, most)}`, (value) => {
    return typeof value === "number" && value >= least && value <= (most ?? Infinity);
  });
}

/** One of these values, compared with `===`, except that NaN equals NaN. */
export function oneOf(...values: readonly unknown[]): Rule {
  const choices = values
    .map(describeValue)
    .join(", ")
    .replace(/, (?=[^,]*$)/, " or ");
  return rule(choices, (value) => values.includes(value));
}

/** The compressions that a reader accepts. */
export const aReadCompression: Rule = oneOf("auto", "none", "gzip", "zlib");

/** A list whose items all pass. `expected` describes the list. */
export function aListOf(expected: string, item: Rule): Rule {
  return rule(expected, isListOf(item.holds));
}

/** Either one value for all names, or an object with one value per name. */
export function orByName({ expected, holds }: Rule): Rule {
  return rule(`${expected}, or an object of these by name`, (value) =>
    isObject(value) ? Object.values(value).every(holds) : holds(value),
  );
}

/** The properties of any value, to recognise objects of another realm by their parts. `null` and `undefined` have none. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value) as Readonly<Record<string, unknown>>;
}

/** A test for values whose built-in class has this name, in whichever realm they were created. */
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
