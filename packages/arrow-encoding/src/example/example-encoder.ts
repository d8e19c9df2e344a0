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
   * Its ragged representations, of every group, say how nested columns become features: the representation of the
   * column's name gives the feature of the values, and one of row lengths for each level of lists below the rows.
   * Nothing else of it counts. Absent: columns are flat lists.
   */
  readonly schema?: Schema | undefined;
}

/**
 * Encodes record batches as tf.Examples, or tf.SequenceExamples: what {@link ExampleDecoder} does, undone. Holds no
 * state between batches.
 */
export interface ExampleEncoder {
  /**
   * One serialized record for each row: views of one buffer, which lives as long as one of them does. Every
   * column is a feature in every row: without kind where the row is null, with an empty list where it is empty. So
   * {@link ExampleDecoder.decode} gives the batch again. Columns are lists, of any kind and sliced or not, of Float32,
   * Int64, Binary or LargeBinary: exactly what tf.Examples hold. Columns of type Null, which a decoder without schema
   * makes of names without any kind, are refused here: only the encoder of tf.SequenceExamples takes them.
   * @throws {SchemaError} `schema-mismatch`: `duplicate-column`, `not-a-list`, `value-type`, and `not-a-struct` for a
   * column of feature lists; `schema-invalid` (`source-conflict`) when two columns give a feature of one name.
   * @throws {ConversionError} `shape-mismatch`: `too-many-levels`, `too-few-levels` for a column that is nested
   * unlike its representation, `uniform-length` for lists that its uniform lengths do not divide; `not-convertible`
   * (`cell-value`) for a null in a list, or a name that is not Unicode; `out-of-range` (`batch-too-large`) for 2^31 bytes or more.
   * @throws {ArgumentError} `invalid-argument` for what is no batch.
   */
  encode(batch: RecordBatch): readonly Uint8Array[];
}

const noRagged: ReadonlyMap<string, RaggedFeatures> = new Map();

/**
 * An encoder from record batches to tf.Examples.
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

/** @throws {SchemaError} `schema-mismatch` (`duplicate-column`). {@link ArgumentError} `invalid-argument`. */
export function columnsOf(batch: RecordBatch): readonly NamedColumn[] {
  assertArgument("batch", batch, aRecordBatch);
  const { fields } = batch.schema;
  assertDistinctFields(fields);
  return fields.map(({ name }, index) => ({ name, data: batch.data.children[index] as Data }));
}
