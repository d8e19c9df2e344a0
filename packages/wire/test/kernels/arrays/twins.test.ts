import { describe, expect, test } from "@jest/globals";
import {
  ArrayStatus,
  type ArrayKernels,
  typescriptArrayKernels,
  type ValueArray,
} from "../../../src/kernels/index.js";
import { createWasmArrayKernels } from "../../../src/kernels/arrays/wasm/wasm-array-kernels.js";
import { Draw } from "../wasm/draw.js";
import { bitsOf, drawFill, drawSplits, drawValues, guarded, valuesOf } from "./draw-arrays.js";
import { reference } from "./reference.js";

const twins = [typescriptArrayKernels, createWasmArrayKernels()];
const numCases = Number(process.env["TFXIO_FUZZ_ARRAYS"] ?? 15);

/** Numbers of rows and lengths that stay below every threshold, fill several windows, and several pieces of rows. */
const sizes = [
  [0, 3],
  [1, 5000],
  [7, 3],
  [500, 50],
  [3000, 60],
  [20_000, 3],
  [9, 30_000],
] as const;

/** Runs a kernel of both twins into targets with margins. Returns what is not as expected, as text; else null. */
function difference<T extends ValueArray>(
  values: T,
  expected: ValueArray,
  run: (kernels: ArrayKernels, target: T) => ArrayStatus,
): string | null {
  for (const kernels of twins) {
    const { target, isMarginWhole } = guarded(values, expected.length);
    const status = run(kernels, target);
    if (status !== ArrayStatus.ok) return `${kernels.name}: status ${status}`;
    if (!bitsOf(target).equals(bitsOf(expected))) return `${kernels.name}: other values`;
    if (!isMarginWhole()) return `${kernels.name}: written outside of the target`;
  }
  return null;
}

describe("both twins give what the contract says", () => {
  test(`COO indices of ${numCases} random columns`, () => {
    const draw = new Draw(1);
    for (let i = 0; i < numCases; i++) {
      const splits = drawSplits(draw, draw.pick(sizes));
      const indices = reference.cooIndices(splits);
      const run = (kernels: ArrayKernels, target: Int32Array | BigInt64Array): ArrayStatus =>
        kernels.cooIndices(splits, target);
      expect(difference(new Int32Array(0), Int32Array.from(indices), run)).toBeNull();
      expect(difference(new BigInt64Array(0), BigInt64Array.from(indices, BigInt), run)).toBeNull();
    }
  });

  test(`rows of ${numCases} random columns, filled up and cut off`, () => {
    const draw = new Draw(2);
    for (let i = 0; i < numCases; i++) {
      const splits = drawSplits(draw, draw.pick(sizes));
      const values = drawValues(draw, splits.at(-1)! + draw.below(3));
      const width = draw.pick([0, 1, 2, 13, 50, ...(splits.length < 5000 ? [300] : [])]);
      const fill = drawFill(draw, values);
      const expected = reference.padRows(wordsOf(values), splits, width, wordOf(values, fill));
      const run = (kernels: ArrayKernels, target: ValueArray): ArrayStatus =>
        kernels.padRows(values, splits, width, fill, target);
      expect(difference(values, wordArray(values, expected), run)).toBeNull();
    }
  });

  test(`ranges of ${numCases} random columns, gathered`, () => {
    const draw = new Draw(3);
    for (let i = 0; i < numCases; i++) {
      const stride = draw.pick([1, 1, 1, 2, 3]);
      const [numRanges, longest] = draw.pick(sizes);
      const numValues = longest + draw.below(draw.pick([10, 10_000]));
      const values = drawValues(draw, numValues * stride);
      const starts = new Uint32Array(numRanges).map(() => draw.below(numValues - longest + 1));
      const ends = starts.map((start) => start + draw.below(longest + 1));
      const expected = reference.gatherRanges(wordsOf(values), stride, starts, ends);
      const run = (kernels: ArrayKernels, target: ValueArray): ArrayStatus =>
        kernels.gatherRanges(values, stride, starts, ends, target);
      expect(difference(values, wordArray(values, expected), run)).toBeNull();
    }
  });

  test(`${numCases} random columns with nulls filled`, () => {
    const draw = new Draw(4);
    for (let i = 0; i < numCases; i++) {
      const stride = draw.pick([1, 1, 2, 7]);
      const numValues = draw.pick([0, 1, 9, 400, 5000]);
      const values = drawValues(draw, numValues * stride);
      const firstBit = draw.below(20);
      const validity = valuesOf(draw, Uint8Array, Math.ceil((firstBit + numValues) / 8));
      const fill = drawFill(draw, values);
      const expected = reference.fillNulls(wordsOf(values), stride, validity, firstBit, wordOf(values, fill));
      const run = (kernels: ArrayKernels, target: ValueArray): ArrayStatus =>
        kernels.fillNulls(values, stride, validity, firstBit, fill, target);
      expect(difference(values, wordArray(values, expected), run)).toBeNull();
    }
  });

  test(`${numCases} random columns as varints`, () => {
    const draw = new Draw(5);
    for (let i = 0; i < numCases; i++) {
      const splits = drawSplits(draw, draw.pick(sizes));
      const numValues = splits.at(-1)!;
      const shift = BigInt(draw.below(64));
      const values = valuesOf(draw, BigInt64Array, numValues).map((value) => value >> shift);
      const rows = reference.encodeVarints(values, splits);
      const bytes = Buffer.from(rows.flat());
      let end = 0;
      const byteSplits = Int32Array.of(0, ...rows.map(({ length }) => (end += length)));
      for (const kernels of twins) {
        const { target, isMarginWhole } = guarded(new Uint8Array(0), numValues * 10);
        const found = new Int32Array(splits.length).fill(-1);
        expect(kernels.encodeVarints(values, splits, target, found)).toBe(ArrayStatus.ok);
        const isRight = bitsOf(target).subarray(0, end).equals(bytes);
        expect([kernels.name, isRight, isMarginWhole()]).toEqual([kernels.name, true, true]);
        expect(bitsOf(found).equals(bitsOf(byteSplits))).toBe(true);
      }
    }
  });
});

test("the longest varints and the shortest are those of the protobuf encoding", () => {
  // 128 of each, so that WebAssembly is gone into; bytes by hand.
  const cases: readonly [bigint, string][] = [
    [0n, "00"],
    [127n, "7f"],
    [128n, "8001"],
    [150n, "9601"],
    [2n ** 56n - 1n, "ffffffffffffff7f"],
    [2n ** 56n, "808080808080808001"],
    [2n ** 63n - 1n, "ffffffffffffffff7f"],
    [-1n, "ffffffffffffffffff01"],
    [-(2n ** 63n), "80808080808080808001"],
  ];
  for (const kernels of twins) {
    for (const [value, hex] of cases) {
      const target = new Uint8Array(1280);
      const status = kernels.encodeVarints(
        new BigInt64Array(128).fill(value),
        Int32Array.of(0, 128),
        target,
        new Int32Array(2),
      );
      expect(status).toBe(ArrayStatus.ok);
      expect(Buffer.from(target.subarray(0, (hex.length / 2) * 128)).toString("hex")).toBe(hex.repeat(128));
    }
  }
});

const unsigned = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array } as const;

/** The same memory as unsigned integers: numbers would lose bits of NaNs. */
function wordsOf(values: ValueArray): ValueArray {
  const WordType = unsigned[values.BYTES_PER_ELEMENT as keyof typeof unsigned];
  return new WordType(values.buffer as ArrayBuffer, values.byteOffset, values.length);
}

function wordOf(values: ValueArray, fill: number | bigint): number | bigint {
  const ArrayType = values.constructor as unknown as { of(value: number | bigint): ValueArray };
  return wordsOf(ArrayType.of(fill))[0]!;
}

function wordArray(values: ValueArray, words: readonly (number | bigint)[]): ValueArray {
  const WordType = unsigned[values.BYTES_PER_ELEMENT as keyof typeof unsigned];
  return (WordType as unknown as { from(words: readonly unknown[]): ValueArray }).from(words);
}
