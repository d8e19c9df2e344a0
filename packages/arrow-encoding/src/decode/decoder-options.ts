import type { ColumnPath, Schema } from "@tfxio/schema";
import { ArgumentError } from "@tfxio/wire";
import { aName, aPositiveInteger, assertOptions, oneOf, type OptionRules } from "@tfxio/wire/checks";
import type { Kernels } from "@tfxio/wire/kernels";
import { type Field, Schema as ArrowSchema } from "apache-arrow";
import { aKernels, aListOfColumnPaths, aSchema } from "../argument-rules.js";
import { withEqualLengths } from "./equal-lengths.js";
import type { ExampleListType } from "../example/example-arrow-types.js";

/** Options of {@link createExampleDecoder}. */
export interface ExampleDecoderOptions {
  /**
   * Names, order and types of the columns. Each type must be `BYTES`, `INT` or `FLOAT`. For a repeated name, the first feature is
   * used. Without a schema, each batch has a column for each name that occurs in it, in the order of the names' UTF-8 bytes. The
   * first value list of a name determines the column's type. A name that never has a value list becomes a column of type Null.
   */
  readonly schema?: Schema | undefined;
  /** Keeps only these columns, in the schema's order, or sorted if there is no schema. Each path has one step. Default: all. */
  readonly columns?: readonly ColumnPath[] | undefined;
  /**
   * Type of the lists. `"list"`, the default, is the fastest to read in JavaScript. `"large"` creates LargeList and LargeBinary,
   * as tfx_bsl does. `"fixed"` requires a schema. It creates FixedSizeList for each feature whose lists all have the same length
   * according to the schema: the feature has a `shape`, or a value count with equal `min` and `max`.
   */
  readonly listType?: ExampleListType | "fixed" | undefined;
  /** Name of an additional last column that holds the serialized record of each row as a list of one. Default: no such column. */
  readonly rawRecordColumn?: string | undefined;
  /** Treatment of features that have a value list but are not in the schema. Default `"drop"`. `"error"` requires a schema. */
  readonly unlisted?: "drop" | "error" | undefined;
  /** `"skip"` leaves out malformed records and counts them in `numSkipped`. Default `"error"`, which throws. */
  readonly onMalformed?: "error" | "skip" | undefined;
  /**
   * Maximum number of columns in a batch if there is no schema. Feature lists count as columns. A batch with more columns causes
   * `limit-exceeded`. With `unlisted: "error"`, a record is decoded to its end before an unlisted feature is reported, and more
   * than `maxColumns` unlisted features in a batch cause `limit-exceeded`. Default 100,000.
   */
  readonly maxColumns?: number | undefined;
  /**
   * Only for Examples. Id of the format to recommend for tf.SequenceExamples. If set, a record with feature lists throws an error
   * that recommends this format, even with `onMalformed: "skip"`. By default, the field `feature_lists` is ignored like any
   * unknown field, as in tfx_bsl.
   */
  readonly sequenceFormat?: string | undefined;
  /** Decoding kernels. Default: the fastest available. */
  readonly kernels?: Kernels | undefined;
}

/** The rules for {@link ExampleDecoderOptions}. */
export const DECODER_RULES: OptionRules<ExampleDecoderOptions> = {
  schema: aSchema,
  columns: aListOfColumnPaths,
  listType: oneOf("list", "large", "fixed"),
  rawRecordColumn: aName,
  unlisted: oneOf("drop", "error"),
  onMalformed: oneOf("error", "skip"),
  maxColumns: aPositiveInteger,
  sequenceFormat: aName,
  kernels: aKernels,
};

/**
 * Checks the options of a decoder.
 * @param owner Name of the calling function, for messages.
 * @param rules {@link DECODER_RULES} and the rules of the decoder's additional options.
 * @throws {ArgumentError} `invalid-argument` if an option has the wrong type or requires a schema that is missing. Reason
 *   `unknown-option` for an unknown option.
 */
export function assertDecoderOptions<Options extends ExampleDecoderOptions>(
  owner: string,
  options: Options,
  rules: OptionRules<Options>,
): void {
  assertOptions(owner, options, rules);
  const { schema, listType, unlisted } = options;
  if (schema !== undefined) return;
  if (listType === "fixed") throw needsSchema("listType", listType);
  if (unlisted === "error") throw needsSchema("unlisted", unlisted);
}

function needsSchema(argument: string, value: string): ArgumentError {
  return new ArgumentError("invalid-argument", `${argument}: "${value}" requires a schema.`, {
    argument,
  });
}

/** Returns the schema with FixedSizeLists, or undefined if they are not requested. The raw record column stays unchanged. */
export function fixedSchemaOf(
  arrowSchema: ArrowSchema | null,
  { listType, schema, rawRecordColumn }: ExampleDecoderOptions,
  sequenceColumn?: string,
): ArrowSchema | undefined {
  if (listType !== "fixed" || arrowSchema === null || schema === undefined) return undefined;
  const isFeature = ({ name }: Field): boolean => name !== rawRecordColumn;
  const features = new ArrowSchema(arrowSchema.fields.filter(isFeature), arrowSchema.metadata);
  const fixed = withEqualLengths(features, schema, sequenceColumn);
  return new ArrowSchema(
    [...fixed.fields, ...arrowSchema.fields.filter((field) => !isFeature(field))],
    fixed.metadata,
  );
}
