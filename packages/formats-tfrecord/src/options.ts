import type { OptionsUse } from "@tfxio/format";
import { ArgumentError } from "@tfxio/wire";

/** How TFRecord files are framed. */
export interface TfRecordOptions {
  /**
   * `"auto"` (default) goes by the first bytes of each file that is read, and writes gzip where the target's name
   * ends in `.gz`; the others insist.
   */
  readonly compression: "auto" | "none" | "gzip" | "zlib";
  /**
   * Check the CRC-32C of every payload that is read; default true. The checksum of the length is always checked. `false` reads
   * damaged payloads without noticing, where they still parse.
   */
  readonly verifyPayloadCrc: boolean;
}

/** How tf.Examples are decoded. */
export interface ExampleOptions {
  /**
   * What a record that is no well-formed message of its kind means: `"error"` (default) ends the read, `"skip"` leaves it out
   * and counts it in {@link ReadProgress.numSkipped}. Damage to the framing is always an error.
   */
  readonly onMalformed: "error" | "skip";
  /**
   * Type of the lists that are read: `"list"` (default); `"large"`, LargeList and LargeBinary as tfx_bsl has them; or
   * `"fixed"`, FixedSizeList where the schema that is read with says that all lists of a feature are of one length. It
   * needs `schema` or `inferSchema`. An inferred schema says so of features whose lists were all of one length, at least
   * 1, in the rows that it was inferred from: with `"full"` in all there are, else a later row of another length ends
   * the read with `schema-mismatch` (`list-length`).
   */
  readonly listType: "list" | "large" | "fixed";
}

/** How tf.SequenceExamples are decoded. */
export interface SequenceExampleOptions extends ExampleOptions {
  /** Name of the struct column whose fields are the feature lists. Default `"##SEQUENCE##"`, as in TFX. */
  readonly sequenceColumn: string;
}

/** @throws {ArgumentError} `invalid-argument` naming the option; also for one that could not act in this use. */
export function assertTfRecordOptions(
  { compression, verifyPayloadCrc }: TfRecordOptions,
  use: OptionsUse,
): void {
  assertOneOf("compression", compression, ["auto", "none", "gzip", "zlib"]);
  assertOneOf("verifyPayloadCrc", verifyPayloadCrc, [true, false]);
  if (use === "write" && !verifyPayloadCrc) throw notForUse("verifyPayloadCrc", use);
}

/** @throws {ArgumentError} `invalid-argument` naming the option. */
export function assertExampleOptions({ onMalformed, listType }: ExampleOptions, use: OptionsUse): void {
  if (use === "write" && onMalformed === "skip") throw notForUse("onMalformed", use);
  assertOneOf("onMalformed", onMalformed, ["error", "skip"]);
  assertOneOf("listType", listType, ["list", "large", "fixed"]);
  if (use === "write" && listType !== "list") throw notForUse("listType", use);
}

/** @throws {ArgumentError} `invalid-argument` naming the option. */
export function assertSequenceExampleOptions(options: SequenceExampleOptions, use: OptionsUse): void {
  assertExampleOptions(options, use);
  const { sequenceColumn } = options;
  if (typeof sequenceColumn === "string" && sequenceColumn !== "") return;
  throw new ArgumentError(
    "invalid-argument",
    `sequenceColumn is the name of a column, found ${JSON.stringify(sequenceColumn)}`,
    { argument: "sequenceColumn" },
  );
}

function notForUse(argument: string, use: OptionsUse): ArgumentError {
  const other = use === "read" ? "writing" : "reading";
  return new ArgumentError("invalid-argument", `${argument} is for ${other}: it has nothing to act on here`, {
    argument,
  });
}

function assertOneOf(argument: string, value: unknown, allowed: readonly unknown[]): void {
  if (allowed.includes(value)) return;
  throw new ArgumentError(
    "invalid-argument",
    `${argument} is one of ${allowed.map(String).join(", ")}, found ${String(value)}`,
    { argument },
  );
}
