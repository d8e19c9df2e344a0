import type { CancellableIterator } from "../cancellable.js";

/**
 * Returns an iterator over the chunks of a web stream, without empty chunks. Leaving the loop cancels the stream at once, even
 * while a chunk is pending. Some browsers do not support `for await` over a stream.
 */
export function streamChunks(stream: ReadableStream<Uint8Array>): CancellableIterator<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let isDone = false;
  return {
    async next() {
      while (!isDone) {
        reader ??= stream.getReader();
        const { done, value } = await reader.read();
        if (done) isDone = true;
        else if (value.length > 0) return { done: false, value };
      }
      return { done: true, value: undefined };
    },
    async return() {
      // `cancel` rejects if the stream has failed, but `next` reports that failure.
      if (!isDone) await (reader ?? stream).cancel().catch(() => {});
      isDone = true;
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
