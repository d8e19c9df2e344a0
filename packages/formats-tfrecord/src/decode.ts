import {
  createExampleDecoder,
  createSequenceExampleDecoder,
  type ExampleDecoder,
  type ExampleDecoderOptions,
} from "@tfxio/arrow-encoding";
import type { PayloadPlan, PayloadRequest } from "@tfxio/format";
import { type ExampleOptions, SEQUENCE_TFRECORD_ID, type SequenceExampleOptions } from "./options.js";

/**
 * Freezes what is decoded from tf.Examples.
 * @throws {SchemaError} for a schema or columns that cannot be.
 * @throws {ArgumentError} `invalid-argument` for `listType: "fixed"` without a schema. From its sessions also
 * {@link RecordError} `malformed-payload` (`feature-lists`) for a tf.SequenceExample.
 */
export function planExamples(request: PayloadRequest, options: ExampleOptions): PayloadPlan {
  // Who asks for no column, as for raw records alone, loses no feature list.
  const sequenceFormat = request.columns?.length === 0 ? undefined : SEQUENCE_TFRECORD_ID;
  return planOf(request, options, () =>
    createExampleDecoder({ ...decoderOptions(request, options), sequenceFormat }),
  );
}

/** The same for tf.SequenceExamples. */
export function planSequenceExamples(request: PayloadRequest, options: SequenceExampleOptions): PayloadPlan {
  const { sequenceColumn } = options;
  return planOf(request, options, () =>
    createSequenceExampleDecoder({ ...decoderOptions(request, options), sequenceColumn }),
  );
}

/** The format's other options are its container's. Lists of fixed size wait for the schema that is being inferred. */
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
