import { loadDecode, loadRaw } from "#coders";
import type { PayloadDecoder } from "@tfxio/format";
import {
  assertExampleOptions,
  assertRawOptions,
  assertSequenceExampleOptions,
  type ExampleOptions,
  type RawOptions,
  type SequenceExampleOptions,
} from "./options.js";

/**
 * Decodes records that are serialized tf.Examples. On Node, the decoder is loaded when the first plan is made, not with this
 * module.
 */
export const examplePayload: PayloadDecoder<ExampleOptions> = {
  id: "example",
  defaults: { onMalformed: "error", listType: "list" },
  reads: { rawRecordColumn: true },
  assertOptions: assertExampleOptions,
  async plan(request, options) {
    const { planExamples } = await loadDecode();
    return planExamples(request, options);
  },
};

/** Decodes records that are serialized tf.SequenceExamples. On Node, the decoder is loaded when the first plan is made. */
export const sequenceExamplePayload: PayloadDecoder<SequenceExampleOptions> = {
  id: "sequence-example",
  defaults: { onMalformed: "error", listType: "list", sequenceColumn: "##SEQUENCE##" },
  reads: { rawRecordColumn: true },
  assertOptions: assertSequenceExampleOptions,
  async plan(request, options) {
    const { planSequenceExamples } = await loadDecode();
    return planSequenceExamples(request, options);
  },
};

/** Passes records on as bytes, without decoding. On Node, the code is loaded when the first plan is made. */
export const rawPayload: PayloadDecoder<RawOptions> = {
  id: "raw",
  defaults: { recordColumn: "raw_record", recordIndexColumn: undefined },
  reads: { rawRecordColumn: true },
  assertOptions: assertRawOptions,
  async plan(request, options) {
    const { planRawRecords } = await loadRaw();
    return planRawRecords(request, options);
  },
};
