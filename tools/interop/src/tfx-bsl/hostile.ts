import {
  createExampleDecoder,
  createExampleEncoder,
  createSequenceExampleDecoder,
} from "@tfxio/arrow-encoding";
import { encodeSchema, parseSchemaText } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";
import { answerOf } from "./answers.js";
import type { OurBatch } from "./decoded-batches.js";
import type { HostileBatch } from "./cases/hostile-records.js";
import type { Json } from "./question.js";

/** The name that tfx_bsl's TFXIO gives the column of feature lists. */
const sequenceColumn = "##SEQUENCE##";

/** Decodes each batch of hostile records twice: without a schema, and with the batch's schema. */
export async function hostileOurs(
  form: "example" | "sequence",
  batches: readonly HostileBatch[],
): Promise<readonly OurBatch[]> {
  const ours: OurBatch[] = [];
  for (const [index, batch] of batches.entries()) {
    for (const text of [undefined, batch.schema]) {
      const what = `batch ${index} ${text === undefined ? "without a schema" : "with a schema"}`;
      ours.push({ ...(await ourBatch(form, batch.records, text)), what });
    }
  }
  return ours;
}

/** Decodes records to a batch, and re-encodes the batch if they are tf.Examples. @param schema TFMD schema in text format. */
async function ourBatch(
  form: "example" | "sequence",
  records: readonly Uint8Array[],
  schema?: string,
): Promise<Omit<OurBatch, "what">> {
  const parsed = schema === undefined ? undefined : parseSchemaText(schema);
  const options = { listType: "large", schema: parsed } as const;
  const made: { batch?: RecordBatch } = {};
  const rejected = await answerOf(() => {
    const decoder =
      form === "example"
        ? createExampleDecoder(options)
        : createSequenceExampleDecoder({ ...options, sequenceColumn });
    made.batch = decoder.decode(records);
    return {};
  });
  const job = {
    records: records.map((record) => Buffer.from(record).toString("base64")),
    ...(parsed && { schema_b64: Buffer.from(encodeSchema(parsed)).toString("base64") }),
    ...(form === "sequence" && { sequence_column: sequenceColumn }),
  };
  const details = (): string =>
    `records ${records.map((record) => Buffer.from(record).toString("hex")).join(" ")}, schema ${schema ?? "none"}`;
  const { batch } = made;
  if (batch === undefined) return { job, decoded: rejected, details };
  return { job, decoded: batch, details, ...(form === "example" && { encoded: await encodedBy(batch) }) };
}

async function encodedBy(batch: RecordBatch): Promise<readonly Uint8Array[] | Json> {
  let records: readonly Uint8Array[] = [];
  const answer = await answerOf(() => {
    records = createExampleEncoder().encode(batch);
    return {};
  });
  return "error" in answer ? answer : records;
}
