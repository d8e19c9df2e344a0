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
   * Names, order and types of the columns: `BYTES`, `INT` or `FLOAT` each; of a repeated name the first counts.
   * Absent: each batch has the names that occur in it, in the order of their UTF-8 bytes, each typed by its first
   * value list; a name that occurs without any becomes a column of type Null.
   */
  readonly schema?: Schema | undefined;
  /** Keeps only these columns, in the schema's order; each path is one step. Absent: all. */
  readonly columns?: readonly ColumnPath[] | undefined;
  /**
   * Type of the lists. `"list"`, the default, is what JavaScript reads fastest; `"large"` gives LargeList and
   * LargeBinary, exactly as tfx_bsl does. `"fixed"` gives FixedSizeList where the schema says that all lists of a feature
   * are of one length: by a `shape`, or a value count with `min` as large as `max`; it needs a schema.
   */
  readonly listType?: ExampleListType | "fixed" | undefined;
  /** Appends a column of this name with the serialized record of each row, a list of one. */
  readonly rawRecordColumn?: string | undefined;
  /** What a feature outside the schema means, if it holds a list. Default `"drop"`; `"error"` needs a schema. */
  readonly unlisted?: "drop" | "error" | undefined;
  /** `"skip"` leaves out records that are no well-formed tf.Example, and counts them. Default `"error"`. */
  readonly onMalformed?: "error" | "skip" | undefined;
  /**
   * Most columns that a batch may have without a schema, feature lists included; more are `limit-exceeded`. With
   * `unlisted: "error"` it bounds the features of a batch that are not listed. Default 100,000.
   */
  readonly maxColumns?: number | undefined;
  /**
   * Of Examples: refuses a record with feature lists, a tf.SequenceExample, even with `onMalformed: "skip"`. The error advises
   * the format of this name. Absent: feature lists are an unknown field, and ignored, as by tfx_bsl.
   */
  readonly sequenceFormat?: string | undefined;
  /** Which kernels decode. Default: the best there are. */
  readonly kernels?: Kernels | undefined;
}

/** What {@link ExampleDecoderOptions} must be. */
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
 * Checks the options of a decoder. @param rules those of all decoders, and of options that only this one has.
 * @throws {ArgumentError} `invalid-argument` naming the option: (`unknown-option`), of the wrong type, or without the
 * schema that it needs.
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
  return new ArgumentError(
    "invalid-argument",
    `${argument} "${value}" goes by a schema, and there is none.`,
    {
      argument,
    },
  );
}

/** The schema with FixedSizeLists; undefined when they are not asked for. The raw records are no feature of `schema`. */
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
