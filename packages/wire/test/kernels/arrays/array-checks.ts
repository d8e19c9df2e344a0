import { type ArrayKernels, ArrayStatus, type ValueArray } from "../../../src/kernels/index.js";
import type { Draw } from "../wasm/draw.js";
import { bitsOf, drawFill, drawSplits, drawValues, guarded, valuesOf } from "./draw-arrays.js";
import { reference } from "./reference.js";

/** A comparison of one kernel with its contract. */
export interface ArrayCheck {
  readonly about: string;
  /** Draws a case, and returns how the result differs from the expected one, or null. */
  readonly difference: (kernels: ArrayKernels, draw: Draw) => string | null;
}

/**
 * Pairs of a number of rows and a maximum row length. Some pairs give arrays so small that the WebAssembly kernels usually call
 * the TypeScript ones (`LEAST_BYTES`, `LEAST_VALUES`). Others give arrays larger than a window (`WINDOW_BYTES`), or more
 * rows than are processed at once (`PIECE_ROWS`).
 */
const sizes = [
  [0, 3],
  [1, 5000],
  [7, 3],
  [500, 50],
  [3000, 60],
  [20_000, 3],
  [9, 30_000],
] as const;

/** One check for each kernel. */
export const arrayChecks: readonly ArrayCheck[] = [
  {
    about: "32-bit and 64-bit COO indices",
    difference: (kernels, draw) => {
      const splits = drawSplits(draw, draw.pick(sizes));
      const indices = reference.cooIndices(splits);
      const run = (target: Int32Array | BigInt64Array): ArrayStatus => kernels.cooIndices(splits, target);
      return (
        differenceOf(new Int32Array(0), Int32Array.from(indices), run) ??
        differenceOf(new BigInt64Array(0), BigInt64Array.from(indices, BigInt), run)
      );
    },
  },
  {
    about: "padded and truncated rows",
    difference: (kernels, draw) => {
      const splits = drawSplits(draw, draw.pick(sizes));
      const values = drawValues(draw, splits[splits.length - 1]! + draw.below(3));
      const width = draw.pick([0, 1, 2, 13, 50, ...(splits.length < 5000 ? [100, 300] : [])]);
      const fill = drawFill(draw, values);
      const expected = reference.padRows(wordsOf(values), splits, width, wordOf(values, fill));
      const run = (target: ValueArray): ArrayStatus => kernels.padRows(values, splits, width, fill, target);
      return differenceOf(values, wordArray(values, expected), run);
    },
  },
  {
    about: "gathered ranges",
    difference: (kernels, draw) => {
      const stride = draw.pick([1, 1, 1, 2, 3]);
      const [numRanges, longest] = draw.pick(sizes);
      const numValues = longest + draw.below(draw.pick([10, 10_000]));
      const values = drawValues(draw, numValues * stride);
      const starts = new Uint32Array(numRanges).map(() => draw.below(numValues - longest + 1));
      const ends = starts.map((start) => start + draw.below(longest + 1));
      const expected = reference.gatherRanges(wordsOf(values), stride, starts, ends);
      const run = (target: ValueArray): ArrayStatus =>
        kernels.gatherRanges(values, stride, starts, ends, target);
      return differenceOf(values, wordArray(values, expected), run);
    },
  },
  {
    about: "values with nulls filled",
    difference: (kernels, draw) => {
      const stride = draw.pick([1, 1, 2, 7]);
      const numValues = draw.pick([0, 1, 9, 400, 5000]);
      const values = drawValues(draw, numValues * stride);
      const firstBit = draw.below(20);
      const validity = valuesOf(draw, Uint8Array, Math.ceil((firstBit + numValues) / 8));
      const fill = drawFill(draw, values);
      const words = wordsOf(values);
      const expected = reference.fillNulls(words, stride, validity, firstBit, wordOf(values, fill));
      const run = (target: ValueArray): ArrayStatus =>
        kernels.fillNulls(values, stride, validity, firstBit, fill, target);
      return differenceOf(values, wordArray(values, expected), run);
    },
  },
  {
    about: "varints and the ends of their rows",
    difference: (kernels, draw) => {
      const splits = drawSplits(draw, draw.pick(sizes));
      const numValues = splits[splits.length - 1]!;
      const shift = BigInt(draw.below(64));
      const values = valuesOf(draw, BigInt64Array, numValues).map((value) => value >> shift);
      const rows = reference.encodeVarints(values, splits);
      const ends = new Int32Array(splits.length);
      for (let row = 0; row < rows.length; row++) ends[row + 1] = ends[row]! + rows[row]!.length;
      const bytes = guarded(new Uint8Array(0), numValues * 10);
      const byteSplits = guarded(ends, splits.length);
      const status = kernels.encodeVarints(values, splits, bytes.target, byteSplits.target);
      if (status !== ArrayStatus.ok) return `status ${status}`;
      if (!bitsOf(byteSplits.target).equals(bitsOf(ends))) return "different row ends";
      const written = bitsOf(bytes.target).subarray(0, ends.at(-1));
      if (!written.equals(Buffer.from(rows.flat()))) return "different bytes";
      return bytes.isMarginWhole() && byteSplits.isMarginWhole() ? null : "written outside of the targets";
    },
  },
];

/** Runs a kernel on a target between margins. Returns how the status, bits or margins differ from those expected, or null. */
function differenceOf<T extends ValueArray>(
  like: T,
  expected: ValueArray,
  run: (target: T) => ArrayStatus,
): string | null {
  const { target, isMarginWhole } = guarded(like, expected.length);
  const status = run(target);
  if (status !== ArrayStatus.ok) return `status ${status}`;
  if (!bitsOf(target).equals(bitsOf(expected))) return "different values";
  return isMarginWhole() ? null : "written outside of the target";
}

const unsigned = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array } as const;

/** Returns a view of the memory of `values` as unsigned integers, because floats read as numbers may lose bits of NaNs. */
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
