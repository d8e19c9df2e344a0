import type { PayloadDecoder } from "@tfxio/format";
import type { Schema } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";
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
  assertOptions: assertExampleOptions,
  async plan(request, options) {
    const { planExamples } = await import("./decode.js");
    return planExamples(request, options);
  },
  inferSchema,
};

/** Records that are serialized tf.SequenceExamples. Loaded as lazily. */
export const sequenceExamplePayload: PayloadDecoder<SequenceExampleOptions> = {
  id: "sequence-example",
  defaults: { onMalformed: "error", listType: "list", sequenceColumn: "##SEQUENCE##" },
  assertOptions: assertSequenceExampleOptions,
  async plan(request, options) {
    const { planSequenceExamples } = await import("./decode.js");
    return planSequenceExamples(request, options);
  },
  inferSchema,
};

async function inferSchema(batches: AsyncIterable<RecordBatch>): Promise<Schema> {
  const { inferSchemaFromBatches } = await import("@tfxio/arrow-encoding");
  return inferSchemaFromBatches(batches);
}
