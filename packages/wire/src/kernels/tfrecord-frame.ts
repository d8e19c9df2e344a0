import { FrameBounds } from "./frame-bounds.js";
import { crc32cOfView, maskCrc32c } from "./crc32c.js";
import type { FramedOptions } from "../record-block.js";
import { KernelStatus, type ScanResult } from "./kernels.js";

/** Number of bytes before a payload: its length as uint64, then the masked CRC-32C of these eight bytes. */
export const FRAME_HEAD = 12;
/** Number of bytes after a payload, which hold its masked CRC-32C. */
export const FRAME_TAIL = 4;
/** Result of {@link checkFrame} for a frame that extends beyond the end of the bytes. */
export const INCOMPLETE = -1;

/**
 * Checks the TFRecord frame at `start`: the checksum of its length, the length against the limit and, with `verifyPayload`, the
 * checksum of its payload. Returns a status, or `INCOMPLETE`. A length is not trusted before its checksum matches.
 */
export function checkFrame(
  view: DataView,
  start: number,
  end: number,
  options: FramedOptions,
): KernelStatus | typeof INCOMPLETE {
  if (end - start < FRAME_HEAD) return INCOMPLETE;
  if (maskCrc32c(crc32cOfView(view, start, start + 8)) !== view.getUint32(start + 8, true)) {
    return KernelStatus.lengthCrc;
  }
  const length = view.getUint32(start, true);
  if (view.getUint32(start + 4, true) !== 0 || length > options.maxRecordBytes)
    return KernelStatus.recordTooLong;
  const payload = start + FRAME_HEAD;
  if (length > end - payload - FRAME_TAIL) return INCOMPLETE;
  if (!options.verifyPayload) return KernelStatus.ok;
  const crc = maskCrc32c(crc32cOfView(view, payload, payload + length));
  return crc === view.getUint32(payload + length, true) ? KernelStatus.ok : KernelStatus.dataCrc;
}

/** Implements {@link Kernels.scanTfRecords} in TypeScript. */
export function scanTfRecords(
  bytes: Uint8Array,
  start: number,
  end: number,
  maxRecords: number,
  options: FramedOptions,
  bounds: FrameBounds = new FrameBounds(Math.min(maxRecords, mostFrames(end - start))),
): ScanResult {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  bounds.clear();
  let p = start;
  let status: KernelStatus = KernelStatus.ok;
  while (bounds.numRecords < maxRecords) {
    const checked = checkFrame(view, p, end, options);
    if (checked === INCOMPLETE) break;
    status = checked;
    if (status !== KernelStatus.ok) break;
    const payload = p + FRAME_HEAD;
    const payloadEnd = payload + view.getUint32(p, true);
    bounds.push(payload, payloadEnd);
    p = payloadEnd + FRAME_TAIL;
  }
  return {
    status,
    consumed: p - start,
    numRecords: bounds.numRecords,
    isFull: bounds.numRecords === maxRecords,
    errorOffset: status === KernelStatus.ok ? -1 : p,
    starts: bounds.starts,
    ends: bounds.ends,
  };
}

/** Returns the number of frames in `numBytes` bytes if every payload is empty. */
export function mostFrames(numBytes: number): number {
  return Math.floor(numBytes / (FRAME_HEAD + FRAME_TAIL));
}
