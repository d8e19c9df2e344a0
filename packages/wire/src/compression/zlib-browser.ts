import { UnsupportedError } from "../errors.js";
import { streamChunks } from "../sources/web-stream.js";
import { inflateMembers } from "./gzip-members-browser.js";
import type { DamageReport, DeflateOptions, ZlibFormat } from "./zlib-format.js";
import type * as node from "./zlib-node.js";

/** What the Compression Streams specification calls the formats. */
const formatNames = { gzip: "gzip", zlib: "deflate" } as const;

/** A stream may answer a write before it has looked at the chunk: Node's does. */
export const TAKES_WHOLE_CHUNKS: typeof node.TAKES_WHOLE_CHUNKS = false;

/**
 * Inflates by the platform's DecompressionStream, into chunks of its choosing. By its specification it reads one gzip
 * member; browsers take a second one, or padding, for damage, and {@link inflateAgain} tells whether it is.
 */
export const inflate: typeof node.inflate = async function* (
  chunks: AsyncIterable<Uint8Array>,
  format: ZlibFormat,
  damaged: DamageReport,
): AsyncGenerator<Uint8Array, void> {
  const feed = new Feed(chunks, new DecompressionStream(formatNames[format]));
  try {
    yield* feed.output();
  } catch (error) {
    if (feed.state === "failed") throw error;
    throw damaged(feed.state === "ended" ? "truncated" : "corrupt", error);
  }
};

/** All members: what the platform took for damage may be the next one. */
export const inflateAgain: typeof node.inflateAgain = (chunks, _error, damaged) =>
  inflateMembers(chunks, damaged);

/** Deflates by the platform's CompressionStream, which knows no level. */
export const deflate: typeof node.deflate = async function* (
  chunks: AsyncIterable<Uint8Array>,
  format: ZlibFormat,
  { level }: DeflateOptions,
): AsyncGenerator<Uint8Array, void> {
  if (level !== undefined) {
    throw new UnsupportedError("Compression has no level in browsers; leave the option out.", {
      feature: "compression level",
      reason: "compression-level",
    });
  }
  yield* new Feed(chunks, new CompressionStream(formatNames[format])).output();
};

/** Chunks on their way through a transform stream. */
class Feed {
  /** How the input fared: a stream that fails after all of it was written has missed more. */
  state: "feeding" | "ended" | "failed" = "feeding";
  readonly #input: AsyncIterator<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #readable: ReadableStream<Uint8Array>;

  constructor(chunks: AsyncIterable<Uint8Array>, stream: CompressionStream | DecompressionStream) {
    this.#input = chunks[Symbol.asyncIterator]();
    this.#writer = stream.writable.getWriter();
    this.#readable = stream.readable;
  }

  async *output(): AsyncGenerator<Uint8Array, void> {
    const writing = this.#write();
    try {
      yield* streamChunks(this.#readable);
    } finally {
      await writing;
      await this.#input.return?.();
    }
  }

  /** Never rejects: a failure of the input or of the stream reaches the side that reads. */
  async #write(): Promise<void> {
    // Rejected along with the write that fails; nobody else waits for it.
    this.#writer.closed.catch(() => {});
    for (;;) {
      let next: IteratorResult<Uint8Array>;
      try {
        next = await this.#input.next();
      } catch (error) {
        this.state = "failed";
        await this.#writer.abort(error).catch(() => {});
        return;
      }
      try {
        if (next.done === true) {
          this.state = "ended";
          await this.#writer.close();
          return;
        }
        await this.#writer.write(next.value);
      } catch {
        return;
      }
    }
  }
}
