import {
  constants,
  crc32,
  createDeflate,
  createGunzip,
  createGzip,
  createInflate,
  createInflateRaw,
  type Deflate,
  type Gunzip,
  type Gzip,
  type Inflate,
  type InflateRaw,
} from "node:zlib";
import { CHUNK_BYTES } from "../sources/chunk-size.js";
import type { RecordError } from "../errors.js";
import { skipGzipHeader, PushbackInput } from "./gzip-header.js";
import type { DamageReport, DeflateOptions, ZlibFormat } from "./zlib-format.js";

/**
 * True if {@link inflate} and {@link deflate} are done with a chunk by the time they ask for the next. The caller may then reuse
 * the chunk's memory.
 */
export const TAKES_WHOLE_CHUNKS: boolean = true;

/** Inflates on a thread of the libuv pool, into chunks of up to 1 MiB, one chunk ahead of the reader. */
export async function* inflate(
  chunks: AsyncIterable<Uint8Array>,
  format: ZlibFormat,
  damaged: DamageReport,
): AsyncGenerator<Uint8Array, void> {
  const stream =
    format === "gzip" ? createGunzip({ chunkSize: CHUNK_BYTES }) : createInflate({ chunkSize: CHUNK_BYTES });
  const input = chunks[Symbol.asyncIterator]();
  const feed = feeder(input, stream);
  try {
    yield* output(stream, feed);
    await assertInputEnded(input, feed.unread(), format, damaged);
  } catch (error) {
    if (isZlibError(error)) throw damaged(error.code === "Z_BUF_ERROR" ? "truncated" : "corrupt", error);
    throw error;
  } finally {
    await input.return?.();
  }
}

/**
 * Reads a gzip stream again from its start after {@link inflate} failed with `error`. Delivers everything before the damage, some
 * of which the first pass may have lost: node:zlib drops pending output when it meets bytes that are not gzip data.
 * @throws {RecordError} `error` at once if the stream is truncated. Otherwise an error with the same cause, after everything
 *   before the damage has been delivered. Errors of `chunks` are passed on.
 */
export async function* inflateAgain(
  chunks: AsyncIterable<Uint8Array>,
  error: RecordError,
  damaged: DamageReport,
): AsyncGenerator<Uint8Array, void> {
  if (error.code === "truncated-record") throw error;
  yield* inflateWholeMembers(chunks);
  throw damaged("corrupt", error.cause);
}

/**
 * Inflates the gzip members at the start of `chunks`. Ends without an error after a damaged member, or when no further member
 * follows. Passes on the errors of the source. Creates a stream for each member, to find its end. This is too slow for intact
 * files with many small members.
 */
async function* inflateWholeMembers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const input = new PushbackInput(chunks[Symbol.asyncIterator]());
  try {
    while (await skipGzipHeader(input)) {
      const stream = createInflateRaw({ chunkSize: 1 << 16 });
      const feed = feeder(input, stream);
      let checksum = 0;
      for await (const chunk of output(stream, feed)) {
        checksum = crc32(chunk, checksum);
        yield chunk;
      }
      input.unread(feed.unread());
      if ((await input.uint32()) !== checksum) return;
      // Skips the uncompressed length at the end of the member.
      await input.skip(4);
    }
  } catch (error) {
    // The caller already knows about the damage, and reports it.
    if (!isZlibError(error)) throw error;
  } finally {
    await input.return();
  }
}

/** True for an error of node:zlib, which has one of zlib's codes, such as `Z_DATA_ERROR`. */
function isZlibError(error: unknown): error is NodeJS.ErrnoException {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === "string" && code.startsWith("Z_");
}

/** Deflates on a thread of the libuv pool. */
export async function* deflate(
  chunks: AsyncIterable<Uint8Array>,
  format: ZlibFormat,
  options: DeflateOptions,
): AsyncGenerator<Uint8Array, void> {
  const stream = createDeflater(format, options);
  const input = chunks[Symbol.asyncIterator]();
  try {
    yield* output(stream, feeder(input, stream));
  } finally {
    await input.return?.();
  }
}

function createDeflater(format: ZlibFormat, { level }: DeflateOptions): Gzip | Deflate {
  const options = { chunkSize: 1 << 16, level: level ?? constants.Z_DEFAULT_COMPRESSION };
  return format === "gzip" ? createGzip(options) : createDeflate(options);
}

type ZlibStream = Gunzip | Inflate | InflateRaw | Gzip | Deflate;

interface Feeder {
  /**
   * Writes the input into the stream. Resolves at the end of the input, or after the first chunk that the stream does not consume
   * completely. Never rejects.
   */
  run(): Promise<void>;
  /** Returns the part of the last chunk that the stream did not consume. */
  unread(): Uint8Array;
}

function feeder(input: AsyncIterator<Uint8Array>, stream: ZlibStream): Feeder {
  let numFed = 0;
  let last: Uint8Array = new Uint8Array(0);
  // The callback of a write may never be called if the chunk is damaged or follows the end of the stream. The event `close` or
  // `end` fires instead.
  let wake = () => {};
  stream.once("close", () => wake());
  stream.once("end", () => wake());
  const write = (chunk: Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      stream.write(chunk, () => resolve());
    });
  return {
    async run() {
      try {
        // After its end, a stream acknowledges further writes without consuming bytes. So stop if a byte was not consumed.
        while (!stream.destroyed && !stream.readableEnded && stream.bytesWritten === numFed) {
          const { done, value } = await input.next();
          if (done === true) {
            stream.end();
            return;
          }
          last = value;
          numFed += value.length;
          await write(value);
        }
      } catch (error) {
        stream.destroy(error as Error);
      }
    },
    unread: () => last.subarray(last.length - (numFed - stream.bytesWritten)),
  };
}

async function* output(stream: ZlibStream, feed: Feeder): AsyncGenerator<Uint8Array, void> {
  const feeding = feed.run();
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    }
  } finally {
    stream.destroy();
    await feeding;
  }
}

/**
 * Checks that nothing follows a zlib stream, and that only zeros follow the gzip members that were inflated. These zeros are
 * padding, as in gzip(1). Without this check, node:zlib would silently drop other bytes after a zlib stream or after the padding
 * of a gzip member.
 * @throws {RecordError} `damaged("trailing")` if any other bytes follow.
 */
async function assertInputEnded(
  input: AsyncIterator<Uint8Array>,
  unread: Uint8Array,
  format: ZlibFormat,
  damaged: DamageReport,
): Promise<void> {
  let rest = unread;
  for (;;) {
    if (format === "zlib" ? rest.length > 0 : rest.some((byte) => byte !== 0)) throw damaged("trailing");
    const { done, value } = await input.next();
    if (done === true) return;
    rest = value;
  }
}
