import { describeValue } from "./describe-value.js";

/** A condition that an argument must meet. */
export interface Rule {
  /** Text after "must be" in the error message. */
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  /** True if an option with this rule must not be undefined, because it has no default. Otherwise, undefined passes. */
  readonly isRequired?: boolean;
  /** Rule for the items of a list. If an item breaks it, the error message names the item instead of the list. */
  readonly item?: Rule;
}

/** Creates a rule from a description and a predicate, for example `rule("an even number", isEven)`. */
export function rule(expected: string, holds: (value: unknown) => boolean): Rule {
  return { expected, holds };
}

/** Returns a copy of `base` that rejects undefined, for options that have no default. */
export function required(base: Rule): Rule {
  return { ...base, isRequired: true };
}

/** Accepts `true` and `false`. Other truthy or falsy values fail. */
export const aBoolean: Rule = rule("true or false", (value) => typeof value === "boolean");
/** Accepts any callable value, including classes. */
export const aFunction: Rule = rule("a function", (value) => typeof value === "function");
/** Accepts a primitive string, which may be empty. */
export const aString: Rule = rule("a string", (value) => typeof value === "string");
/** Accepts a string with at least one character. */
export const aName: Rule = rule("a name of at least one character", isName);
/** Accepts an object that is not an array. */
export const anObject: Rule = rule("an object", isObject);
/** Accepts an object that is not iterable. A Map passes {@link anObject}, but its entries would not be read as options. */
export const anOptionsObject: Rule = rule(
  "an object",
  (value) => isObject(value) && !(Symbol.iterator in value),
);
/** Accepts an array, even from another realm. Other iterables and typed arrays fail. */
export const aList: Rule = rule("a list", Array.isArray);
/** Accepts an array of strings. The array and the strings may be empty. */
export const aListOfNames: Rule = aListOf("a list of names", aString);
/** Accepts a Uint8Array, including a Buffer or a Uint8Array from another realm. */
export const aUint8Array: Rule = rule("a Uint8Array", isTagged("Uint8Array"));
/** Accepts an AbortSignal. Checks its members instead of its class, so that signals from other realms pass. */
export const anAbortSignal: Rule = rule("an AbortSignal", (value) => {
  const { aborted, addEventListener, removeEventListener } = membersOf(value);
  return typeof aborted === "boolean" && [addEventListener, removeEventListener].every(aFunction.holds);
});
/** Accepts a safe integer of at least 1. */
export const aPositiveInteger: Rule = rule("a positive integer", isIntegerWithin(1));

/** Creates a rule for safe integers from `least` to `most`, both inclusive. Without `most`, there is no upper bound. */
export function anInteger(least: number, most?: number): Rule {
  return rule(`an integer ${rangeText(least, most)}`, isIntegerWithin(least, most));
}

/** Creates a rule for numbers from `least` to `most`, both inclusive. Without `most`, Infinity passes too. NaN fails. */
export function aNumber(least: number, most?: number): Rule {
  return rule(`a number ${rangeText(least, most)}`, (value) => {
    return typeof value === "number" && value >= least && value <= (most ?? Infinity);
  });
}

/** Creates a rule that accepts only these values. Compares with `===`, except that NaN equals NaN. */
export function oneOf(...values: readonly unknown[]): Rule {
  const choices = values
    .map(describeValue)
    .join(", ")
    .replace(/, (?=[^,]*$)/, " or ");
  return rule(choices, (value) => values.includes(value));
}

/** Accepts the values of a reader's option `compression`. */
export const aReadCompression: Rule = oneOf("auto", "none", "gzip", "zlib");

/** Creates a rule for arrays whose items all pass `item`. @param expected Describes the array, for the error message. */
export function aListOf(expected: string, item: Rule): Rule {
  return { ...rule(expected, isListOf(item.holds)), item };
}

/** Creates a rule that accepts either one value for all names, or an object with one value per name. */
export function orByName({ expected, holds }: Rule): Rule {
  return rule(`${expected}, or an object with one such value per name`, (value) =>
    isObject(value) ? Object.values(value).every(holds) : holds(value),
  );
}

/**
 * Returns any value as an object whose properties can be read. Primitives are boxed; `null` and `undefined` become empty
 * objects. Used to recognize objects from other realms by their members.
 */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value) as Readonly<Record<string, unknown>>;
}

/** Returns a predicate that is true for instances of the built-in class called `name`, from any realm. */
export function isTagged(name: string): (value: unknown) => boolean {
  return (value) => Object.prototype.toString.call(value) === `[object ${name}]`;
}

/** Returns true for an object that is neither null nor an array. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rangeText(least: number, most: number | undefined): string {
  if (most === undefined) return `of at least ${least}`;
  return most === least ? `equal to ${least}` : `from ${least} to ${most}`;
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
