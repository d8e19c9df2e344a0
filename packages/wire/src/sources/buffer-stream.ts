import { untilAborted } from "../until-aborted.js";
import { streamOf } from "./abortable-reads.js";
import { assertByteOffset } from "./byte-range.js";
import type { SliceOptions } from "./byte-source.js";
import { type ByteStream, chunksOfStream, closeUnread, isByteStream } from "./byte-stream.js";
import { describeValue } from "../checks/index.js";
import { concatBytes } from "../concat-bytes.js";
import { ArgumentError } from "../errors.js";

/** A one-pass stream whose beginning can be inspected before the full read. Created by {@link bufferStream}. */
export interface BufferedStream {
  /** Name of the stream in errors. */
  readonly uri: string;
  /**
   * Returns the first `numBytes` bytes, or fewer if the stream is shorter. They are kept for {@link rest}. The result may be a
   * view of the kept bytes, so do not write to it.
   */
  head(numBytes: number, options?: SliceOptions): Promise<Uint8Array>;
  /**
   * Yields chunks from the beginning of the stream. All of them are kept in memory for {@link rest}. Leaving the loop does not
   * close the stream, and `sample` may be called repeatedly. Do not write to the chunks.
   */
  sample(options?: SliceOptions): AsyncIterable<Uint8Array>;
  /**
   * Yields all bytes from the beginning: first the kept bytes, which are freed as they are delivered, then the rest of the
   * stream. May be called only once. Afterwards, `head` and `sample` throw. Leaving the loop closes the stream. A chunk that was
   * not kept stays valid only as long as the stream itself guarantees.
   */
  rest(options?: SliceOptions): AsyncIterable<Uint8Array>;
  /** Closes the stream and frees the kept bytes. Safe to call twice, and after {@link rest}. Never rejects. */
  close(): Promise<void>;
}

/**
 * Buffers the beginning of a one-pass stream, so that its format can be detected and its schema inferred before the full read.
 * Nothing is read before the first `head`, `sample` or `rest`. Kept chunks are copies, since a stream may reuse their memory.
 *
 * If the stream fails, `sample` and `rest` deliver all bytes before the failure, then throw {@link SourceError} `io-failed`
 * (`stream`), or the stream's own error if it is an error of this project. `head` throws the same error if it needs more bytes.
 * `head`, `sample` and `rest` all throw {@link ArgumentError} `invalid-argument`: `stream-consumed` after `rest`, `closed` after
 * `close`, and `source-type` for a chunk that is not a Uint8Array.
 * @param uri Names the stream in errors. Default `stream`.
 * @throws {ArgumentError} `invalid-argument` (`source-type`) if `stream` is not a stream.
 */
export function bufferStream(stream: ByteStream, uri = "stream"): BufferedStream {
  if (isByteStream(stream)) return new StreamBuffer(stream, uri);
  const message = `Expected a ReadableStream or an AsyncIterable of bytes, found ${describeValue(stream)}.`;
  throw new ArgumentError("invalid-argument", message, { argument: "stream", reason: "source-type" });
}

class StreamBuffer implements BufferedStream {
  readonly uri: string;
  readonly #stream: ByteStream;
  readonly #chunks: AsyncIterator<Uint8Array, void>;
  /** True after a chunk has been requested or the stream has been closed. */
  #isTouched = false;
  #kept: Uint8Array[] = [];
  #numKept = 0;
  #state: "buffering" | "consumed" | "closed" = "buffering";
  #isEnding = false;
  #isEnded = false;
  #failure: { readonly error: unknown } | undefined;
  #pulling: Promise<void> | undefined;

  constructor(stream: ByteStream, uri: string) {
    this.uri = uri;
    this.#stream = stream;
    this.#chunks = chunksOfStream(() => {
      this.#isTouched = true;
      return stream;
    }, uri);
  }

  async head(numBytes: number, { signal }: SliceOptions = {}): Promise<Uint8Array> {
    assertByteOffset("numBytes", numBytes);
    this.#assertBuffering();
    signal?.throwIfAborted();
    while (this.#numKept < numBytes && (await untilAborted(this.#pull(), signal))) this.#assertBuffering();
    const parts: Uint8Array[] = [];
    let missing = numBytes;
    for (const chunk of this.#kept) {
      if (missing === 0) break;
      parts.push(chunk.subarray(0, missing));
      missing -= Math.min(missing, chunk.length);
    }
    return concatBytes(parts);
  }

  sample(options: SliceOptions = {}): AsyncIterable<Uint8Array> {
    this.#assertBuffering();
    return streamOf({ stream: () => this.#sampled() }, options);
  }

  rest(options: SliceOptions = {}): AsyncIterable<Uint8Array> {
    this.#assertBuffering();
    this.#state = "consumed";
    const chunks: AsyncIterator<Uint8Array, void> = {
      next: () => this.#nextOfRest(),
      // In a generator, `return()` would wait for the pending chunk before closing the stream.
      return: async () => {
        await this.#end();
        return { done: true, value: undefined };
      },
    };
    return streamOf({ stream: () => ({ [Symbol.asyncIterator]: () => chunks }) }, options);
  }

  async close(): Promise<void> {
    this.#state = "closed";
    await this.#end();
  }

  /** Closes the stream without changing the state, so that a call after `rest` reports that the stream was consumed. */
  async #end(): Promise<void> {
    this.#isEnding = true;
    this.#kept = [];
    this.#numKept = 0;
    if (this.#isTouched) await this.#chunks.return?.().catch(() => {});
    else await closeUnread(this.#stream);
    this.#isTouched = true;
  }

  async *#sampled(): AsyncGenerator<Uint8Array, void> {
    for (let index = 0; ; index++) {
      this.#assertBuffering();
      while (index >= this.#kept.length) {
        if (!(await this.#pull())) return;
        this.#assertBuffering();
      }
      yield this.#kept[index] as Uint8Array;
    }
  }

  async #nextOfRest(): Promise<IteratorResult<Uint8Array, void>> {
    // If `head` or `sample` has requested a chunk, wait until it is kept.
    await this.#pulling;
    const value = this.#kept.shift();
    if (value !== undefined) return { done: false, value };
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#isEnded ? { done: true, value: undefined } : this.#chunks.next();
  }

  /** Keeps one more chunk. Returns false at the end of the stream. Concurrent callers share one chunk. */
  async #pull(): Promise<boolean> {
    if (this.#failure === undefined && !this.#isEnded) {
      this.#pulling ??= this.#keepNext();
      await this.#pulling;
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    return !this.#isEnded;
  }

  /** Reads and keeps the next chunk. Never rejects. Stores a failure instead, which `#pull` and `rest` then throw. */
  async #keepNext(): Promise<void> {
    try {
      const { done, value } = await this.#chunks.next();
      if (done === true) this.#isEnded = true;
      else if (!this.#isEnding) {
        this.#kept.push(new Uint8Array(value));
        this.#numKept += value.length;
      }
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#pulling = undefined;
    }
  }

  #assertBuffering(): void {
    if (this.#state === "buffering") return;
    const isClosed = this.#state === "closed";
    throw new ArgumentError(
      "invalid-argument",
      isClosed
        ? `${this.uri} is closed.`
        : `${this.uri} can be read only once, and a read has already begun.`,
      { argument: "stream", reason: isClosed ? "closed" : "stream-consumed" },
    );
  }
}
