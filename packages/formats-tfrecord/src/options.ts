import type { OptionsUse } from "@tfxio/format";
import type { ArgumentError } from "@tfxio/wire";
import {
  aBoolean,
  aName,
  aReadCompression,
  assertOptions,
  oneOf,
  type OptionRules,
  unusableArgument,
} from "@tfxio/wire/checks";

/** What callers ask for SequenceExamples by. */
export const SEQUENCE_TFRECORD_ID = "sequence-tfrecord";
/** What callers ask for records as they are by. */
export const RAW_TFRECORD_ID = "tfrecord-raw";

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
  /**
   * How records are found where a plain file is cut into parts. `"none"` (default) searches for the header of a record near
   * each cut, which its checksum gives away, and reads some KB for it. `"beside"` takes them from the index
   * `NAME.index` beside each file (see {@link indexTfRecords}), which also gives records their numbers. A file whose
   * records hold TFRecord files themselves needs the index: the search may end within one, and the read then fails.
   */
  readonly index: "none" | "beside";
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

/** Columns that records become when they are not decoded. */
export interface RawOptions {
  /** Name of the column of records. Default `"raw_record"`; tfx_bsl has no default. */
  readonly recordColumn: string;
  /** Name of a column with the number of each record in its file, from 0. Absent (default): there is no such column. */
  readonly recordIndexColumn: string | undefined;
}

const TFRECORD_RULES: OptionRules<TfRecordOptions> = {
  compression: aReadCompression,
  verifyPayloadCrc: aBoolean,
  index: oneOf("none", "beside"),
};
const EXAMPLE_RULES: OptionRules<ExampleOptions> = {
  onMalformed: oneOf("error", "skip"),
  listType: oneOf("list", "large", "fixed"),
};
const SEQUENCE_EXAMPLE_RULES: OptionRules<SequenceExampleOptions> = {
  ...EXAMPLE_RULES,
  sequenceColumn: aName,
};
const RAW_RULES: OptionRules<RawOptions> = { recordColumn: aName, recordIndexColumn: aName };

/** @throws {ArgumentError} `invalid-argument` naming the option; also for one that could not act in this use. */
export function assertTfRecordOptions(options: TfRecordOptions, use: OptionsUse): void {
  assertOptions("tfrecord", options, TFRECORD_RULES);
  if (use === "write" && !options.verifyPayloadCrc) throw forReading("verifyPayloadCrc");
  if (use === "write" && options.index !== "none") throw forReading("index");
}

/** @throws {ArgumentError} as {@link assertTfRecordOptions}. */
export function assertExampleOptions(options: ExampleOptions, use: OptionsUse): void {
  assertOptions("example", options, EXAMPLE_RULES);
  if (use === "write") assertWritable(options);
}

/** @throws {ArgumentError} as {@link assertTfRecordOptions}. */
export function assertSequenceExampleOptions(options: SequenceExampleOptions, use: OptionsUse): void {
  assertOptions("sequence-example", options, SEQUENCE_EXAMPLE_RULES);
  if (use === "write") assertWritable(options);
}

/** @throws {ArgumentError} as {@link assertTfRecordOptions}; also for one name given to both columns. */
export function assertRawOptions(options: RawOptions, use: OptionsUse): void {
  assertOptions("raw", options, RAW_RULES);
  if (options.recordIndexColumn === options.recordColumn) {
    throw unusableArgument(
      "recordIndexColumn",
      `is the name of the column of records, "${options.recordColumn}"`,
    );
  }
  if (use === "write" && options.recordIndexColumn !== undefined) throw forReading("recordIndexColumn");
}

function assertWritable({ onMalformed, listType }: ExampleOptions): void {
  if (onMalformed !== "error") throw forReading("onMalformed");
  if (listType !== "list") throw forReading("listType");
}

function forReading(argument: string): ArgumentError {
  return unusableArgument(argument, "is for reading: it has no effect on writing");
}
