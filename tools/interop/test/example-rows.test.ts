import { expect, test } from "@jest/globals";
import { createExampleDecoder } from "@tfxio/arrow-encoding";
import { batchRows, encodeRows, exampleRows, rowsJson } from "../src/example-rows.js";

test("rows of tf.Examples keep all bits of floats and integers, and distinguish absent features from empty lists", () => {
  const [first, second, third] = rowsJson(exampleRows());
  expect(first).toEqual({
    clicks: { int64: ["9223372036854775807", "-9223372036854775808", "0", "-1"] },
    // The bits of -0, NaN, infinity, the smallest denormal and the largest finite number.
    price: { float: [0x80000000, 0x7fc00000, 0x7f800000, 1, 0x7f7fffff] },
    title: { bytes: ["/wD+", "", "w6k="] },
    pair: { float: [0x3f800000, 0x40000000] },
  });
  expect(second).toEqual({ clicks: { int64: [] }, price: { float: [] }, title: { bytes: [] } });
  expect(third).toEqual({});
});

test("rows of tf.Examples are unchanged by conversion to a batch and back", () => {
  const rows = exampleRows();
  expect(batchRows(createExampleDecoder().decode(encodeRows(rows)))).toEqual(rowsJson(rows));
});
