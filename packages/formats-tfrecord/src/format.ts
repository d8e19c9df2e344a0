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
 * TFRecord files of tf.Examples, plain, gzip or zlib. Each file is a split. Columns are `List<Int64>`, `List<Float32>` and
 * `List<Binary>`, null where a record lacks the feature. Row positions are byte offsets of records. Writes such columns, and
 * nested ones as the schema's ragged representations. A record with feature lists is `malformed-payload` (`feature-lists`),
 * because they would be lost.
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
 * TFRecord files of tf.SequenceExamples, read and written like {@link tfrecord}. Context features are columns. Feature lists are
 * fields of one struct column, `##SEQUENCE##`.
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
 * TFRecord files of arbitrary bytes. The only column is `raw_record`, `List<Binary>` with one value per row. On request, a second
 * column holds the number of each record. The tensor of `raw_record` is a dense scalar string; no schema is needed. Row positions
 * are byte offsets of records. Writes such a column, flat or as lists of one. These files look like Example files, so request the
 * id `tfrecord-raw`.
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
