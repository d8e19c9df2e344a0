import { clippedRange } from "./byte-range.js";
import type { ByteSource, SliceOptions, StreamOptions } from "./byte-source.js";
import { assertByteSource } from "./check-source.js";
import { CHUNK_BYTES } from "./chunk-size.js";

/**
 * `source`, whose first mebibyte is read once, for whoever looks at the beginning and then reads all of it: slices within it
 * and the first stream share one read, and the stream goes on after it. A stream that passes the head frees it, and later
 * reads are those of `source`; a source that is not longer stays in memory. Results are views of what is kept: do not write
 * to them.
 * @throws {ArgumentError} `invalid-argument` (`source-type`).
 */
export function rememberHead(source: ByteSource): ByteSource {
  assertByteSource(source);
  const { uri, byteLength, version, origin } = source;
  let head: Uint8Array | undefined;
  let isPassedOn = false;

  const headOf = async (options: SliceOptions): Promise<Uint8Array> => {
    // A read that fails or is aborted leaves nothing, so the next one tries again.
    head ??= await source.slice(0, CHUNK_BYTES, options);
    return head;
  };

  async function* stream({ start = 0, ...options }: StreamOptions): AsyncGenerator<Uint8Array, void> {
    const first = await headOf({ signal: options.signal });
    if (start < first.length) yield first.subarray(start);
    // A shorter one is all there is.
    if (first.length < CHUNK_BYTES || first.length === byteLength) return;
    // Its reader has come past the head, so it is not one that only looks.
    isPassedOn = true;
    head = undefined;
    yield* source.stream({ ...options, start: Math.max(start, first.length) });
  }

  return {
    uri,
    ...(byteLength !== undefined && { byteLength }),
    ...(version !== undefined && { version }),
    ...(origin !== undefined && { origin }),
    async slice(start, end, options = {}) {
      const range = clippedRange(start, end, byteLength);
      if (isPassedOn || range.end > CHUNK_BYTES) return source.slice(start, end, options);
      return (await headOf(options)).subarray(range.start, range.end);
    },
    ...(source.slices !== undefined && { slices: source.slices.bind(source) }),
    ...(source.tail !== undefined && { tail: source.tail.bind(source) }),
    stream: (options = {}) =>
      isPassedOn || (options.start ?? 0) >= CHUNK_BYTES ? source.stream(options) : stream(options),
  };
}
