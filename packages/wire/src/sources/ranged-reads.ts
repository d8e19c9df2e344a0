import { untilAborted } from "../until-aborted.js";
import { sliceOf, streamOf } from "./abortable-reads.js";
import { aListOf, anObject, assertArgument, membersOf, rule } from "../checks/index.js";
import { aByteOffset, assertByteOffset } from "./byte-range.js";
import type { ByteRange, ByteSource, SliceOptions } from "./byte-source.js";
import { assertByteSource } from "./check-source.js";
import { concatBytes } from "../concat-bytes.js";
import { inParallel } from "./in-parallel.js";

/**
 * Maximum number of parallel `slice` calls to a source that has no `slices` method. Browsers open this many connections to one
 * HTTP/1.1 host.
 */
const MAX_SLICES_AT_ONCE = 6;

const aListOfRanges = aListOf(
  "a list of ranges with start and end",
  rule("a range with start and end", (value) => {
    const { start, end } = membersOf(value);
    return aByteOffset.holds(start) && aByteOffset.holds(end);
  }),
);

/**
 * Reads several ranges of any source. Results are in the order of `ranges`. Calls {@link ByteSource.slices} if the source has it.
 * Otherwise, calls `slice` for each range, at most six at a time. Rejects as soon as the signal aborts. Each result may be a view
 * of the source's memory.
 * @throws {SourceError} if the source cannot be read.
 * @throws {ArgumentError} `invalid-argument` if an argument is invalid.
 */
export async function slicesOf(
  source: ByteSource,
  ranges: readonly ByteRange[],
  options: SliceOptions = {},
): Promise<readonly Uint8Array[]> {
  assertByteSource(source);
  assertArgument("ranges", ranges, aListOfRanges);
  assertArgument("options", options, anObject, "slicesOf");
  const { signal } = options;
  if (source.slices !== undefined) return untilAborted(source.slices(ranges, { signal }), signal);
  return inParallel(ranges, MAX_SLICES_AT_ONCE, ({ start, end }) => sliceOf(source, start, end, signal));
}

/**
 * Reads the last `numBytes` bytes of any source, or all if there are fewer. If the length is known, reads a slice. Otherwise,
 * calls {@link ByteSource.tail} if the source has it, or else streams the source and keeps only its last chunks in memory.
 * @throws {SourceError} if the source cannot be read.
 * @throws {ArgumentError} `invalid-argument` if `numBytes` is negative or not an integer.
 */
export async function tailOf(
  source: ByteSource,
  numBytes: number,
  options: SliceOptions = {},
): Promise<Uint8Array> {
  assertByteSource(source);
  assertByteOffset("numBytes", numBytes);
  assertArgument("options", options, anObject, "tailOf");
  const { signal } = options;
  const { byteLength } = source;
  if (byteLength !== undefined)
    return sliceOf(source, Math.max(0, byteLength - numBytes), byteLength, signal);
  if (source.tail !== undefined) return untilAborted(source.tail(numBytes, { signal }), signal);
  return lastBytes(streamOf(source, { signal }), numBytes);
}

/** Returns a copy of the last `numBytes` bytes of `chunks`. The producer may overwrite a chunk once the next one is requested. */
export async function lastBytes(chunks: AsyncIterable<Uint8Array>, numBytes: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let numKept = 0;
  for await (const chunk of chunks) {
    // Copy with the constructor, because `slice` of a Buffer returns a view.
    const last = new Uint8Array(chunk.subarray(Math.max(0, chunk.length - numBytes)));
    kept.push(last);
    numKept += last.length;
    while (kept.length > 1 && numKept - (kept[0] as Uint8Array).length >= numBytes) {
      numKept -= (kept.shift() as Uint8Array).length;
    }
  }
  const bytes = concatBytes(kept);
  return bytes.subarray(Math.max(0, bytes.length - numBytes));
}
