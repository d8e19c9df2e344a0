import type { BatchLimits, FramedOptions } from "../../record-block.js";
import { KernelStatus, type PushResult } from "../kernels.js";
import type { KernelInstance } from "./kernel-instance.js";

/**
 * If records are large, pieces of input grow up to this size in bytes, so that few records are copied twice. A larger record gets
 * a piece of its own size.
 */
const MAX_WINDOW_BYTES: number = 2 * 2 ** 20;
/** Maximum number of records whose bounds are passed to the instance at once. */
const MAX_BOUNDS = 8192;

/** Result of pushed input: a {@link PushResult} without the details of a mismatch, which the instance holds. */
export interface InputResult
  extends Pick<PushResult, "status" | "consumed" | "numRecords" | "isFull" | "errorOffset"> {
  /** Number of skipped records. `numRecords` includes them. */
  readonly numSkipped: number;
}

/** Pushes records through an instance, piece by piece. @see {@link ExampleKernel.pushRecords} */
export function pushRecords(
  instance: KernelInstance,
  bytes: Uint8Array,
  starts: Uint32Array,
  ends: Uint32Array,
  from: number,
  to: number,
  limits: BatchLimits,
): InputResult {
  let index = from;
  let numSkipped = 0;
  for (;;) {
    const low = starts[index] ?? 0;
    let high = low;
    let next = index;
    // Selects as many of the next records as fit into one piece of input, but at least one.
    while (next < to && next - index < MAX_BOUNDS) {
      const start = starts[next]!;
      const end = ends[next]!;
      if (next > index && (start < low || end - low > instance.windowBytes)) break;
      high = Math.max(high, end);
      next++;
    }
    const count = next - index;
    const input = instance.load(bytes, low, high, 8 + count * 8);
    if (input === 0) return rejectedInput(index - from, index - from, numSkipped, low);
    const bounds = Math.ceil((input + high - low) / 8) * 8;
    const { words } = instance;
    for (let i = 0, w = bounds >>> 2; i < count; i++, w += 2) {
      const start = starts[index + i]! - low;
      words[w] = start;
      words[w + 1] = Math.max(start, ends[index + i]! - low);
    }
    const status = instance.exports.pushRecords(bounds, count, limits.maxRows, limits.maxBytes);
    index += instance.numRecords;
    numSkipped += instance.numSkipped;
    const taken = index - from;
    if (status !== KernelStatus.ok || instance.isFull || index >= to)
      return inputResult(instance, status, taken, taken, numSkipped, low - input);
  }
}

/** Pushes frames through an instance, piece by piece. @see {@link ExampleKernel.pushTfRecords} */
export function pushTfRecords(
  instance: KernelInstance,
  bytes: Uint8Array,
  start: number,
  end: number,
  limits: BatchLimits,
  options: FramedOptions,
): InputResult {
  const { verifyPayload, maxRecordBytes } = options;
  let p = start;
  let numRecords = 0;
  let numSkipped = 0;
  let { windowBytes } = instance;
  for (;;) {
    const windowEnd = Math.min(p + windowBytes, end);
    const input = instance.load(bytes, p, windowEnd);
    if (input === 0) return rejectedInput(p - start, numRecords, numSkipped, p);
    const status = instance.exports.pushFrames(
      windowEnd - p,
      limits.maxRows,
      limits.maxBytes,
      verifyPayload,
      maxRecordBytes,
    );
    const moved = p - input;
    p += instance.consumed;
    numRecords += instance.numRecords;
    numSkipped += instance.numSkipped;
    const { frameBytes } = instance;
    const isDone = instance.isFull || windowEnd === end || p + frameBytes > end;
    if (status !== KernelStatus.ok || isDone)
      return inputResult(instance, status, p - start, numRecords, numSkipped, moved);
    windowBytes = Math.max(windowBytes, Math.min(frameBytes * 4, MAX_WINDOW_BYTES), frameBytes);
  }
}

/** Returns the result that reports that no memory could be allocated for the input at offset `errorOffset`. */
function rejectedInput(
  consumed: number,
  numRecords: number,
  numSkipped: number,
  errorOffset: number,
): InputResult {
  return { status: KernelStatus.batchTooLarge, consumed, numRecords, numSkipped, isFull: false, errorOffset };
}

/**
 * Returns the result of the last push.
 * @param moved Offset of an input byte in the pushed bytes minus its address in the instance. It is the same for every byte.
 */
function inputResult(
  instance: KernelInstance,
  status: number,
  consumed: number,
  numRecords: number,
  numSkipped: number,
  moved: number,
): InputResult {
  const isOk = status === KernelStatus.ok;
  return {
    status: status as KernelStatus,
    consumed,
    numRecords,
    numSkipped,
    isFull: isOk && instance.isFull,
    errorOffset: isOk ? -1 : instance.errorAt + moved,
  };
}
