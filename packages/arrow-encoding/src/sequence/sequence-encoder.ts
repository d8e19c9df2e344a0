import { aName, assertOptions } from "@tfxio/wire/checks";
import { DataType } from "apache-arrow";
import { aSchema } from "../argument-rules.js";
import { columnsOf, type ExampleEncoder, type ExampleEncoderOptions } from "../example/example-encoder.js";
import { assertDistinctFeatures, flatFeatures, kindlessFeature } from "../encode/flat-features.js";
import { raggedFeaturesOf } from "../encode/ragged-features.js";
import { flatFeatureLists } from "./sequence-features.js";
import { DEFAULT_SEQUENCE_COLUMN } from "./sequence-plan.js";
import { writeRecords } from "../encode/write-records.js";

/** Options of {@link createSequenceExampleEncoder}. The `schema` applies to the columns of the context. */
export interface SequenceExampleEncoderOptions extends ExampleEncoderOptions {
  /** Name of the struct column whose fields are the feature lists. Default `"##SEQUENCE##"`, as in TFX. */
  readonly sequenceColumn?: string | undefined;
}

/**
 * Creates an encoder from record batches to tf.SequenceExamples, the inverse of {@link createSequenceExampleDecoder}.
 *
 * Columns become features of the context, like those of a tf.Example. A column of type Null becomes a feature without a kind.
 * Fields of the struct column, which are lists of lists, become feature lists. A null field is omitted, `[]` becomes a feature
 * list without steps, and a null step becomes a step without a kind. A record has no `feature_lists` if the struct column is
 * missing or of type Null, or if the struct is null in the record's row. Ragged representations of values inside the struct are
 * ignored.
 * @throws {UnsupportedError} As {@link createExampleEncoder}.
 * @throws {SchemaError} As {@link createExampleEncoder}.
 * @throws {ArgumentError} As {@link createExampleEncoder}.
 */
export function createSequenceExampleEncoder(options: SequenceExampleEncoderOptions = {}): ExampleEncoder {
  assertOptions("createSequenceExampleEncoder", options, { schema: aSchema, sequenceColumn: aName });
  const { schema, sequenceColumn = DEFAULT_SEQUENCE_COLUMN } = options;
  const ragged = schema === undefined ? new Map<string, never>() : raggedFeaturesOf(schema, sequenceColumn);
  return {
    encode: (batch) => {
      const columns = columnsOf(batch);
      const { numRows } = batch;
      const sequence = columns.find(({ name }) => name === sequenceColumn);
      const context = columns.filter((column) => column !== sequence);
      assertDistinctFeatures(context, ragged);
      const kindless = context.filter(({ data }) => DataType.isNull(data.type));
      const typed = context.filter(({ data }) => !DataType.isNull(data.type));
      const features = [
        ...flatFeatures(typed, ragged),
        ...kindless.map(({ name }) => kindlessFeature(name, numRows)),
      ];
      const featureLists = sequence && flatFeatureLists(sequenceColumn, sequence.data);
      return writeRecords({
        numRows,
        features: features.length > 0 ? features : undefined,
        featureLists,
      });
    },
  };
}
