import { assertKnownColumns } from "@tfxio/arrow-encoding";
import type { PayloadDecoder, PayloadSession } from "@tfxio/format";
import { unusableArgument } from "@tfxio/wire/checks";
import { AvroCursor } from "./columns/avro-cursor.js";
import { type AvroColumns, BatchBuilder, planColumns } from "./columns/batch-builder.js";
import { RawRecords, withRawField } from "./columns/raw-records.js";
import { type AvroPayloadOptions, assertAvroPayloadOptions } from "./options.js";
import { parseAvroSchema } from "./schema/parse-schema.js";

/** Maximum size in bytes of a batch's columns, and separately of its raw records: 1 GiB each. */
const MAX_BATCH_BYTES = 2 ** 30;

/**
 * Decodes records that each hold one Avro value without a header, as in Kafka and databases. The option `avroSchema` is the
 * schema of all records. The fields of an Avro record become columns. A value of any other type becomes the column `value`.
 * Remove prefixes first, such as the five bytes that clients of Confluent's schema registry write before each value.
 */
export const avroPayload: PayloadDecoder<AvroPayloadOptions> = {
  id: "avro",
  defaults: { avroSchema: "" },
  reads: { rawRecordColumn: true },
  assertOptions: assertAvroPayloadOptions,
  async plan(request, { avroSchema }) {
    if (avroSchema === "")
      throw unusableArgument("avroSchema", "is required, since Avro records do not contain their schema");
    assertKnownColumns(request);
    const columns = planColumns(parseAvroSchema(avroSchema, "avroSchema"), request, "avroSchema");
    const { rawRecordColumn } = request;
    return {
      arrowSchema: withRawField(columns.arrowSchema, rawRecordColumn),
      createSession: () => sessionOf(columns, rawRecordColumn),
    };
  },
};

/** Creates a session. After an error, the session drops the rows of the unfinished batch and can continue. */
function sessionOf(columns: AvroColumns, rawRecordColumn: string | undefined): PayloadSession {
  const newBatch = (): BatchBuilder => new BatchBuilder(columns, "records", MAX_BATCH_BYTES);
  const newRaw = (): RawRecords | undefined =>
    rawRecordColumn === undefined ? undefined : new RawRecords("records", MAX_BATCH_BYTES);
  let [batch, raw] = [newBatch(), newRaw()];
  return {
    get numRows() {
      return batch.numRows;
    },
    numSkipped: 0,
    push(block, from, { maxRows, maxBytes }) {
      const { uri, bytes, starts, ends, numRecords, firstRecordIndex, byteOffset } = block;
      try {
        let [at, isFull] = [from, false];
        for (; at < numRecords && !isFull; at++) {
          const origin = {
            uri,
            bytes,
            recordIndex: firstRecordIndex + at,
            container: "record" as const,
            byteOffset: byteOffset + (starts[at] as number),
          };
          const cursor = new AvroCursor(origin, starts[at], ends[at]);
          batch.append(cursor);
          cursor.assertAtEnd();
          raw?.add(block, at);
          isFull = batch.numRows >= maxRows || batch.numBytes + (raw?.numBytes ?? 0) >= maxBytes;
        }
        return { consumed: at - from, numRecords: at - from, isFull };
      } catch (error) {
        [batch, raw] = [newBatch(), newRaw()];
        throw error;
      }
    },
    finish() {
      const finished = batch.finish();
      const whole = rawRecordColumn === undefined ? finished : raw!.addTo(finished, rawRecordColumn);
      [batch, raw] = [newBatch(), newRaw()];
      return whole;
    },
  };
}
