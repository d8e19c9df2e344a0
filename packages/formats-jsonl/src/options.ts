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

/** Arrangement of the objects in a file. */
export interface JsonLayoutOptions {
  /**
   * `"lines"` is JSON Lines: one object per line. `"array"` is one JSON array of objects. `"auto"` (default) reads an array if
   * the first byte other than white space is `[`, else lines. It writes an array if the target's name ends in `.json` or
   * `.json.gz`, else lines.
   */
  readonly layout: "auto" | "lines" | "array";
  /** `"auto"` (default) detects gzip by the first bytes, and writes gzip if the target's name ends in `.gz`. */
  readonly compression: "auto" | "none" | "gzip" | "zlib";
}

/** Conversion between objects and rows. */
export interface JsonRowOptions {
  /**
   * Reading: treatment of a column with values of several kinds. `"error"` (default) rejects it, naming the record and the path.
   * `"widen"` reads it as text: strings unchanged, other values as their JSON. Integers and other numbers together are a single
   * kind, Float64, if float64 can hold every integer exactly. If it cannot, `"error"` rejects the column and `"widen"` rounds the
   * integers. `"widen"` also reads integers beyond int64 as Float64.
   */
  readonly onMixed: "error" | "widen";
  /**
   * Reading: treatment of a record that is not a JSON object according to RFC 8259. `"error"` (default) ends the read. `"skip"`
   * drops the record and counts it in {@link ReadProgress.numSkipped}, which takes a second pass over each record. Records longer
   * than the limit, and damage between the elements of an array, always end the read.
   */
  readonly onBadLine: "error" | "skip";
  /**
   * Treatment of NaN and infinities, which JSON cannot represent. `"error"` (default) rejects them. `"accept"` reads and writes
   * `NaN`, `Infinity` and `-Infinity` as Python does, and reads numbers beyond float64 as infinities. `"null"` reads and writes
   * null instead.
   */
  readonly nonFinite: "error" | "accept" | "null";
  /** Reading: maximum nesting of objects and lists in a record, 1 to 1000. Default 512. Limited because parsing is recursive. */
  readonly maxDepth: number;
  /**
   * Writing: form of Binary columns. `"text"` (default) expects UTF-8 and rejects other bytes. `"base64"` writes all values in
   * base64 (RFC 4648, with padding). Utf8 columns are always text.
   */
  readonly binary: "text" | "base64";
  /** Writing: writes a list with a single non-null value as that value. Default false, so that lists stay lists. */
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

/** Largest `maxDepth`. Recursion to this depth fits the smallest default stack of a thread. */
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

/** @throws {ArgumentError} `invalid-argument`, naming the option. */
export function assertLayoutOptions(options: JsonLayoutOptions): void {
  assertOptions("jsonl", options, LAYOUT_RULES);
}

/** @throws {ArgumentError} `invalid-argument`, naming the option; also for an option that has no effect in this use. */
export function assertRowOptions(options: JsonRowOptions, use: OptionsUse): void {
  assertOptions("jsonl", options, ROW_RULES);
  const idle = use === "write" ? READ_ONLY : WRITE_ONLY;
  const given = idle.find((name) => options[name] !== ROW_DEFAULTS[name]);
  if (given === undefined) return;
  const [own, other] = use === "write" ? ["reading", "writing"] : ["writing", "reading"];
  throw unusableArgument(given, `is for ${own}: it has no effect on ${other}`);
}
