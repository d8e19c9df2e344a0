import { TAKES_WHOLE_CHUNKS } from "#zlib";
import type { ByteTarget } from "../targets/byte-target.js";
import { assertArgument, assertOptions } from "../checks/index.js";
import { type Compression, compressed, aDeflateLevel, aStoredCompression } from "./compression.js";
import type { DeflateOptions } from "./zlib-format.js";

/** A target that compresses its bytes and writes them to an inner target. The caller commits the inner target. */
export interface CompressedTarget extends Pick<ByteTarget, "uri" | "write"> {
  /** Ends the compressed stream and writes the remaining bytes. Call it only once, after the last write. */
  finish(): Promise<void>;
  /** Stops compressing, then discards the inner target. Never rejects. Safe to call twice. */
  discard(): Promise<void>;
}

/**
 * Wraps `target` so that bytes are compressed before they reach it. A write resolves when the compressor asks for the next chunk,
 * so only a few chunks wait in memory even if the target is slow. If the target fails, the pending or next call rejects.
 *
 * ```ts
 * const target = await openTarget("data.csv.gz");
 * const compressed = compressedTarget(target, "gzip");
 * try {
 *   await compressed.write(bytes);
 *   await compressed.finish();
 *   await target.commit();
 * } catch (error) {
 *   await compressed.discard();
 *   throw error;
 * }
 * ```
 * @param options `level` is 0 (store) to 9 (smallest), by default 6, as in zlib. It works in Node only. In browsers, a level
 *   makes the first call of `write` or `finish` reject with {@link UnsupportedError} `unsupported` (`compression-level`), unless
 *   the compression is `none`.
 * @throws {ArgumentError} `invalid-argument` if the compression or an option is invalid.
 */
export function compressedTarget(
  target: ByteTarget,
  compression: Compression,
  options: DeflateOptions = {},
): CompressedTarget {
  assertArgument("compression", compression, aStoredCompression);
  assertOptions("compressedTarget", options, { level: aDeflateLevel });
  const { uri } = target;
  if (compression === "none") {
    return {
      uri,
      write: (bytes) => target.write(bytes),
      finish: async () => {},
      discard: () => target.discard(),
    };
  }
  const input = new HandOver();
  let failure: { readonly error: unknown } | undefined;
  const writing = (async () => {
    try {
      for await (const chunk of compressed(input, compression, options)) {
        await target.write(chunk).catch((error: unknown) => {
          // End the input first. Leaving the loop waits for the compressor, which waits for its input.
          failure = { error };
          input.leave();
          throw error;
        });
      }
    } catch (error) {
      failure = { error };
    } finally {
      input.leave();
    }
  })();
  const throwFailure = (): void => {
    if (failure !== undefined) throw failure.error;
  };
  return {
    uri,
    async write(bytes) {
      throwFailure();
      // Some compressors accept a chunk before they read it. Give them a copy, since the caller may reuse the bytes after this
      // call.
      await input.give(TAKES_WHOLE_CHUNKS ? bytes : new Uint8Array(bytes));
      throwFailure();
    },
    async finish() {
      input.end();
      await writing;
      throwFailure();
    },
    async discard() {
      input.leave();
      // Wait for the write in progress, since calls of a target must not overlap.
      await writing;
      await target.discard();
    },
  };
}

/** Passes chunks from a writer to a reader, one at a time. */
class HandOver implements AsyncIterableIterator<Uint8Array, void> {
  #chunk: Uint8Array | undefined;
  #isEnded = false;
  #taken: () => void = () => {};
  #given: () => void = () => {};

  /** Passes a chunk on. Resolves when the reader is done with the chunk and asks for the next one, or has left. */
  give(chunk: Uint8Array): Promise<void> {
    if (this.#isEnded) return Promise.resolve();
    return new Promise((resolve) => {
      this.#chunk = chunk;
      this.#taken = resolve;
      this.#given();
    });
  }

  /** Ends the input after the chunk that was given last. */
  end(): void {
    this.#isEnded = true;
    this.#given();
  }

  async next(): Promise<IteratorResult<Uint8Array, void>> {
    if (this.#chunk === undefined) this.#taken();
    while (this.#chunk === undefined && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#given = resolve;
      });
    }
    const value = this.#chunk;
    this.#chunk = undefined;
    return value === undefined ? { done: true, value } : { done: false, value };
  }

  /** Ends the input and drops a chunk that the reader has not taken. */
  leave(): void {
    this.#chunk = undefined;
    this.end();
    this.#taken();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
