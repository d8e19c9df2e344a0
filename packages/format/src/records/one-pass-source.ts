import type { BufferedStream, ByteSource } from "@tfxio/wire";

/**
 * Wraps a stream as a source, for readers that read the bytes once, from the start. `slice` keeps all bytes before `end` in
 * memory. Once the source's `stream` is read, later reads throw {@link ArgumentError} `invalid-argument` (`stream-consumed`).
 */
export function onePassSource(stream: BufferedStream, uri = "stream"): ByteSource {
  return {
    uri,
    async slice(start, end, { signal } = {}) {
      return (await stream.head(end, { signal })).subarray(start, end);
    },
    async *stream({ start = 0, signal } = {}) {
      let skip = start;
      for await (const chunk of stream.rest({ signal })) {
        const part = chunk.subarray(Math.min(skip, chunk.length));
        skip -= chunk.length - part.length;
        if (part.length > 0) yield part;
      }
    },
  };
}
