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
   * The schema's ragged representations, from every group, define the features of nested columns. The representation with the
   * column's name yields one feature for the values, and one feature of row lengths for each list level below the rows. The rest
   * of the schema is ignored. Without a schema, columns must be flat lists.
   */
  readonly schema?: Schema | undefined;
}

/**
 * Encodes record batches as tf.Examples or tf.SequenceExamples: the inverse of {@link ExampleDecoder}. Holds no state between
 * batches.
 */
export interface ExampleEncoder {
  /**
   * Serializes each row to one record. All records are views of one buffer, which stays in memory as long as any of them. Every
   * column is a feature in every row: a null row has no kind, and an empty row has an empty list. So {@link
   * ExampleDecoder.decode} restores the batch. Columns must be lists of Float32, Int64, Binary or LargeBinary, the value types of
   * tf.Examples. Any list type works, sliced or not. Columns of type Null, which a decoder without a schema creates for names
   * without a kind, are accepted only by the encoder of tf.SequenceExamples.
   * @throws {SchemaError} `schema-mismatch`: `duplicate-column`, `not-a-list`, `value-type`, and `not-a-struct` for a column of
   *   feature lists; `schema-invalid` (`source-conflict`) when two columns map to the same feature.
   * @throws {ConversionError} `shape-mismatch`: `too-many-levels`, `too-few-levels` for a column whose nesting differs from its
   *   representation, `uniform-length` for lists whose length is not a multiple of its uniform lengths; `not-convertible`
   *   (`cell-value`) for a null in a list, or a name that is not valid Unicode; `out-of-range` (`batch-too-large`) for 2^31 bytes
   *   or more.
   * @throws {ArgumentError} `invalid-argument` when `batch` is not a RecordBatch.
   */
  encode(batch: RecordBatch): readonly Uint8Array[];
}

const noRagged: ReadonlyMap<string, RaggedFeatures> = new Map();

/**
 * Creates an encoder from record batches to tf.Examples.
 * @throws {UnsupportedError} `unsupported` (`feature-path`) for a ragged representation whose values are nested.
 * @throws {SchemaError} `schema-invalid` (`representation`) for a uniform length that is not positive.
 * @throws {ArgumentError} `invalid-argument` (`unknown-option`), or for an option of the wrong type.
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
 * The columns of a batch with their names.
 * @throws {SchemaError} `schema-mismatch` (`duplicate-column`). {@link ArgumentError} `invalid-argument`.
 */
export function columnsOf(batch: RecordBatch): readonly NamedColumn[] {
  assertArgument("batch", batch, aRecordBatch);
  const { fields } = batch.schema;
  assertDistinctFields(fields);
  return fields.map(({ name }, index) => ({ name, data: batch.data.children[index] as Data }));
}
