import type { Schema } from "@tfxio/schema";
import { assertArgument, assertOptions } from "@tfxio/wire/checks";
import type { Data, RecordBatch } from "apache-arrow";
import { aRecordBatch, aSchema } from "../argument-rules.js";
import { assertDistinctFeatures, flatFeatures, type NamedColumn } from "../encode/flat-features.js";
import { assertDistinctFields } from "../table/merge-batches.js";
import { type RaggedFeatures, raggedFeaturesOf } from "../encode/ragged-features.js";
import { writeRecords } from "../encode/write-records.js";

/** Options of {@link createExampleEncoder}. */
export interface ExampleEncoderOptions {
  /**
   * A schema whose ragged representations, in all its tensor representation groups, define the features of nested columns. A
   * nested column needs a representation of the same name. The column is encoded as one feature of values, and one feature of row
   * lengths for each list level except the outermost. Everything else in the schema is ignored. Without a schema, columns must be
   * flat lists.
   */
  readonly schema?: Schema | undefined;
}

/**
 * Encodes record batches as tf.Examples or tf.SequenceExamples, the inverse of {@link ExampleDecoder}. Holds no state between
 * batches.
 */
export interface ExampleEncoder {
  /**
   * Serializes each row to one record. All records are views of one buffer, which stays in memory as long as any of the records
   * is in use. Every column of flat lists becomes a feature of every row. The feature of a null row has no kind, and the feature
   * of an empty row has an empty list, so {@link ExampleDecoder.decode} can distinguish them. Columns must be lists of Float32,
   * Int64, Binary or LargeBinary, the value types of tf.Examples. Any list type works, and columns may be sliced. Only the
   * encoder of tf.SequenceExamples accepts a column of type Null, which a decoder without a schema creates for a feature that has
   * no kind in any record.
   * @throws {SchemaError} `schema-mismatch`: `duplicate-column`, `not-a-list`, `value-type`; also `not-a-struct` if the column of
   *   feature lists is not a struct. `schema-invalid` (`source-conflict`) if two columns are encoded as the same feature.
   * @throws {ConversionError} `shape-mismatch`: `too-many-levels` and `too-few-levels` for a column whose nesting differs from
   *   its representation, and `uniform-length` for a list whose length is not a multiple of the product of its uniform lengths.
   *   `not-convertible` (`cell-value`) for a null in a list, or a name that is not valid Unicode. `out-of-range`
   *   (`batch-too-large`) if the records add up to 2^31 bytes or more.
   * @throws {ArgumentError} `invalid-argument` unless `batch` is a RecordBatch. `invalid-argument` (`detached-buffer`) for a
   *   batch that was transferred to another thread or whose lease was released.
   */
  encode(batch: RecordBatch): readonly Uint8Array[];
}

const noRagged: ReadonlyMap<string, RaggedFeatures> = new Map();

/**
 * Creates an encoder that turns record batches into tf.Examples.
 * @throws {UnsupportedError} `unsupported` (`feature-path`) for a ragged representation whose value path does not have exactly
 *   one step.
 * @throws {SchemaError} `schema-invalid` (`representation`) for a partition that has neither a row length nor a positive uniform
 *   length.
 * @throws {ArgumentError} `invalid-argument` for an option of the wrong type. `invalid-argument` (`unknown-option`) for an
 *   unknown option.
 * @see tfx_bsl.coders.example_coder.RecordBatchToExamplesEncoder
 */
export function createExampleEncoder(options: ExampleEncoderOptions = {}): ExampleEncoder {
  assertOptions("createExampleEncoder", options, { schema: aSchema });
  const { schema } = options;
  const ragged = schema === undefined ? noRagged : raggedFeaturesOf(schema);
  return {
    encode: (batch) => {
      const columns = columnsOf(batch);
      assertDistinctFeatures(columns, ragged);
      return writeRecords({ numRows: batch.numRows, features: flatFeatures(columns, ragged) });
    },
  };
}

/**
 * Returns the columns of a batch with their names.
 * @throws {SchemaError} `schema-mismatch` (`duplicate-column`) if two columns have the same name.
 * @throws {ArgumentError} `invalid-argument` unless `batch` is a RecordBatch.
 */
export function columnsOf(batch: RecordBatch): readonly NamedColumn[] {
  assertArgument("batch", batch, aRecordBatch);
  const { fields } = batch.schema;
  assertDistinctFields(fields);
  return fields.map(({ name }, index) => ({ name, data: batch.data.children[index] as Data }));
}
