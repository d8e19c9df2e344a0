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

/** Records that are serialized tf.Examples. The decoder is loaded at the first plan, not with this module. */
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

/** Records that are serialized tf.SequenceExamples. The decoder is loaded at the first plan. */
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

/** Raw records of arbitrary bytes, without decoding. The session code is loaded at the first plan. */
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
