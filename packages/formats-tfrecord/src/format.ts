import { loadEncode } from "#coders";
import { type Format, recordFormat, type WritableFormat } from "@tfxio/format";
import { tfRecordContainer, undetectedTfRecordContainer } from "./container.js";
import type { ExampleOptions, SequenceExampleOptions, TfRecordOptions } from "./options.js";
import { examplePayload, sequenceExamplePayload } from "./payload.js";

/**
 * TFRecord files of tf.Examples, plain, gzip or zlib. Each file is a split. Columns are `List<Int64>`,
 * `List<Float32>` and `List<Binary>`, null where a record lacks the feature. Row positions are byte offsets of records.
 * Writes such columns; nested ones as the ragged representations of a schema say.
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
 * columns, the feature lists fields of one struct column, `##SEQUENCE##`; and written so. These files look like Example
 * files, so they are never auto-detected: request them by id, `sequence-tfrecord`.
 * @see tfx_bsl `TFSequenceExampleRecord`
 */
export const sequenceTfrecord: WritableFormat<TfRecordOptions & SequenceExampleOptions> = recordFormat(
  undetectedTfRecordContainer,
  sequenceExamplePayload,
  {
    id: "sequence-tfrecord",
    module: import.meta.url,
    columnForm: "lists",
    createWriter: async (target, context) => (await loadEncode()).writeSequenceExamples(target, context),
  },
);

/** Every format of this package, for a registry: `createFormatRegistry(...tfRecordFormats)`. */
export const tfRecordFormats: readonly Format[] = [tfrecord, sequenceTfrecord];
