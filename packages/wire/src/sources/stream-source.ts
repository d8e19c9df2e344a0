import { streamOf } from "./abortable-reads.js";
import { assertByteOffset, clippedRange } from "./byte-range.js";
import type { ByteSource } from "./byte-source.js";
import { type ByteStream, chunksOfStream } from "./byte-stream.js";
import { describeValue } from "../checks/index.js";
import { concatBytes } from "../concat-bytes.js";
import { ArgumentError } from "../errors.js";

/** Opens a new stream of the same bytes on every call. */
export type OpenByteStream = () => ByteStream | Promise<ByteStream>;

/** Maximum number of initial bytes that are remembered. They suffice to detect compression and format. */
const HEAD_BYTES = 4096;

/**
 * Creates a source from a function that opens a new stream of the same bytes for each pass. The stream may be the output of a
 * program, or a download that needs a fresh signature. The source cannot seek: a slice, or a stream with a `start`, reads from
 * the beginning and drops the earlier bytes. The first read remembers the initial bytes, so that later slices of them open no
 * stream. The stream must not overwrite a chunk after delivering it.
 * @param uri Names the source in errors. Default `stream`.
 * @throws {ArgumentError} `invalid-argument` (`source-type`) if `open` is not a function. Reads reject with the same error if
 *   `open` does not return a stream, or if a chunk is not a Uint8Array.
 * @throws {SourceError} Reads reject with `io-failed` (`stream`) if `open` or its stream fails. Errors of this project are passed
 *   on unchanged.
 */
export function streamSource(open: OpenByteStream, uri = "stream"): ByteSource {
  if (typeof open !== "function") {
    const message = `Expected a function that opens a stream, found ${describeValue(open)}.`;
    throw new ArgumentError("invalid-argument", message, { argument: "open", reason: "source-type" });
  }
  const all = { stream: () => ({ [Symbol.asyncIterator]: () => chunksOfStream(open, uri) }) };
  let head: Uint8Array = new Uint8Array(0);

  async function* bytesFrom(
    start: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array, void> {
    let skip = start;
    let isFirst = true;
    for await (const chunk of streamOf(all, { signal })) {
      if (isFirst && head.length === 0) head = chunk.slice(0, HEAD_BYTES);
      isFirst = false;
      if (skip < chunk.length) yield chunk.subarray(skip);
      skip = Math.max(0, skip - chunk.length);
    }
  }

  return {
    uri,
    async slice(start, end, { signal } = {}) {
      const range = clippedRange(start, end);
      if (range.end <= head.length) {
        signal?.throwIfAborted();
        return head.slice(range.start, range.end);
      }
      let missing = range.end - range.start;
      const parts: Uint8Array[] = [];
      if (missing === 0) return new Uint8Array(0);
      for await (const chunk of bytesFrom(range.start, signal)) {
        parts.push(chunk.subarray(0, missing));
        missing -= Math.min(missing, chunk.length);
        if (missing === 0) break;
      }
      return concatBytes(parts);
    },
    stream({ start = 0, signal } = {}) {
      assertByteOffset("start", start);
      return bytesFrom(start, signal);
    },
  };
}
