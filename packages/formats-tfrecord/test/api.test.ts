import { expect, test } from "@jest/globals";
import * as formatsTfrecord from "@tfxio/formats-tfrecord";

test("the public surface", () => {
  expect(Object.keys(formatsTfrecord).sort()).toEqual([
    "detectTfRecordFormat",
    "examplePayload",
    "rawPayload",
    "rawTfrecord",
    "sequenceExamplePayload",
    "sequenceTfrecord",
    "tfRecordContainer",
    "tfRecordFormats",
    "tfrecord",
  ]);
});
