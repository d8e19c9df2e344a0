import { expect, test } from "@jest/globals";
import { allocated } from "../../src/host/allocated.js";
import { codedError } from "../representations.js";

test("an array that the runtime cannot allocate causes a batch-too-large error whose cause is the runtime's error", () => {
  expect(codedError(() => allocated(BigInt64Array, 2 ** 52))).toMatchObject({
    code: "out-of-range",
    reason: "batch-too-large",
    cause: expect.any(RangeError),
  });
  expect(allocated(BigInt64Array, 2)).toEqual(BigInt64Array.of(0n, 0n));
});
