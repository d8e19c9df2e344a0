import type { ValueArray } from "../../../src/kernels/index.js";

type Value = number | bigint;
const listOf = (array: ValueArray): Value[] => Array.from<Value>(array as Iterable<Value>);

/** For each kernel, a function that computes the required result with plain JavaScript lists. */
export const reference = {
  cooIndices: (rowSplits: Int32Array): number[] =>
    rowsOf(rowSplits).flatMap(([start, end], row) =>
      Array.from({ length: end - start }, (_, position) => [row, position]).flat(),
    ),
  padRows: (values: ValueArray, rowSplits: Int32Array, width: number, fill: Value): Value[] =>
    rowsOf(rowSplits).flatMap(([start, end]) => {
      const row = listOf(values.subarray(start, end)).slice(0, width);
      return [...row, ...Array<Value>(width - row.length).fill(fill)];
    }),
  gatherRanges: (values: ValueArray, stride: number, starts: Uint32Array, ends: Uint32Array): Value[] =>
    Array.from(starts, (start, i) => listOf(values.subarray(start * stride, ends[i]! * stride))).flat(),
  fillNulls: (
    values: ValueArray,
    stride: number,
    validity: Uint8Array,
    firstBit: number,
    fill: Value,
  ): Value[] =>
    listOf(values).map((value, i) => {
      const bit = firstBit + Math.floor(i / stride);
      return Math.floor(validity[Math.floor(bit / 8)]! / 2 ** (bit % 8)) % 2 === 1 ? value : fill;
    }),
  /** Returns the bytes of each row. */
  encodeVarints: (values: BigInt64Array, rowSplits: Int32Array): number[][] =>
    rowsOf(rowSplits).map(([start, end]) => Array.from(values.subarray(start, end), varintOf).flat()),
};

function rowsOf(rowSplits: Int32Array): [start: number, end: number][] {
  return Array.from(rowSplits.subarray(1), (end, row) => [rowSplits[row]!, end]);
}

/**
 * Returns the bytes of a varint. Each byte holds seven bits of the two's complement, lowest first. All bytes except the last have
 * the high bit set.
 */
function varintOf(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 128n; rest /= 128n) bytes.push(Number(rest % 128n) + 128);
  return [...bytes, Number(rest)];
}
