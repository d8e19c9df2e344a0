import { UnsupportedError } from "../errors.js";
import { streamChunks } from "../sources/web-stream.js";
import { inflateMembers } from "./gzip-members-browser.js";
import type { DamageReport, DeflateOptions, ZlibFormat } from "./zlib-format.js";
import type * as node from "./zlib-node.js";

/** Names of the formats in the Compression Streams specification, which calls zlib "deflate". */
const formatNames = { gzip: "gzip", zlib: "deflate" } as const;

/** False, because a stream may resolve a write before it has read the chunk, as the web streams of Node do. */
export const TAKES_WHOLE_CHUNKS: typeof node.TAKES_WHOLE_CHUNKS = false;

/**
 * Inflates with the platform's DecompressionStream, which chooses the chunk sizes. By specification, it reads one gzip
 * member. Browsers report a second member or padding as damage. {@link inflateAgain} then determines whether it is damage.
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

/** Inflates all members again from the start, because the platform may have reported an intact second member as damage. */
export const inflateAgain: typeof node.inflateAgain = (chunks, _error, damaged) =>
  inflateMembers(chunks, damaged);

/** Deflates with the platform's CompressionStream, which has no level option. */
export const deflate: typeof node.deflate = async function* (
  chunks: AsyncIterable<Uint8Array>,
  format: ZlibFormat,
  { level }: DeflateOptions,
): AsyncGenerator<Uint8Array, void> {
  if (level !== undefined) {
    throw new UnsupportedError("Browsers do not support a compression level. Omit the option `level`.", {
      feature: "compression level",
      reason: "compression-level",
    });
  }
  yield* new Feed(chunks, new CompressionStream(formatNames[format])).output();
};

/** Feeds chunks into a transform stream. */
class Feed {
  /** State of the input. If the stream fails in state `ended`, after all input was written, the input is truncated. */
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

  /** Writes the input into the stream. Never rejects, because the reading side receives every failure. */
  async #write(): Promise<void> {
    // `closed` rejects when a write fails. Nothing awaits it, so the rejection must be handled here.
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
