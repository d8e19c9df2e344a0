import { createExampleDecoder, type ExampleDecoder } from "@tfxio/arrow-encoding";
import type { Handler, Json } from "../handler.js";
import { expectedBatch, plainBatch, type RecordBatchJson } from "../values/arrow-array.js";
import { type TypeJson, withoutLarge } from "../values/arrow-type.js";
import { schemaOf } from "../values/proto.js";
import { bytesOf } from "../values/scalar.js";

const asIs = (type: TypeJson): TypeJson => type;

function decoderFor(input: Json, listType: "list" | "large"): ExampleDecoder {
  const schema = schemaOf(input);
  return createExampleDecoder({ listType, ...(schema && { schema }) });
}

/** Lists of 32-bit offsets are our default and compare as lists; 64-bit ones have to match the peer exactly. */
export const exampleDecoder: Readonly<Record<string, Handler>> = {
  decode: {
    actual: (input) => {
      const records = (input["examples_b64"] as readonly string[]).map((b64) => bytesOf({ b64 }));
      return {
        list: plainBatch(decoderFor(input, "list").decode(records), withoutLarge),
        large: plainBatch(decoderFor(input, "large").decode(records), asIs),
      };
    },
    expected: (expect) => ({
      list: expectedBatch(expect as unknown as RecordBatchJson, withoutLarge),
      large: expectedBatch(expect as unknown as RecordBatchJson, asIs),
    }),
  },
  construct: { actual: (input) => decoderFor(input, "list") },
  arrow_schema: { actual: (input) => decoderFor(input, "list").arrowSchema() },
};
