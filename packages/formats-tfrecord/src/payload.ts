import type { PayloadDecoder } from "@tfxio/format";
import { assertExampleOptions, type ExampleOptions } from "./options.js";

/** Records that are serialized tf.Examples. The decoder is loaded with the first plan, not with this module. */
export const examplePayload: PayloadDecoder<ExampleOptions> = {
  id: "example",
  defaults: { onMalformed: "error" },
  assertOptions: assertExampleOptions,
  async plan(request, options) {
    const { planExamples } = await import("./decode.js");
    return planExamples(request, options);
  },
  async inferSchema(batches) {
    const { inferSchemaFromBatches } = await import("@tfxio/arrow-encoding");
    return inferSchemaFromBatches(batches);
  },
};
