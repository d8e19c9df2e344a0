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

/** Options for the arrangement of the objects in a file. */
export interface JsonLayoutOptions {
  /**
   * `"lines"` is JSON Lines: one object per line. `"array"` is one JSON array of objects. `"auto"` (default) reads an array if
   * the first byte that is not white space is `[`, and lines otherwise. It writes an array if the target's name ends in
   * `.json` or `.json.gz`, and lines otherwise.
   */
  readonly layout: "auto" | "lines" | "array";
  /** `"auto"` (default) detects gzip from the first bytes, and writes gzip if the target's name ends in `.gz`. */
  readonly compression: "auto" | "none" | "gzip" | "zlib";
}

/** Options for the conversion between objects and rows. */
export interface JsonRowOptions {
  /**
   * Reading: treatment of a column with values of several kinds. `"error"` (default) rejects the column, and the message names
   * the record and the path. `"widen"` reads the column as text: strings and nulls stay unchanged, other values keep their JSON.
   * Integers and other numbers together count as one kind, Float64, if float64 can hold every integer exactly. If it cannot,
   * `"error"` rejects the column, and `"widen"` rounds the integers. `"widen"` also reads integers beyond int64 as Float64.
   * Columns of a schema keep their declared type, so `"widen"` affects only BYTES features: it reads all their values as text.
   */
  readonly onMixed: "error" | "widen";
  /**
   * Reading: treatment of a record that is not a JSON object according to RFC 8259. `"error"` (default) ends the read. `"skip"`
   * drops the record and counts it in {@link ReadProgress.numSkipped}. This requires a second pass over every record. A record
   * is also skipped if it nests deeper than `maxDepth`, contains a lone surrogate, or contains a number such as `1e400` that
   * `nonFinite` rejects. A value that does not fit its column, a record longer than `maxRecordBytes`, or damage between the
   * elements of an array always ends the read.
   */
  readonly onBadLine: "error" | "skip";
  /**
   * Treatment of NaN and infinities, which JSON cannot represent. `"error"` (default) rejects them. `"accept"` reads and writes
   * `NaN`, `Infinity` and `-Infinity` as Python does, and reads numbers beyond the range of float64 as infinities. `"null"`
   * reads and writes null instead. In Float32 columns, numbers beyond the range of float32 are treated in the same way.
   */
  readonly nonFinite: "error" | "accept" | "null";
  /**
   * Reading: maximum nesting depth of objects and lists in a record, from 1 to 1000. Default 512. The depth is limited because
   * the parser is recursive.
   */
  readonly maxDepth: number;
  /**
   * Writing: form of the values of Binary columns. `"text"` (default) writes them as text and rejects bytes that are not UTF-8.
   * `"base64"` writes all of them in base64 (RFC 4648, with padding). Utf8 columns are always written as text.
   */
  readonly binary: "text" | "base64";
  /**
   * Writing: true to write an innermost list with a single non-null value as that value, without brackets. Default false, so
   * every list stays a list.
   */
  readonly unwrapSingle: boolean;
}

/** All options of the format {@link jsonl}. */
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

/** Largest allowed `maxDepth`. Recursion to this depth fits the smallest default stack size of a thread. */
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

/** Checks the layout options. @throws {ArgumentError} `invalid-argument`, naming the option. */
export function assertLayoutOptions(options: JsonLayoutOptions): void {
  assertOptions("jsonl", options, LAYOUT_RULES);
}

/**
 * Checks the row options.
 * @throws {ArgumentError} `invalid-argument`, naming the option. An option that has no effect in this use is also rejected,
 * unless it has its default value.
 */
export function assertRowOptions(options: JsonRowOptions, use: OptionsUse): void {
  assertOptions("jsonl", options, ROW_RULES);
  const idle = use === "write" ? READ_ONLY : WRITE_ONLY;
  const given = idle.find((name) => options[name] !== ROW_DEFAULTS[name]);
  if (given === undefined) return;
  const [own, other] = use === "write" ? ["reading", "writing"] : ["writing", "reading"];
  throw unusableArgument(given, `is for ${own}: it has no effect on ${other}`);
}
