import { expect, test } from "@jest/globals";
import { allocated } from "../../src/host/allocated.js";
import { codedError } from "../representations.js";

test("a batch-too-large error, with the runtime's error as its cause, is thrown if the runtime cannot allocate an array", () => {
  expect(codedError(() => allocated(BigInt64Array, 2 ** 52))).toMatchObject({
    code: "out-of-range",
    reason: "batch-too-large",
    cause: expect.any(RangeError),
  });
  expect(allocated(BigInt64Array, 2)).toEqual(BigInt64Array.of(0n, 0n));
});
