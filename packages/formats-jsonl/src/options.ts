import type { OptionsUse } from "@tfxio/format";
import {
  aBoolean,
  anInteger,
  aReadCompression,
  assertOptions,
  oneOf,
  type OptionRules,
  unusableArgument,
} from "@tfxio/wire/checks";

/** How objects lie in a file. */
export interface JsonLayoutOptions {
  /**
   * `"lines"` is JSON Lines: an object a line. `"array"` is one JSON array of objects. `"auto"` (default) reads an array
   * where the first byte that is not white space is `[`, else lines; it writes an array where the name of the target
   * ends in `.json` or `.json.gz`, else lines.
   */
  readonly layout: "auto" | "lines" | "array";
  /** `"auto"` (default) recognises gzip by its first bytes, and writes gzip where the target's name ends in `.gz`. */
  readonly compression: "auto" | "none" | "gzip" | "zlib";
}

/** How objects become rows, and rows objects. */
export interface JsonRowOptions {
  /**
   * Reading: what a column with values of several kinds means. `"error"` (default) refuses it, naming record and path.
   * `"widen"` makes a column of text: strings as they are, other values as their JSON. Integers beside other numbers are
   * one kind, Float64, as long as float64 holds each of them exactly; `"widen"` also rounds, and takes integers beyond
   * int64 to Float64.
   */
  readonly onMixed: "error" | "widen";
  /**
   * Reading: what a record means that is not a JSON object as RFC 8259 has it. `"error"` (default) ends the read,
   * `"skip"` leaves the record out and counts it in {@link ReadProgress.numSkipped}. It costs a second look at each
   * record. Records longer than the limit, and damage between the elements of an array, always end the read.
   */
  readonly onBadLine: "error" | "skip";
  /**
   * NaN and infinities, for which JSON has no number. `"error"` (default) refuses them; `"accept"` reads and writes `NaN`,
   * `Infinity` and `-Infinity` as Python does, and reads numbers beyond float64 as infinities; `"null"` makes null of them.
   */
  readonly nonFinite: "error" | "accept" | "null";
  /** Reading: levels of objects and lists that a record may have, from 1 to 1000. Default 512: parsing is recursive. */
  readonly maxDepth: number;
  /**
   * Writing: how Binary columns become text. `"text"` (default) takes them for UTF-8 and refuses other bytes; `"base64"`
   * writes all of them in base64 (RFC 4648, with padding). Utf8 columns are always text.
   */
  readonly binary: "text" | "base64";
  /** Writing: a list of one value, not null, as the value alone. Default false, so that lists stay lists. */
  readonly unwrapSingle: boolean;
}

/** Options of the format. */
export type JsonlOptions = JsonLayoutOptions & JsonRowOptions;

export const LAYOUT_DEFAULTS: JsonLayoutOptions = { layout: "auto", compression: "auto" };
export const ROW_DEFAULTS: JsonRowOptions = {
  onMixed: "error",
  onBadLine: "error",
  nonFinite: "error",
  maxDepth: 512,
  binary: "text",
  unwrapSingle: false,
};

/** Recursion this deep fits the smallest stacks that runtimes give to threads. */
const MAX_DEPTH = 1000;

const LAYOUT_RULES: OptionRules<JsonLayoutOptions> = {
  layout: oneOf("auto", "lines", "array"),
  compression: aReadCompression,
};
const ROW_RULES: OptionRules<JsonRowOptions> = {
  onMixed: oneOf("error", "widen"),
  onBadLine: oneOf("error", "skip"),
  nonFinite: oneOf("error", "accept", "null"),
  maxDepth: anInteger(1, MAX_DEPTH),
  binary: oneOf("text", "base64"),
  unwrapSingle: aBoolean,
};
const READ_ONLY = ["onMixed", "onBadLine", "maxDepth"] as const;
const WRITE_ONLY = ["binary", "unwrapSingle"] as const;

/** @throws {ArgumentError} `invalid-argument` naming the option. */
export function assertLayoutOptions(options: JsonLayoutOptions): void {
  assertOptions("jsonl", options, LAYOUT_RULES);
}

/** @throws {ArgumentError} `invalid-argument` naming the option; also for one that could not act in this use. */
export function assertRowOptions(options: JsonRowOptions, use: OptionsUse): void {
  assertOptions("jsonl", options, ROW_RULES);
  const idle = use === "write" ? READ_ONLY : WRITE_ONLY;
  const given = idle.find((name) => options[name] !== ROW_DEFAULTS[name]);
  if (given === undefined) return;
  const [own, other] = use === "write" ? ["reading", "writing"] : ["writing", "reading"];
  throw unusableArgument(given, `is for ${own}: it has no effect on ${other}`);
}
