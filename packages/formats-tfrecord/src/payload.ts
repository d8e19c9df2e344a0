import { loadDecode } from "#coders";
import type { PayloadDecoder } from "@tfxio/format";
import {
  assertExampleOptions,
  assertSequenceExampleOptions,
  type ExampleOptions,
  type SequenceExampleOptions,
} from "./options.js";

/** Records that are serialized tf.Examples. The decoder is loaded with the first plan, not with this module. */
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

/** Records that are serialized tf.SequenceExamples. Loaded as lazily. */
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
