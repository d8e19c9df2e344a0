import type { RecordBlock } from "@tfxio/wire";
import { type KernelExports, Outcome } from "./kernel-exports.js";

/** Maximum bytes of records that are copied at a time: few enough to stay in the cache. A longer record is copied alone. */
const WINDOW_BYTES: number = 256 * 2 ** 10;
/** Maximum number of records that are copied at a time. */
const WINDOW_RECORDS = 8192;

/** Records of a block that have been copied to the memory of a kernel. */
export interface RecordWindow {
  readonly numRecords: number;
  /** Add this to the offset of a byte in the block to get its address in the memory of the kernel. May be negative. */
  readonly shift: number;
}

/**
 * Copies records of a block to the kernel, starting with index `from`. Stops when the window is full, or when a record begins
 * before the end of the previous one. Copies at least one record. Undefined if memory runs out.
 * @param outcome returns a view of the words that the kernel writes: a new view if the memory has grown.
 */
export function copyRecords(
  kernel: KernelExports,
  { bytes, starts, ends, numRecords }: RecordBlock,
  from: number,
  outcome: () => Uint32Array,
): RecordWindow | undefined {
  const first = starts[from]!;
  const last = Math.min(numRecords, from + WINDOW_RECORDS);
  let until = from + 1;
  let end = ends[from]!;
  while (until < last && starts[until]! >= end && ends[until]! - first <= WINDOW_BYTES) end = ends[until++]!;
  const count = until - from;
  if (kernel.roomFor(Math.max(end - first, WINDOW_BYTES), Math.max(count, 64)) === 0) return undefined;
  const words = outcome();
  const input = words[Outcome.input]!;
  const { buffer } = kernel.memory;
  new Uint8Array(buffer, input, end - first).set(bytes.subarray(first, end));
  const bounds = new Uint32Array(buffer, words[Outcome.bounds], count * 2);
  bounds.set(starts.subarray(from, until));
  bounds.set(ends.subarray(from, until), count);
  return { numRecords: count, shift: input - first };
}
