import { loadEncode } from "#coders";
import { type Format, recordFormat, type WritableFormat } from "@tfxio/format";
import { tfRecordContainer, undetectedTfRecordContainer } from "./container.js";
import {
  type ExampleOptions,
  RAW_TFRECORD_ID,
  type RawOptions,
  SEQUENCE_TFRECORD_ID,
  type SequenceExampleOptions,
  type TfRecordOptions,
} from "./options.js";
import { examplePayload, rawPayload, sequenceExamplePayload } from "./payload.js";

/**
 * TFRecord files of tf.Examples, plain, gzip or zlib. Each file is a split. Columns are `List<Int64>`,
 * `List<Float32>` and `List<Binary>`, null where a record lacks the feature. Row positions are byte offsets of records.
 * Writes such columns; nested ones as the ragged representations of a schema say. A record with feature lists is refused
 * as `malformed-payload` (`feature-lists`), since they would be lost.
 * @see tfx_bsl `TFExampleRecord`, `RecordBatchToExamplesEncoder`
 */
export const tfrecord: WritableFormat<TfRecordOptions & ExampleOptions> = recordFormat(
  tfRecordContainer,
  examplePayload,
  {
    id: "tfrecord",
    module: import.meta.url,
    columnForm: "lists",
    createWriter: async (target, context) => (await loadEncode()).writeExamples(target, context),
  },
);

/**
 * TFRecord files of tf.SequenceExamples, read as {@link tfrecord} reads Examples: the features of the context are
 * columns, the feature lists fields of one struct column, `##SEQUENCE##`; and written so. Names and first bytes of these
 * files are those of Example files, so a registry never finds them: ask for the id `sequence-tfrecord`, or
 * {@link detectTfRecordFormat} by their records. A tf.Example is on the wire a SequenceExample without feature lists, so Example
 * files read as what they are: all features, and no feature lists. Nothing is lost, and nothing is refused.
 * @see tfx_bsl `TFSequenceExampleRecord`
 */
export const sequenceTfrecord: WritableFormat<TfRecordOptions & SequenceExampleOptions> = recordFormat(
  undetectedTfRecordContainer,
  sequenceExamplePayload,
  {
    id: SEQUENCE_TFRECORD_ID,
    module: import.meta.url,
    columnForm: "lists",
    createWriter: async (target, context) => (await loadEncode()).writeSequenceExamples(target, context),
  },
);

/**
 * TFRecord files of any bytes, as they are: one column `raw_record`, `List<Binary>` with one value in each row, and on
 * request the number of each record. Its tensor is a dense scalar string; no schema is needed. Row positions are byte
 * offsets of records. Writes such a column, flat or in lists of one. Ask for the id `tfrecord-raw`: these files look like
 * those of Examples.
 * @see tfx_bsl `RawTfRecordTFXIO`, whose column has no default name
 */
export const rawTfrecord: WritableFormat<TfRecordOptions & RawOptions> = recordFormat(
  undetectedTfRecordContainer,
  rawPayload,
  {
    id: RAW_TFRECORD_ID,
    module: import.meta.url,
    columnForm: "lists",
    createWriter: async (target, context) => (await loadEncode()).writeRawRecords(target, context),
  },
);

/** Every format of this package, for a registry: `createFormatRegistry(...tfRecordFormats)`. */
export const tfRecordFormats: readonly Format[] = [tfrecord, sequenceTfrecord, rawTfrecord];
