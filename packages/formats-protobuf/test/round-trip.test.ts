import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "@jest/globals";
import { decodeRecords } from "@tfxio/format";
import { createMessageEncoder, parseProto, protobufPayload } from "@tfxio/formats-protobuf";
import { Random } from "@tfxio/wire";
import { resolveMessageType } from "../src/descriptor/message-types.js";
import { drawMessage } from "./kernels/draw-messages.js";
import { drawType } from "./kernels/draw-type.js";
import { plainRows } from "./rows.js";

const NUM_TYPES = 60;
const RECORDS_PER_TYPE = 30;

/**
 * Returns true if protobuf-es keeps all values of a type. In a map, it keeps only one entry per key, and it stores unknown enum
 * numbers as unknown fields.
 */
const isAlikeElsewhere = (proto: string): boolean => !/map<|\bE f/u.test(proto);

test("rows of random types survive writing; without maps and enums, they also survive a rewrite by protobuf-es", async () => {
  const random = Random.of(4, 0);
  let numElsewhere = 0;
  for (let index = 0; index < NUM_TYPES; index++) {
    const { proto, messages } = drawType(random);
    const type = await parseProto(proto, "M0");
    const decoder = await decodeRecords(protobufPayload({ ...type, onMalformed: "skip" }));
    const encoder = await createMessageEncoder(type);
    const drawn = Array.from({ length: RECORDS_PER_TYPE }, () => drawMessage({ proto, messages }, random));
    const { batch } = decoder.decode(drawn);
    const rows = plainRows(batch);
    const encoded = encoder.encode(batch);
    const again = decoder.decode(encoded);
    expect(again.numSkipped).toBe(0);
    expect(plainRows(again.batch)).toEqual(rows);
    // protobuf-es reads the messages and writes them again.
    if (!isAlikeElsewhere(proto)) continue;
    const { message } = resolveMessageType(type);
    const elsewhere = encoded.map((bytes) => toBinary(message, fromBinary(message, bytes)));
    expect(plainRows(decoder.decode(elsewhere).batch)).toEqual(rows);
    numElsewhere++;
  }
  expect(numElsewhere).toBeGreaterThan(NUM_TYPES / 4);
});
