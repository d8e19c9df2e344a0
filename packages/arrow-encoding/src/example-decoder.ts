import type { ColumnPath, Schema } from "@tfxio/schema";
import { type ColumnBuffers, type Kernels, kernels as chosenKernels } from "@tfxio/wire/kernels";
import type { Schema as ArrowSchema } from "apache-arrow";
import type { ExampleDecoder } from "./decoder.js";
import { assertDecoderOptions } from "./decoder-options.js";
import { withEqualLengths } from "./equal-lengths.js";
import { type ExampleListType, exampleField } from "./example-arrow-types.js";
import { exampleRecordBatch } from "./example-batch.js";
import { planExampleColumns } from "./example-plan.js";
import { KernelDecoder } from "./kernel-decoder.js";
import { schemaWithRawRecords } from "./raw-record-column.js";

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
  /** Which kernels decode. Default: the best there are. */
  readonly kernels?: Kernels | undefined;
}

/**
 * A decoder from tf.Examples to record batches.
 * @throws {SchemaError} `schema-invalid` (`bad-schema-type`); `schema-mismatch` (`unknown-column`) for a path that
 * the schema lacks or that has not one step.
 * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`) when the schema has a column of that name;
 * (`unknown-option`), or for an option of the wrong type or without the schema that it needs.
 */
export function createExampleDecoder(options: ExampleDecoderOptions = {}): ExampleDecoder {
  assertDecoderOptions(options, [], "createExampleDecoder");
  const { rawRecordColumn, onMalformed, kernels = chosenKernels() } = options;
  const listType = options.listType === "large" ? "large" : "list";
  const plan = planExampleColumns(options);
  const schemaOf = (columns: readonly Pick<ColumnBuffers, "name" | "kind">[]): ArrowSchema =>
    schemaWithRawRecords(
      columns.map(({ name, kind }) => exampleField(name, kind, listType)),
      rawRecordColumn,
      listType,
    );
  const arrowSchema = plan.columns === undefined ? null : schemaOf(plan.columns);
  const kernel = kernels.exampleDecoder({
    ...plan,
    keepRawRecords: rawRecordColumn !== undefined,
    onMalformed,
  });
  return new KernelDecoder({
    kernels,
    kernel,
    arrowSchema,
    fixedSchema: fixedSchemaOf(arrowSchema, options),
    words: { record: "tf.Example" },
    toRecordBatch: (batch) => exampleRecordBatch(arrowSchema ?? schemaOf(batch.columns), batch, listType),
  });
}

/** The schema with FixedSizeLists; undefined when they are not asked for. */
export function fixedSchemaOf(
  arrowSchema: ArrowSchema | null,
  { listType, schema }: ExampleDecoderOptions,
  sequenceColumn?: string,
): ArrowSchema | undefined {
  if (listType !== "fixed" || arrowSchema === null || schema === undefined) return undefined;
  return withEqualLengths(arrowSchema, schema, sequenceColumn);
}
