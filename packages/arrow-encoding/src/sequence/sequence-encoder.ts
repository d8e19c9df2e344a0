import { aName, assertOptions } from "@tfxio/wire/checks";
import { DataType } from "apache-arrow";
import { aSchema } from "../argument-rules.js";
import { columnsOf, type ExampleEncoder, type ExampleEncoderOptions } from "../example/example-encoder.js";
import { assertDistinctFeatures, flatFeatures, kindlessFeature } from "../encode/flat-features.js";
import { raggedFeaturesOf } from "../encode/ragged-features.js";
import { flatFeatureLists } from "./sequence-features.js";
import { DEFAULT_SEQUENCE_COLUMN } from "./sequence-plan.js";
import { writeRecords } from "../encode/write-records.js";

/** Options of {@link createSequenceExampleEncoder}: a `schema` is about the columns of the context. */
export interface SequenceExampleEncoderOptions extends ExampleEncoderOptions {
  /** Name of the struct column whose fields are the feature lists. Default `"##SEQUENCE##"`, as in TFX. */
  readonly sequenceColumn?: string | undefined;
}

/**
 * An encoder from record batches to tf.SequenceExamples: what {@link createSequenceExampleDecoder} does, undone.
 *
 * Columns become features of the context as those of a tf.Example do; one of type Null is a feature without kind. Fields
 * of the struct column, lists of lists, become feature lists: none where the field is null, one without steps where it
 * is `[]`, and a step without kind where a step is null. A batch without that column gives records without
 * `feature_lists`, and so does a row in which the struct is null.
 * @throws as {@link createExampleEncoder}; representations of values inside the struct are not looked at.
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
