import type { FramedOptions } from "../../record-block.js";
import { KernelStatus, type ScanResult } from "../kernels.js";
import type { FrameBounds } from "../frame-bounds.js";
import { mostFrames } from "../tfrecord-frame.js";
import type { KernelInstance } from "./kernel-instance.js";

/**
 * Finds the payload bounds of complete frames. Returns null if memory for the input cannot be allocated.
 * @param found Receives the bounds, which replace earlier ones.
 * @see {@link Kernels.scanTfRecords}
 */
export function scanFrames(
  instance: KernelInstance,
  bytes: Uint8Array,
  start: number,
  end: number,
  maxRecords: number,
  options: FramedOptions,
  found: FrameBounds,
): ScanResult | null {
  found.clear();
  let p = start;
  let { windowBytes } = instance;
  let status: KernelStatus = KernelStatus.ok;
  let errorOffset = -1;
  for (;;) {
    const windowEnd = Math.min(p + windowBytes, end);
    const most = Math.min(maxRecords - found.numRecords, mostFrames(windowEnd - p) + 1);
    const input = instance.load(bytes, p, windowEnd, 8 + most * 8);
    if (input === 0) return null;
    const bounds = Math.ceil((input + windowEnd - p) / 8) * 8;
    const { verifyPayload, maxRecordBytes } = options;
    status = instance.exports.scanFrames(
      windowEnd - p,
      bounds,
      most,
      verifyPayload,
      maxRecordBytes,
    ) as KernelStatus;
    const { words, numRecords } = instance;
    found.addPairs(words, bounds >>> 2, numRecords, p);
    if (status !== KernelStatus.ok) errorOffset = instance.errorAt - input + p;
    p += instance.consumed;
    const { frameBytes } = instance;
    if (
      status !== KernelStatus.ok ||
      found.numRecords === maxRecords ||
      windowEnd === end ||
      p + frameBytes > end
    )
      break;
    windowBytes = Math.max(windowBytes, frameBytes);
  }
  return {
    status,
    consumed: p - start,
    numRecords: found.numRecords,
    isFull: found.numRecords === maxRecords,
    errorOffset,
    starts: found.starts,
    ends: found.ends,
  };
}
