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
   * Names, order and types of the columns, each `BYTES`, `INT` or `FLOAT`. For a repeated name, the first feature counts. Without
   * a schema, each batch has the names that occur in it, sorted by their UTF-8 bytes. The first value list of a name determines
   * its type. A name that never has a value list becomes a column of type Null.
   */
  readonly schema?: Schema | undefined;
  /** Keeps only these columns, in the schema's order. Each path has one step. Default: all. */
  readonly columns?: readonly ColumnPath[] | undefined;
  /**
   * Type of the lists. `"list"`, the default, is the fastest to read in JavaScript. `"large"` creates LargeList and LargeBinary,
   * as tfx_bsl does. `"fixed"` creates FixedSizeList where the schema gives all lists of a feature the same length, with a
   * `shape` or with a value count of equal `min` and `max`. It requires a schema.
   */
  readonly listType?: ExampleListType | "fixed" | undefined;
  /** Name of an additional last column with the serialized record of each row, as a list of one. */
  readonly rawRecordColumn?: string | undefined;
  /** Treatment of a feature outside the schema that has a value list. Default `"drop"`. `"error"` requires a schema. */
  readonly unlisted?: "drop" | "error" | undefined;
  /** `"skip"` leaves out malformed records and counts them. Default `"error"`. */
  readonly onMalformed?: "error" | "skip" | undefined;
  /**
   * Maximum number of columns in a batch without a schema, including feature lists. More columns are `limit-exceeded`. With
   * `unlisted: "error"`, it limits the unlisted features in a batch. Default 100,000.
   */
  readonly maxColumns?: number | undefined;
  /**
   * For Examples: reject a record with feature lists (a tf.SequenceExample), even with `onMalformed: "skip"`. The error
   * recommends the format with this name. By default, feature lists are ignored as an unknown field, as in tfx_bsl.
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
 * @param rules {@link DECODER_RULES}, plus the rules of this decoder's additional options.
 * @throws {ArgumentError} `invalid-argument` naming the option, when it has the wrong type or needs a schema; reason
 *   `unknown-option`.
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
  return new ArgumentError("invalid-argument", `${argument} "${value}" requires a schema.`, {
    argument,
  });
}

/** The schema with FixedSizeLists, or undefined if they are not requested. The raw record column stays unchanged. */
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
