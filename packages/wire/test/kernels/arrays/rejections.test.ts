import { describe, expect, test } from "@jest/globals";
import { ArrayStatus, type ArrayKernels, typescriptArrayKernels } from "../../../src/kernels/index.js";
import { checkVarints } from "../../../src/kernels/arrays/check-arrays.js";
import { createWasmArrayKernels } from "../../../src/kernels/arrays/wasm/wasm-array-kernels.js";
import { Draw } from "../wasm/draw.js";
import { drawSplits } from "./draw-arrays.js";

const { badPositions, badTarget, ok, tooLarge } = ArrayStatus;

describe.each([typescriptArrayKernels, createWasmArrayKernels()])(
  "the implementation of the array kernels in $name",
  (kernels) => {
    test.each([1, 1000])("rejects invalid row splits (number of rows: %d)", (numRows) => {
      const good = Int32Array.from({ length: numRows + 1 }, (_, row) => row * 8);
      const numValues = numRows * 8;
      const wrong = [
        good.with(numRows, numValues + 1),
        good.with(0, -1),
        good.with(numRows, -1),
        good.with(numRows >> 1, numValues + 8),
        good.with(numRows, -0x8000_0000),
        new Int32Array(0),
      ];
      const values = new BigInt64Array(numValues).fill(1n);
      for (const splits of wrong) {
        const padded = new BigInt64Array(numRows * 8).fill(5n);
        expect(kernels.padRows(values, splits, 8, 0n, padded)).toBe(badPositions);
        expect(padded.every((value) => value === 5n)).toBe(true);
        const bytes = new Uint8Array(numValues * 10);
        const byteSplits = new Int32Array(splits.length);
        expect(kernels.encodeVarints(values, splits, bytes, byteSplits)).toBe(badPositions);
        expect(bytes.every((byte) => byte === 0)).toBe(true);
      }
      // cooIndices receives no values, so it cannot detect that splits exceed the number of values. It only finds that its target
      // is too short.
      for (const splits of wrong.slice(1)) {
        expect(kernels.cooIndices(splits, new Int32Array(numValues * 2))).toBe(badPositions);
      }
      expect(kernels.cooIndices(wrong[0]!, new Int32Array(numValues * 2))).toBe(badTarget);
    });

    test.each([1, 1000])(
      "rejects invalid ranges, strides and targets (number of ranges: %d)",
      (numRanges) => {
        const values = new Float32Array(numRanges * 8 + 2);
        const starts = Uint32Array.from({ length: numRanges }, (_, i) => i * 8);
        const ends = starts.map((start) => start + 8);
        const target = new Float32Array(numRanges * 8);
        const last = numRanges - 1;
        expect(kernels.gatherRanges(values, 1, starts, ends, target)).toBe(ok);
        for (const wrong of [values.length + 1, 0xffff_ffff, (starts[last] ?? 0) - 1]) {
          expect(kernels.gatherRanges(values, 1, starts, ends.with(last, wrong), target)).toBe(badPositions);
        }
        expect(kernels.gatherRanges(values, 1, starts.with(last, 0xffff_ffff), ends, target)).toBe(
          badPositions,
        );
        expect(kernels.gatherRanges(values, 1, starts.subarray(1), ends, target)).toBe(badPositions);
        expect(kernels.gatherRanges(values, 2, starts, ends, target)).toBe(badPositions);
        expect(kernels.gatherRanges(values, 0, starts, ends, target)).toBe(badPositions);
        expect(kernels.gatherRanges(values, 0.5, starts, ends, target)).toBe(badPositions);
        expect(kernels.gatherRanges(values, 1, starts, ends, target.subarray(1))).toBe(badTarget);
        const integers = new Int32Array(numRanges * 8);
        expect(kernels.gatherRanges<Float32Array | Int32Array>(values, 1, starts, ends, integers)).toBe(
          badTarget,
        );
      },
    );

    test.each([8, 4000])("rejects bitmap bounds, strides and targets that do not fit %d values", (length) => {
      const values = new Int32Array(length);
      const validity = new Uint8Array(length / 8);
      expect(kernels.fillNulls(values, 1, validity, 0, 1, new Int32Array(length))).toBe(ok);
      for (const firstBit of [1, -1, 0.5, Number.NaN, 2 ** 40]) {
        expect(kernels.fillNulls(values, 1, validity, firstBit, 1, new Int32Array(length))).toBe(
          badPositions,
        );
      }
      for (const stride of [0, -1, 0.5, 3, Number.NaN]) {
        expect(kernels.fillNulls(values, stride, validity, 0, 1, new Int32Array(length))).toBe(badPositions);
      }
      expect(kernels.fillNulls(values, 1, validity, 0, 1, new Int32Array(length - 1))).toBe(badTarget);
    });

    test.each([1, 1000])("rejects invalid targets and widths (number of rows: %d)", (numRows) => {
      const splits = Int32Array.from({ length: numRows + 1 }, (_, row) => row * 8);
      const values = new BigInt64Array(numRows * 8);
      expect(kernels.cooIndices(splits, new Int32Array(numRows * 16 + 1))).toBe(badTarget);
      expect(kernels.padRows(values, splits, 8, 0n, values.subarray(1))).toBe(badTarget);
      expect(kernels.padRows(values, splits, 8.5, 0n, new BigInt64Array(numRows * 8))).toBe(badTarget);
      expect(kernels.padRows(values, splits, Number.NaN, 0n, new BigInt64Array(numRows * 8))).toBe(badTarget);
      const bytes = new Uint8Array(numRows * 80);
      expect(kernels.encodeVarints(values, splits, bytes, new Int32Array(numRows + 1))).toBe(ok);
      expect(kernels.encodeVarints(values, splits, bytes.subarray(1), new Int32Array(numRows + 1))).toBe(
        badTarget,
      );
      expect(kernels.encodeVarints(values, splits, bytes, new Int32Array(numRows))).toBe(badTarget);
    });

    test("still fills nulls after rejecting arguments", () => {
      const values = new Int32Array(4000);
      expect(kernels.fillNulls(values, 1, new Uint8Array(1), 0, 1, new Int32Array(4000))).toBe(badPositions);
      const filled = new Int32Array(4000);
      expect(kernels.fillNulls(values, 1, new Uint8Array(500), 0, 1, filled)).toBe(ok);
      expect(filled.every((value) => value === 1)).toBe(true);
    });
  },
);

test("both implementations of padRows return the same status for 2000 random row splits, some of which are invalid", () => {
  const draw = new Draw(6);
  const wasm = createWasmArrayKernels();
  const seen = new Set<ArrayStatus>();
  for (let i = 0; i < 2000; i++) {
    const splits = drawSplits(draw, [draw.pick([1, 5, 300]), 20]);
    const numValues = splits[splits.length - 1]!;
    const values = new BigInt64Array(numValues).fill(3n);
    const target = new BigInt64Array((splits.length - 1) * 9);
    if (draw.oneIn(2)) splits[draw.below(splits.length)] = draw.below(2 ** 32) >> draw.below(32);
    const run = (kernels: ArrayKernels): ArrayStatus => kernels.padRows(values, splits, 9, 1n, target);
    const status = run(typescriptArrayKernels);
    expect(run(wasm)).toBe(status);
    seen.add(status);
  }
  expect(seen).toEqual(new Set([ok, badPositions]));
});

test("values are rejected if the length of their varints might exceed the range of int32", () => {
  const numValues = Math.ceil(2 ** 31 / 10);
  // An object with only a length, because a real array would take gigabytes.
  const values = { length: numValues } as BigInt64Array;
  const check = (end: number): ArrayStatus =>
    checkVarints(values, Int32Array.of(0, end), new Uint8Array(0), new Int32Array(2));
  expect([check(numValues), check(numValues - 1)]).toEqual([tooLarge, badTarget]);
});
