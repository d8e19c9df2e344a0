import {
  createExampleDecoder,
  createSequenceExampleDecoder,
  type ExampleDecoder,
  type ExampleDecoderOptions,
} from "@tfxio/arrow-encoding";
import type { PayloadPlan, PayloadRequest } from "@tfxio/format";
import { type ExampleOptions, SEQUENCE_TFRECORD_ID, type SequenceExampleOptions } from "./options.js";

/**
 * Plans the decoding of tf.Examples.
 * @throws {SchemaError} for a schema or columns that tf.Examples cannot have.
 * @throws {ArgumentError} `invalid-argument` for `listType: "fixed"` without a schema.
 * @throws {RecordError} from its sessions: `malformed-payload`, with reason `feature-lists` for a tf.SequenceExample.
 */
export function planExamples(request: PayloadRequest, options: ExampleOptions): PayloadPlan {
  // A read without columns, such as one of raw records only, cannot lose feature lists.
  const sequenceFormat = request.columns?.length === 0 ? undefined : SEQUENCE_TFRECORD_ID;
  return planOf(request, options, () =>
    createExampleDecoder({ ...decoderOptions(request, options), sequenceFormat }),
  );
}

/** Plans the decoding of tf.SequenceExamples. @throws {SchemaError} and {@link ArgumentError} as {@link planExamples}. */
export function planSequenceExamples(request: PayloadRequest, options: SequenceExampleOptions): PayloadPlan {
  const { sequenceColumn } = options;
  return planOf(request, options, () =>
    createSequenceExampleDecoder({ ...decoderOptions(request, options), sequenceColumn }),
  );
}

/**
 * Options of the decoder; the remaining format options belong to the container. While a schema is being inferred, `"fixed"` lists
 * are read as plain lists.
 */
function decoderOptions(
  { schema, columns, rawRecordColumn, unlisted, isSample, limits }: PayloadRequest,
  { onMalformed, listType }: ExampleOptions,
): ExampleDecoderOptions {
  return {
    schema,
    columns,
    rawRecordColumn,
    unlisted,
    onMalformed,
    maxColumns: limits.maxColumns,
    listType: isSample === true && listType === "fixed" ? "list" : listType,
  };
}

function planOf(
  { schema }: PayloadRequest,
  { onMalformed }: ExampleOptions,
  createDecoder: () => ExampleDecoder,
): PayloadPlan {
  const probe = createDecoder();
  return {
    arrowSchema: schema === undefined ? undefined : probe.arrowSchema(),
    skipsRecords: onMalformed === "skip",
    createSession: createDecoder,
  };
}
