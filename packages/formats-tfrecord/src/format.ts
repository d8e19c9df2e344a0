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
 * Reads and writes TFRecord files of tf.Examples, plain or compressed with gzip or zlib. Columns are `List<Int64>`,
 * `List<Float32>` and `List<Binary>`. A row is null if its record lacks the feature, or if the feature has no value list. A row
 * position is the byte offset of the record. Nested lists are written as the schema's ragged representations describe. Decoding a
 * record with feature lists throws `malformed-payload` (`feature-lists`), because the feature lists would be lost. A read without
 * columns accepts such records.
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
 * Reads and writes TFRecord files of tf.SequenceExamples, like {@link tfrecord}. Context features are columns. Feature lists are
 * the fields of one struct column, `##SEQUENCE##`.
 *
 * These files look like Example files, so a registry never auto-detects them. Request the id `sequence-tfrecord`, or examine the
 * records with {@link detectTfRecordFormat}. An encoded tf.Example is also a valid SequenceExample without feature lists, so this
 * format reads Example files too, without loss.
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
 * Reads and writes TFRecord files of arbitrary bytes. The column `raw_record`, a `List<Binary>`, has one value per row. It
 * becomes a dense tensor of strings. On request, a second column holds the number of each record. No schema is needed. A row
 * position is the byte offset of the record. The writer takes one column of bytes or text, either single values or lists of one
 * value. These files look like Example files, so they are never auto-detected. Request the id `tfrecord-raw`.
 * @see tfx_bsl `RawTfRecordTFXIO`, whose column name has no default
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
