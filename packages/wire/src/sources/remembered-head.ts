import { clippedRange } from "./byte-range.js";
import type { ByteSource, SliceOptions, StreamOptions } from "./byte-source.js";
import { assertByteSource } from "./check-source.js";
import { CHUNK_BYTES } from "./chunk-size.js";

/**
 * Wraps `source` so that its first 1 MiB, the prefix, is read only once by callers that inspect the beginning and then read
 * everything. Once the prefix has been read, the first stream and slices within the prefix use it. Until the prefix has been
 * read, every call that needs it reads it from `source`. The prefix is freed once a stream that starts within it reads past its
 * end. Later reads go to `source`. A source that fits into the prefix stays in memory. A slice of the prefix is a copy. A stream
 * yields the prefix as a view.
 * @throws {ArgumentError} `invalid-argument` (`source-type`).
 */
export function rememberHead(source: ByteSource): ByteSource {
  assertByteSource(source);
  const { uri, byteLength, version, origin, handsOverSlices } = source;
  let head: Uint8Array | undefined;
  let isPassedOn = false;

  const headOf = async (options: SliceOptions): Promise<Uint8Array> => {
    if (head !== undefined) return head;
    // A failed or aborted read is not remembered, so the next call reads again.
    const read = await source.slice(0, CHUNK_BYTES, options);
    if (!isPassedOn) head ??= read;
    return read;
  };

  async function* stream({ start = 0, ...options }: StreamOptions): AsyncGenerator<Uint8Array, void> {
    const first = await headOf({ signal: options.signal });
    if (start < first.length) yield first.subarray(start);
    // If the prefix is shorter than 1 MiB, it is the whole source.
    if (first.length < CHUNK_BYTES || first.length === byteLength) return;
    // The reader goes on past the prefix, so the prefix is no longer needed.
    isPassedOn = true;
    head = undefined;
    yield* source.stream({ ...options, start: Math.max(start, first.length) });
  }

  return {
    uri,
    ...(byteLength !== undefined && { byteLength }),
    ...(version !== undefined && { version }),
    ...(origin !== undefined && { origin }),
    ...(handsOverSlices !== undefined && { handsOverSlices }),
    async slice(start, end, options = {}) {
      const range = clippedRange(start, end, byteLength);
      if (isPassedOn || range.end > CHUNK_BYTES) return source.slice(start, end, options);
      // Copy with the constructor, because `slice` of a Buffer returns a view.
      return new Uint8Array((await headOf(options)).subarray(range.start, range.end));
    },
    ...(source.slices !== undefined && { slices: source.slices.bind(source) }),
    ...(source.tail !== undefined && { tail: source.tail.bind(source) }),
    stream: (options = {}) =>
      isPassedOn || (options.start ?? 0) >= CHUNK_BYTES ? source.stream(options) : stream(options),
  };
}
