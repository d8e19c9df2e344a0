import { expect, test } from "@jest/globals";
import { encodeMessage, parseMessageText, TensorRepresentationSchema } from "@tfxio/schema";
import { tensorAdapter } from "../src/handlers/tensor-adapter.js";
import { host } from "../src/places/host.js";
import { halfOf, numberOfHalf } from "../src/values/float16.js";

test("all float16 values survive conversion to a number and back, except that every NaN becomes the canonical NaN", () => {
  const differing = Array.from({ length: 0x10000 }, (_, bits) => bits).filter((bits) => {
    const value = numberOfHalf(bits);
    return Number.isNaN(value) ? halfOf(value) !== 0x7e00 : halfOf(value) !== bits;
  });
  expect(differing).toEqual([]);
});

test("numbers are rounded to the nearest float16, ties to even", () => {
  // IEEE 754 binary16: 1, 1/3, largest, smallest normal and subnormal, ties, overflow.
  const known: readonly (readonly [number, number])[] = [
    [1, 0x3c00],
    [-2, 0xc000],
    [1 / 3, 0x3555],
    [65504, 0x7bff],
    [65519.99, 0x7bff],
    [65520, 0x7c00],
    [Number.POSITIVE_INFINITY, 0x7c00],
    [2 ** -14, 0x0400],
    [2 ** -24, 0x0001],
    [2 ** -25, 0x0000],
    [3 * 2 ** -25, 0x0002],
    [2049, 0x6800],
    [2051, 0x6802],
    [-0, 0x8000],
  ];
  for (const [value, bits] of known) expect([value, halfOf(value)]).toEqual([value, bits]);
});

test("a conformance vector with a float16 column and a float16 tensor passes", async () => {
  const representation = parseMessageText(
    TensorRepresentationSchema,
    'varlen_sparse_tensor { column_name: "x" }',
  );
  const b64 = Buffer.from(encodeMessage(TensorRepresentationSchema, representation)).toString("base64");
  const input = {
    record_batch: { columns: [{ name: "x", type: { list: "float16" }, values: [[0.1, "NaN"], null, [-2]] }] },
    tensor_representations: { t: { b64 } },
  };
  const values = [0.1, "NaN", -2];
  const expected = {
    tensors: {
      t: {
        kind: "sparse",
        dtype: "float16",
        indices: [
          [0, 0],
          [0, 1],
          [2, 0],
        ],
        values,
        dense_shape: [3, 2],
      },
    },
  };
  const handler = tensorAdapter(host)["to_tensors"];
  expect(await handler?.actual(input, expected)).toEqual(handler?.expected?.(expected, input));
});
