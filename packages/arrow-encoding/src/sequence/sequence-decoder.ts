import { ArgumentError, DEFAULT_MAX_COLUMNS } from "@tfxio/wire";
import { aName, type OptionRules } from "@tfxio/wire/checks";
import { type FeatureKind, kernels as chosenKernels } from "@tfxio/wire/kernels";
import { Field, type Schema as ArrowSchema, Struct } from "apache-arrow";
import type { ExampleDecoder } from "../decode/decoder.js";
import {
  assertDecoderOptions,
  DECODER_RULES,
  type ExampleDecoderOptions,
  fixedSchemaOf,
} from "../decode/decoder-options.js";
import { exampleFields, featureListFields } from "../example/example-arrow-types.js";
import { KernelDecoder } from "../decode/kernel-decoder.js";
import { schemaWithRawRecords } from "../decode/raw-record-column.js";
import { sequenceRecordBatch } from "./sequence-batch.js";
import { DEFAULT_SEQUENCE_COLUMN, planSequenceColumns } from "./sequence-plan.js";

/**
 * Options of {@link createSequenceExampleDecoder}. The options of {@link ExampleDecoderOptions} apply to both context and feature
 * lists. A path in `columns` may name a feature list: `["##SEQUENCE##", "words"]`. `listType: "fixed"` uses the `value_counts`
 * of a feature list: steps per row, then values per step.
 */
export interface SequenceExampleDecoderOptions extends Omit<ExampleDecoderOptions, "sequenceFormat"> {
  /** Name of the struct column whose fields are the feature lists. Default `"##SEQUENCE##"`, as in TFX. */
  readonly sequenceColumn?: string | undefined;
}

interface Named {
  readonly name: string;
  readonly kind: FeatureKind;
}

/**
 * Creates a decoder that turns tf.SequenceExamples into record batches. Features of the context become columns, like those of a
 * tf.Example. Feature lists become fields of one struct column, which is the last column, or the last before the raw record
 * column. Each field is a list of steps, and each step is a list of values. The struct is never null. A field is null if the
 * record lacks the feature list, and `[]` if the feature list has no steps. A step is null if it has no value list, and `[]` if
 * its value list is empty.
 *
 * With a schema, the fields of the struct column are those of the STRUCT feature that `sequenceColumn` names. If that feature is
 * missing or has no fields, batches have no struct column. Without a schema, the struct exists if any record of the batch has a
 * `feature_lists` message. The first step with a value list determines a field's type. If no step has a value list, the type is
 * `List<Null>`.
 * @throws {SchemaError} `schema-invalid` (`bad-schema-type`) if a feature has an unsupported type, or if the feature that
 *   `sequenceColumn` names is not a STRUCT. `schema-mismatch` (`unknown-column`) for a path that is not in the schema or is too
 *   long.
 * @throws {ArgumentError} As {@link createExampleDecoder}.
 */
export function createSequenceExampleDecoder(options: SequenceExampleDecoderOptions = {}): ExampleDecoder {
  assertDecoderOptions("createSequenceExampleDecoder", options, SEQUENCE_DECODER_RULES);
  const { rawRecordColumn, onMalformed, kernels = chosenKernels() } = options;
  const { maxColumns = DEFAULT_MAX_COLUMNS } = options;
  const { sequenceColumn = DEFAULT_SEQUENCE_COLUMN } = options;
  const listType = options.listType === "large" ? "large" : "list";
  const { context, featureLists } = planSequenceColumns(options, sequenceColumn);
  const schemaOf = (columns: readonly Named[], lists: readonly Named[] | undefined): ArrowSchema => {
    const fields: Field[] = exampleFields(columns, listType);
    if (lists !== undefined) {
      if (columns.some(({ name }) => name === sequenceColumn)) throw sequenceCollision(sequenceColumn);
      const children = featureListFields(lists, listType);
      fields.push(new Field(sequenceColumn, new Struct(children), true));
    }
    return schemaWithRawRecords(fields, rawRecordColumn, listType);
  };
  const { columns } = context;
  const lists = featureLists.columns?.length === 0 ? undefined : featureLists.columns;
  const arrowSchema = columns === undefined ? null : schemaOf(columns, lists);
  const kernel = kernels.sequenceExampleDecoder({
    ...context,
    featureLists,
    keepRawRecords: rawRecordColumn !== undefined,
    onMalformed,
    maxColumns,
  });
  return new KernelDecoder({
    kernels,
    kernel,
    arrowSchema,
    fixedSchema: fixedSchemaOf(arrowSchema, options, sequenceColumn),
    words: { record: "tf.SequenceExample", maxColumns, sequenceColumn },
    toRecordBatch: (batch) => {
      const found = batch.featureLists?.map(({ name, steps }) => ({ name, kind: steps.kind }));
      return sequenceRecordBatch(arrowSchema ?? schemaOf(batch.columns, found), batch, listType);
    },
  });
}

const { sequenceFormat: _, ...SHARED_RULES } = DECODER_RULES;

const SEQUENCE_DECODER_RULES: OptionRules<SequenceExampleDecoderOptions> = {
  ...SHARED_RULES,
  sequenceColumn: aName,
};

function sequenceCollision(name: string): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `The column of feature lists, "${name}", has the same name as another column.`,
    { reason: "sequence-column-collision", argument: "sequenceColumn" },
  );
}
