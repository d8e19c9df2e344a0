import { type Format, recordFormat, type WritableFormat } from "@tfxio/format";
import { tfRecordContainer } from "./container.js";
import type { ExampleOptions, TfRecordOptions } from "./options.js";
import { examplePayload } from "./payload.js";

/**
 * TFRecord files of tf.Examples, plain, gzip or zlib. Each file is a split. Columns are `List<Int64>`,
 * `List<Float32>` and `List<Binary>`, null where a record lacks the feature. Writes such columns, on Node.
 * @see tfx_bsl `TFExampleRecord`, `RecordBatchToExamplesEncoder`
 */
export const tfrecord: WritableFormat<TfRecordOptions & ExampleOptions> = recordFormat(
  tfRecordContainer,
  examplePayload,
  {
    module: import.meta.url,
    write: async (...request) => (await import("./encode.js")).writeExamples(...request),
  },
);

/** Every format of this package, for a registry: `createFormatRegistry(...tfRecordFormats)`. */
export const tfRecordFormats: readonly Format[] = [tfrecord];
