import { describeValue } from "../checks/index.js";
import { ArgumentError, isTfxioError, SourceError } from "../errors.js";
import { streamChunks } from "./web-stream.js";

/** Bytes that can be read only once: a web stream, a Node stream, or any async iterable of chunks. */
export type ByteStream = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** Returns true for a web stream, a Node stream or an async iterable. The chunks' type is checked only when they are read. */
export function isByteStream(input: unknown): input is ByteStream {
  if (typeof input !== "object" || input === null) return false;
  const { getReader } = input as Partial<ReadableStream>;
  return typeof getReader === "function" || Symbol.asyncIterator in input;
}

/**
 * Returns an iterator over the chunks of the stream that `open` returns. `open` is called when the first chunk is requested.
 * Empty chunks are dropped, and Buffers become plain Uint8Arrays. `return()` closes the stream. It waits for the stream to close
 * only if no chunk is pending.
 * `next()` rejects with the following errors, and passes on errors of this project unchanged.
 * @throws {SourceError} `io-failed` (`stream`) if `open` or the stream fails.
 * @throws {ArgumentError} `invalid-argument` (`source-type`) if `open` does not return a stream, or a chunk is not a Uint8Array.
 */
export function chunksOfStream(
  open: () => ByteStream | Promise<ByteStream>,
  uri: string,
): AsyncIterator<Uint8Array, void> {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  let isWaiting = false;
  let isDone = false;

  const opened = async (): Promise<AsyncIterator<Uint8Array>> => {
    const stream: unknown = await open();
    if (!isByteStream(stream)) {
      throw wrongType(`${uri} must be a ReadableStream or an AsyncIterable, found ${describeValue(stream)}.`);
    }
    return "getReader" in stream ? streamChunks(stream) : stream[Symbol.asyncIterator]();
  };
  const nextChunk = async (): Promise<Uint8Array | undefined> => {
    chunks ??= await opened();
    for (;;) {
      // The reader left while the stream was being opened, or while the previous chunk, an empty one, was pending.
      if (isDone) {
        await chunks.return?.();
        return undefined;
      }
      const { done, value } = await chunks.next();
      if (done === true) return undefined;
      if (Object.prototype.toString.call(value) !== "[object Uint8Array]") {
        throw wrongType(`${uri} must deliver Uint8Arrays, found ${describeValue(value)}.`);
      }
      if (value.length > 0) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    }
  };

  return {
    async next() {
      if (isDone) return { done: true, value: undefined };
      isWaiting = true;
      try {
        const value = await nextChunk();
        if (value !== undefined) return { done: false, value };
        isDone = true;
        return { done: true, value };
      } catch (cause) {
        isDone = true;
        throw streamError(uri, cause);
      } finally {
        isWaiting = false;
      }
    },
    async return() {
      const isLeft = !isDone;
      isDone = true;
      const closed = Promise.resolve(isLeft ? chunks?.return?.() : undefined);
      // A generator resolves `return()` only after the pending chunk has arrived.
      if (isWaiting) closed.catch(() => {});
      else await closed;
      return { done: true, value: undefined };
    },
  };
}

/** Closes a stream from which nothing was read. Never rejects. */
export async function closeUnread(stream: ByteStream): Promise<void> {
  try {
    if ("getReader" in stream) await stream.cancel();
    else await stream[Symbol.asyncIterator]().return?.();
  } catch {
    // The stream is not needed any more, so its failure does not matter.
  }
}

function streamError(uri: string, cause: unknown): unknown {
  if (isTfxioError(cause)) return cause;
  return new SourceError("io-failed", `${uri} cannot be read: ${String(cause)}`, {
    uri,
    cause,
    reason: "stream",
  });
}

function wrongType(message: string): ArgumentError {
  return new ArgumentError("invalid-argument", message, { argument: "stream", reason: "source-type" });
}
