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

/** Format id of {@link sequenceTfrecord}. */
export const SEQUENCE_TFRECORD_ID = "sequence-tfrecord";
/** Format id of {@link rawTfrecord}. */
export const RAW_TFRECORD_ID = "tfrecord-raw";

/** Options of the TFRecord container. */
export interface TfRecordOptions {
  /**
   * `"auto"` (default) detects the compression of each file by its first bytes, and writes gzip if the target's name ends in
   * `.gz`. The other values force one compression.
   */
  readonly compression: "auto" | "none" | "gzip" | "zlib";
  /**
   * Checks the CRC-32C of every payload. Default true. With `false`, damaged payloads that still parse are read without an error.
   * The checksum of the length is always checked.
   */
  readonly verifyPayloadCrc: boolean;
  /**
   * How record boundaries are found when an uncompressed file is divided, or when records are read by number. `"none"` (default)
   * divides a file by searching from each wanted position for the next record header, which it recognizes by its checksum. To
   * read records by number, it first reads the whole file once. `"beside"` uses the index `NAME.index` beside each file (see
   * {@link indexTfRecords}). With an index, the number of each part's first record is known. Use an index if records themselves
   * contain TFRecord files. Without one, the search may find a boundary inside a record, and the read then fails.
   */
  readonly index: "none" | "beside";
}

/** Options for decoding tf.Examples. */
export interface ExampleOptions {
  /**
   * Treatment of a record that is not a well-formed message. `"error"` (default) ends the read with an error. `"skip"` drops
   * the record and counts it in {@link ReadProgress.numSkipped}. Damaged framing is always an error.
   */
  readonly onMalformed: "error" | "skip";
  /**
   * Arrow type of the list columns that are read. `"list"` (default) means List and Binary, which have 32-bit offsets. `"large"`
   * means LargeList and LargeBinary, as in tfx_bsl. `"fixed"` means FixedSizeList for features whose lists all have the same
   * length according to the schema. `"fixed"` needs `schema` or `inferSchema`.
   *
   * An inferred schema fixes the length of a feature if all of its lists in the examined rows have the same length of at least 1.
   * Use `inferSchema: "full"` to examine all rows. Otherwise, a later row with a different length ends the read with
   * `schema-mismatch` (`list-length`).
   */
  readonly listType: "list" | "large" | "fixed";
}

/** Options for decoding tf.SequenceExamples. */
export interface SequenceExampleOptions extends ExampleOptions {
  /** Name of the struct column whose fields are the feature lists. Default `"##SEQUENCE##"`, as in TFX. */
  readonly sequenceColumn: string;
}

/** Names of the columns of raw records. */
export interface RawOptions {
  /** Name of the column of records. Default `"raw_record"`; tfx_bsl has no default. */
  readonly recordColumn: string;
  /**
   * Name of a `List<Int64>` column that holds the number of each record in its file, from 0. Undefined (default) omits the
   * column.
   */
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

/** @throws {ArgumentError} `invalid-argument` if an option is invalid, or is set although it has no effect for this `use`. */
export function assertTfRecordOptions(options: TfRecordOptions, use: OptionsUse): void {
  assertOptions("tfrecord", options, TFRECORD_RULES);
  if (use === "write" && !options.verifyPayloadCrc) throw forReading("verifyPayloadCrc");
  if (use === "write" && options.index !== "none") throw forReading("index");
}

/** Throws the same errors as {@link assertTfRecordOptions}. */
export function assertExampleOptions(options: ExampleOptions, use: OptionsUse): void {
  assertOptions("example", options, EXAMPLE_RULES);
  if (use === "write") assertWritable(options);
}

/** Throws the same errors as {@link assertTfRecordOptions}. */
export function assertSequenceExampleOptions(options: SequenceExampleOptions, use: OptionsUse): void {
  assertOptions("sequence-example", options, SEQUENCE_EXAMPLE_RULES);
  if (use === "write") assertWritable(options);
}

/** Throws the same errors as {@link assertTfRecordOptions}, and `invalid-argument` if both columns have the same name. */
export function assertRawOptions(options: RawOptions, use: OptionsUse): void {
  assertOptions("raw", options, RAW_RULES);
  if (options.recordIndexColumn === options.recordColumn) {
    throw unusableArgument(
      "recordIndexColumn",
      `must differ from recordColumn, found "${options.recordColumn}" in both`,
    );
  }
  if (use === "write" && options.recordIndexColumn !== undefined) throw forReading("recordIndexColumn");
}

/** Throws if an option of the decoder differs from its default, since the encoder ignores it. */
function assertWritable({ onMalformed, listType }: ExampleOptions): void {
  if (onMalformed !== "error") throw forReading("onMalformed");
  if (listType !== "list") throw forReading("listType");
}

function forReading(argument: string): ArgumentError {
  return unusableArgument(argument, "is for reading: it has no effect on writing");
}
