import { ArgumentError } from "@tfxio/wire";
import { describeValue, isObject } from "@tfxio/wire/checks";
import type { ReadDescription, RequestDescription, SourceDescription } from "./read-description.js";

/** Checks a value in a description. `path` is the name of the value in errors, such as `description.format.id`. */
type Check = (value: unknown, path: string) => void;

function checkThat(expected: string, holds: (value: unknown) => boolean): Check {
  return (value, path) => {
    if (!holds(value)) throw badDescription(`${path} must be ${expected}, found ${describeValue(value)}`);
  };
}

const text: Check = checkThat("text", (value) => typeof value === "string");
const flag: Check = checkThat("true or false", (value) => typeof value === "boolean");
const count: Check = checkThat(
  "an integer of at least 0",
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
const fraction: Check = checkThat(
  "a number from 0 to 1",
  (value) => typeof value === "number" && value >= 0 && value <= 1,
);
const anyObject: Check = checkThat("an object", isObject);
const anything: Check = () => {};

const oneOf = (...allowed: readonly unknown[]): Check =>
  checkThat(allowed.map((value) => JSON.stringify(value)).join(" or "), (value) => allowed.includes(value));

const optional =
  (check: Check): Check =>
  (value, path) => {
    if (value !== undefined) check(value, path);
  };

const listOf =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) throw badDescription(`${path} must be a list, found ${describeValue(value)}`);
    for (const [index, item] of value.entries()) check(item, `${path}[${index}]`);
  };

/**
 * Returns a check for an object that has no members except those in `checks`. An unknown member is rejected, because ignoring it
 * might change which data is read.
 */
const members =
  <Described>(checks: Readonly<Record<keyof Described & string, Check>>): Check =>
  (value, path) => {
    if (!isObject(value)) throw badDescription(`${path} must be an object, found ${describeValue(value)}`);
    const other = Object.keys(value).find((key) => !Object.hasOwn(checks, key));
    if (other !== undefined) throw badDescription(`${path} has an unknown member "${other}"`);
    for (const [key, check] of Object.entries<Check>(checks)) {
      check((value as Record<string, unknown>)[key], `${path}.${key}`);
    }
  };

const columnPath = listOf(text);

const checkSource = members<SourceDescription>({
  uri: text,
  origin: optional(text),
  blob: optional(count),
  store: optional(count),
  byteLength: optional(count),
  version: optional(text),
});

const checkRequest = members<RequestDescription>({
  columns: optional(listOf(columnPath)),
  schema: optional(text),
  unlisted: optional(oneOf("drop", "error")),
  batchSize: optional(count),
  batchBytes: optional(count),
  rawRecordColumn: optional(text),
  rowPositionColumn: optional(text),
  filter: optional(text),
  splitBytes: optional(count),
  columnForm: optional(oneOf("lists", "stored")),
  isInferred: optional(flag),
  float64: optional(oneOf("float32", "float32-lossy")),
  sample: optional(
    members<NonNullable<RequestDescription["sample"]>>({
      seed: checkThat(
        "an integer from 0 to 2^32 - 1",
        (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32,
      ),
      from: fraction,
      to: fraction,
      by: optional(columnPath),
    }),
  ),
});

const checkDescription = members<ReadDescription>({
  version: oneOf(1),
  format: members<ReadDescription["format"]>({
    id: text,
    module: optional(text),
    options: optional(anyObject),
    limits: optional(anyObject),
  }),
  sources: listOf(checkSource),
  stores: listOf(members<ReadDescription["stores"][number]>({ module: text, config: anything })),
  request: checkRequest,
  representationGroup: optional(text),
});

/**
 * Checks the structure of a description, which usually comes from another process. The contents of the format's options, the
 * limits and the schema are checked when they are used.
 * @throws {ArgumentError} `invalid-argument` (`description`), naming the invalid member.
 */
export function assertDescription(value: unknown): asserts value is ReadDescription {
  checkDescription(value, "description");
  const { sources, stores } = value as ReadDescription;
  for (const { uri, store } of sources) {
    if (store !== undefined && store >= stores.length)
      throw badDescription(
        `the source ${uri} refers to stores[${store}], but the length of stores is ${stores.length}`,
      );
  }
}

/** Returns the error for a value that is not a valid description. */
export function badDescription(problem: string, cause?: unknown): ArgumentError {
  return new ArgumentError("invalid-argument", `Expected a description from describeRead: ${problem}.`, {
    argument: "description",
    reason: "description",
    cause,
  });
}
