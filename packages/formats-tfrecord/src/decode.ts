import {
  createExampleDecoder,
  createSequenceExampleDecoder,
  type ExampleDecoder,
  type ExampleDecoderOptions,
} from "@tfxio/arrow-encoding";
import type { PayloadPlan, PayloadRequest } from "@tfxio/format";
import { type ExampleOptions, SEQUENCE_TFRECORD_ID, type SequenceExampleOptions } from "./options.js";

/**
 * Plans the decoding of tf.Examples. Throws the errors of {@link createExampleDecoder}. The plan's sessions throw
 * `malformed-payload` (a `RecordError`) for a record that is not a well-formed message, unless `onMalformed` is `"skip"`. Even
 * with `"skip"`, they throw it for a record with feature lists, with the reason `feature-lists`. They accept such a record only
 * if `request.columns` is empty.
 */
export function planExamples(request: PayloadRequest, options: ExampleOptions): PayloadPlan {
  // A request with empty `columns` reads only the raw records or nothing. No feature lists can be lost, so SequenceExamples are
  // accepted too.
  const sequenceFormat = request.columns?.length === 0 ? undefined : SEQUENCE_TFRECORD_ID;
  return planOf(request, options, () =>
    createExampleDecoder({ ...decoderOptions(request, options), sequenceFormat }),
  );
}

/**
 * Plans the decoding of tf.SequenceExamples. Throws the errors of {@link createSequenceExampleDecoder}. The plan's sessions throw
 * the same errors as those of {@link planExamples}, except `feature-lists`.
 */
export function planSequenceExamples(request: PayloadRequest, options: SequenceExampleOptions): PayloadPlan {
  const { sequenceColumn } = options;
  return planOf(request, options, () =>
    createSequenceExampleDecoder({ ...decoderOptions(request, options), sequenceColumn }),
  );
}

/**
 * Returns the options of the decoder. While a schema is being inferred, `"fixed"` lists are read as plain lists, because their
 * lengths are not known yet.
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

/** Creates a plan. Also creates a first decoder immediately, so that invalid options throw before the first read. */
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
