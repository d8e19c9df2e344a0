import { assertKnownColumns } from "@tfxio/arrow-encoding";
import type { PayloadDecoder, PayloadSession } from "@tfxio/format";
import { unusableArgument } from "@tfxio/wire/checks";
import { AvroCursor } from "./columns/avro-cursor.js";
import { type AvroColumns, BatchBuilder, planColumns } from "./columns/batch-builder.js";
import { type AvroPayloadOptions, assertAvroPayloadOptions } from "./options.js";
import { parseAvroSchema } from "./schema/parse-schema.js";

const MAX_BATCH_BYTES = 2 ** 30;

/**
 * Records that are each one Avro value without a header, as in Kafka and databases. All are of one schema, which is given.
 * Columns are those of the Avro record; another value is the column `value`.
 */
export const avroPayload: PayloadDecoder<AvroPayloadOptions> = {
  id: "avro",
  defaults: { avroSchema: "" },
  assertOptions: assertAvroPayloadOptions,
  async plan(request, { avroSchema }) {
    if (avroSchema === "")
      throw unusableArgument("avroSchema", "must be given: Avro records do not carry it");
    assertKnownColumns(request);
    const columns = planColumns(parseAvroSchema(avroSchema, "avroSchema"), request, "avroSchema");
    return { arrowSchema: columns.arrowSchema, createSession: () => sessionOf(columns) };
  },
};

function sessionOf(columns: AvroColumns): PayloadSession {
  const newBatch = (): BatchBuilder => new BatchBuilder(columns, "records", MAX_BATCH_BYTES);
  let batch = newBatch();
  return {
    get numRows() {
      return batch.numRows;
    },
    numSkipped: 0,
    push(
      { uri, bytes, starts, ends, numRecords, firstRecordIndex, byteOffset },
      from,
      { maxRows, maxBytes },
    ) {
      try {
        let [at, isFull] = [from, false];
        for (; at < numRecords && !isFull; at++) {
          const origin = {
            uri,
            bytes,
            recordIndex: firstRecordIndex + at,
            byteOffset: byteOffset + (starts[at] as number),
          };
          const cursor = new AvroCursor(origin, starts[at], ends[at]);
          batch.append(cursor);
          cursor.assertAtEnd("the record");
          isFull = batch.numRows >= maxRows || batch.numBytes >= maxBytes;
        }
        return { consumed: at - from, numRecords: at - from, isFull };
      } catch (error) {
        batch = newBatch();
        throw error;
      }
    },
    finish() {
      const finished = batch.finish();
      batch = newBatch();
      return finished;
    },
  };
}
