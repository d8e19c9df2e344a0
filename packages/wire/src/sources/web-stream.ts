import type { LeavableIterator } from "../leavable.js";

/**
 * The chunks of a web stream, without empty ones. Leaving the loop cancels the stream at once, even while a chunk is pending. It
 * does not use `for await` over the stream, which some browsers do not support.
 */
export function streamChunks(stream: ReadableStream<Uint8Array>): LeavableIterator<Uint8Array> {
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
      // It rejects if the stream has failed, but the reader already gets that error.
      if (!isDone) await (reader ?? stream).cancel().catch(() => {});
      isDone = true;
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
