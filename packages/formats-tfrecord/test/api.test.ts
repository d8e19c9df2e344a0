import { expect, test } from "@jest/globals";
import * as formatsTfrecord from "@tfxio/formats-tfrecord";

test("@tfxio/formats-tfrecord exports only its public API", () => {
  expect(Object.keys(formatsTfrecord).sort()).toEqual([
    "decodeTfRecordIndex",
    "detectTfRecordFormat",
    "encodeTfRecordIndex",
    "examplePayload",
    "indexTfRecords",
    "rawPayload",
    "rawTfrecord",
    "readTfRecordsAt",
    "sampleTfRecords",
    "sequenceExamplePayload",
    "sequenceTfrecord",
    "tfRecordContainer",
    "tfRecordFormats",
    "tfrecord",
  ]);
});
