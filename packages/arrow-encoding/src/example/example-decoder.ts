import { DEFAULT_MAX_COLUMNS } from "@tfxio/wire";
import { type ColumnBuffers, kernels as chosenKernels } from "@tfxio/wire/kernels";
import type { Schema as ArrowSchema } from "apache-arrow";
import type { ExampleDecoder } from "../decode/decoder.js";
import {
  assertDecoderOptions,
  DECODER_RULES,
  type ExampleDecoderOptions,
  fixedSchemaOf,
} from "../decode/decoder-options.js";
import { exampleFields } from "./example-arrow-types.js";
import { exampleRecordBatch } from "./example-batch.js";
import { planExampleColumns } from "./example-plan.js";
import { KernelDecoder } from "../decode/kernel-decoder.js";
import { schemaWithRawRecords } from "../decode/raw-record-column.js";

/**
 * Creates a decoder that turns tf.Examples into record batches. Its methods can throw {@link RecordError} `limit-exceeded`
 * (`column-count`, `batch-too-large`).
 * @throws {SchemaError} `schema-invalid` (`bad-schema-type`) for a feature of an unsupported type. `schema-mismatch`
 *   (`unknown-column`) for a path that is not in the schema, or that does not have exactly one step.
 * @throws {ArgumentError} `invalid-argument` if an option has the wrong type, or requires a schema that is missing.
 *   `invalid-argument` (`raw-column-collision`) if a column of the schema has the name of the raw record column.
 *   `invalid-argument` (`unknown-option`) for an unknown option.
 */
export function createExampleDecoder(options: ExampleDecoderOptions = {}): ExampleDecoder {
  assertDecoderOptions("createExampleDecoder", options, DECODER_RULES);
  const { rawRecordColumn, onMalformed, sequenceFormat, kernels = chosenKernels() } = options;
  const { maxColumns = DEFAULT_MAX_COLUMNS } = options;
  const listType = options.listType === "large" ? "large" : "list";
  const plan = planExampleColumns(options);
  const schemaOf = (columns: readonly Pick<ColumnBuffers, "name" | "kind">[]): ArrowSchema =>
    schemaWithRawRecords(exampleFields(columns, listType), rawRecordColumn, listType);
  const arrowSchema = plan.columns === undefined ? null : schemaOf(plan.columns);
  const kernel = kernels.exampleDecoder({
    ...plan,
    keepRawRecords: rawRecordColumn !== undefined,
    onMalformed,
    maxColumns,
    rejectsFeatureLists: sequenceFormat !== undefined,
  });
  return new KernelDecoder({
    kernels,
    kernel,
    arrowSchema,
    fixedSchema: fixedSchemaOf(arrowSchema, options),
    words: { record: "tf.Example", maxColumns, sequenceFormat },
    toRecordBatch: (batch) => exampleRecordBatch(arrowSchema ?? schemaOf(batch.columns), batch, listType),
  });
}
