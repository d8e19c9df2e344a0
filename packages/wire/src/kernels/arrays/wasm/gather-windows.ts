import { type ArrayKernels, ArrayStatus, type ValueArray } from "../array-kernels.js";
import { checkGather } from "../check-arrays.js";
import { copyRanges, gatherRanges } from "../gather-ranges.js";
import { type ArrayInstance, bytesOf, PIECE_ROWS, WINDOW_BYTES } from "./array-instance.js";

/**
 * Minimum number of result bytes for which WebAssembly is used. Below it, copying into WebAssembly memory and back costs more
 * than it saves.
 */
const LEAST_BYTES = 2048;
/**
 * If ranges have more bytes than this on average, copying them directly is as fast as copying them through WebAssembly memory.
 */
const MOST_RANGE_BYTES = 512;
/**
 * Maximum number of bytes to copy into WebAssembly memory. All values from the lowest start to the highest end are copied. For a
 * small result, the maximum is lower: {@link MOST_SOURCE_RATIO} times the size of the result.
 */
const MOST_SOURCE_BYTES: number = 8 * 1024 * 1024;
const MOST_SOURCE_RATIO = 4;
/** Number of ranges that are examined first. They usually suffice to detect that the ranges lie too far apart. */
const SAMPLE = 16;

/** Implements `gatherRanges` on this WebAssembly instance. */
export function gatherWith(instance: ArrayInstance): ArrayKernels["gatherRanges"] {
  const { positions, morePositions, out, input, exports } = instance;
  return <T extends ValueArray>(
    values: T,
    stride: number,
    starts: Uint32Array,
    ends: Uint32Array,
    target: T,
  ): ArrayStatus => {
    const isFew = target.byteLength < LEAST_BYTES || target.byteLength > starts.length * MOST_RANGE_BYTES;
    const size = stride * values.BYTES_PER_ELEMENT;
    const mostBytes = Math.min(target.byteLength * MOST_SOURCE_RATIO, MOST_SOURCE_BYTES);
    const [sampleFirst, sampleEnd] = spanOf(starts, ends, SAMPLE);
    if (isFew || (sampleEnd - sampleFirst) * size > mostBytes) {
      return gatherRanges(values, stride, starts, ends, target);
    }
    const status = checkGather(values, stride, starts, ends, target);
    if (status !== ArrayStatus.ok) return status;
    const [first, end] = spanOf(starts, ends, starts.length);
    const sourceBytes = (end - first) * size;
    if (sourceBytes > mostBytes || !instance.growInput(sourceBytes)) {
      copyRanges(values, stride, starts, ends, target);
      return ArrayStatus.ok;
    }
    instance.load(values.subarray(first * stride, end * stride), input);
    const source = input - first * size;
    const bytes = bytesOf(target);
    let at = 0;
    for (let range = 0; range < starts.length; range += PIECE_ROWS) {
      const count = Math.min(PIECE_ROWS, starts.length - range);
      instance.load(starts.subarray(range, range + count), positions);
      instance.load(ends.subarray(range, range + count), morePositions);
      for (let done = 0; done < count; ) {
        const [skipped, left] = [done * 4, count - done];
        done += exports.gather(
          positions + skipped,
          morePositions + skipped,
          left,
          source,
          size,
          out,
          WINDOW_BYTES,
        );
        const numBytes = exports.written();
        instance.store(numBytes, bytes, at);
        at += numBytes;
        if (done < count && numBytes === 0) {
          // The range is longer than a window.
          const [start, stop] = [starts[range + done]! * stride, ends[range + done]! * stride];
          target.set(values.subarray(start, stop) as never, at / values.BYTES_PER_ELEMENT);
          at += (stop - start) * values.BYTES_PER_ELEMENT;
          done++;
        }
      }
    }
    return ArrayStatus.ok;
  };
}

/** Returns the lowest start and the highest end (exclusive) of the first `count` ranges. */
function spanOf(starts: Uint32Array, ends: Uint32Array, count: number): readonly [number, number] {
  let first = 0xffff_ffff;
  let end = 0;
  for (let i = 0; i < Math.min(count, starts.length, ends.length); i++) {
    if (starts[i]! < first) first = starts[i]!;
    if (ends[i]! > end) end = ends[i]!;
  }
  return [first, end];
}
