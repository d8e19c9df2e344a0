import { expect, test } from "@jest/globals";
import { createSequenceExampleDecoder } from "@tfxio/arrow-encoding";
import {
  batchSequenceRows,
  encodeSequenceRows,
  sequenceRows,
  sequenceRowsJson,
  sequenceSchema,
} from "../src/sequence-rows.js";

test("rows of SequenceExamples keep all bits, and distinguish absent lists and null steps from empty ones", () => {
  const [first, second, third, fourth] = sequenceRowsJson(sequenceRows());
  expect(first?.context).toEqual({ length: { int64: ["-1"] }, tags: { bytes: ["/w==", ""] } });
  // The bits of -0, NaN, negative infinity and the smallest denormal.
  expect(first?.lists["prices"]).toEqual([{ float: [0x80000000, 0x7fc00000, 0xff800000, 1] }]);
  expect(first?.lists["clicks"]).toEqual([
    { int64: ["9223372036854775807", "-9223372036854775808"] },
    { int64: [] },
  ]);
  expect(second).toEqual({ context: {}, lists: { clicks: [null, { int64: ["3"] }, null], prices: [] } });
  expect(third).toEqual({ context: { tags: { bytes: [] } }, lists: { words: [null, null] } });
  expect(fourth).toEqual({ context: {}, lists: {} });
});

test.each(["list", "large", "fixed"] as const)(
  "rows of SequenceExamples are unchanged by conversion to a batch and back with listType %s",
  (listType) => {
    const rows = sequenceRows();
    const decoder = createSequenceExampleDecoder({ schema: sequenceSchema, listType });
    expect(batchSequenceRows(decoder.decode(encodeSequenceRows(rows)))).toEqual(sequenceRowsJson(rows));
  },
);
