import { deflate, inflate, inflateAgain, TAKES_WHOLE_CHUNKS } from "#zlib";
import { AbortableReads } from "../sources/abortable-reads.js";
import { aByteOffset } from "../sources/byte-range.js";
import type { ByteSource } from "../sources/byte-source.js";
import {
  aBoolean,
  anAbortSignal,
  anInteger,
  aReadCompression,
  assertOptions,
  oneOf,
  type Rule,
} from "../checks/index.js";
import { assertByteSource } from "../sources/check-source.js";
import { ArgumentError, isTfxioError, RecordError } from "../errors.js";
import { type CancellableIterator, cancellable } from "../cancellable.js";
import type { DamageReport, DeflateOptions, ZlibFormat } from "./zlib-format.js";

/** Name of a compression of stored bytes: none, gzip (RFC 1952), or zlib (RFC 1950). */
export type Compression = "none" | ZlibFormat;

/** Options of {@link decompressed}. */
export interface DecompressOptions {
  /**
   * `"auto"`, the default, detects gzip by its magic bytes. It never detects zlib, whose two header bytes are common in other
   * data.
   */
  readonly compression?: Compression | "auto" | undefined;
  /**
   * Offset of the first uncompressed byte to deliver. Default 0. An uncompressed source is read from there. A compressed source
   * is inflated from its beginning, and the bytes before `start` are dropped.
   */
  readonly start?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** See {@link StreamOptions.reuseChunks}. */
  readonly reuseChunks?: boolean | undefined;
}

/**
 * Returns the uncompressed bytes of a source in chunks. Node inflates into chunks of up to 1 MiB. In browsers or without
 * compression, the sizes vary. At most a few chunks are in memory, however large the source is.
 *
 * All members of a gzip file are read. Browsers inflate only the first member natively. If there are more, the source is read a
 * second time, and JavaScript inflates all members at half the speed. If a gzip source is damaged, everything before the damage
 * is delivered. This may also take a second read. Errors are thrown by the iterator, not by this call.
 * @throws {RecordError} `corrupt-record` (`gzip`, `zlib`) if the data is damaged or followed by other bytes, `truncated-record`
 *   (`gzip-truncated`, `zlib-truncated`) if it ends early. `byteOffset` is the number of uncompressed bytes before the damage.
 * @throws {SourceError} if the source cannot be read.
 * @throws {ArgumentError} `invalid-argument` if the source or an option is invalid, or (reason `behind-end`) if `start` is past
 *   the end.
 */
export function decompressed(
  source: ByteSource,
  options: DecompressOptions = {},
): CancellableIterator<Uint8Array> {
  return cancellable(async function* (leaving) {
    assertByteSource(source);
    assertOptions("decompressed", options, {
      compression: aReadCompression,
      start: aByteOffset,
      signal: anAbortSignal,
      reuseChunks: aBoolean,
    });
    const { start = 0, signal, compression = "auto", reuseChunks = false } = options;
    const reads = new AbortableReads(source, signal, leaving);
    try {
      reads.throwIfAborted();
      const detected = compression === "auto" ? await magicOf(reads) : compression;
      yield* decompressedReads(reads, { compression: detected, start, reuseChunks });
    } finally {
      reads.leave();
    }
  });
}

/**
 * Like {@link decompressed}, but reads through `reads`. The caller must call `reads.leave()` at the end. `compression` cannot be
 * `"auto"`.
 */
export async function* decompressedReads(
  reads: AbortableReads,
  options: {
    readonly compression: Compression;
    readonly start: number;
    readonly reuseChunks: boolean;
  },
): AsyncGenerator<Uint8Array, void> {
  const { source } = reads;
  const { compression, start, reuseChunks } = options;
  if (compression === "none") {
    if (start > (source.byteLength ?? Number.POSITIVE_INFINITY)) throw behindEnd(source, start);
    yield* reads.stream({ start, reuseChunks });
    return;
  }
  let offset = 0;
  const damaged = damageReport(source, compression, () => offset);
  /** Returns the part of a chunk that is still to be delivered. The chunk begins at uncompressed offset `from`. */
  const newPart = (chunk: Uint8Array, from: number): Uint8Array => {
    reads.throwIfAborted();
    const skipped = Math.max(offset, start) - from;
    offset = Math.max(offset, from + chunk.length);
    return chunk.subarray(Math.min(Math.max(0, skipped), chunk.length));
  };
  const stored = (): AsyncIterable<Uint8Array> => reads.stream({ reuseChunks: TAKES_WHOLE_CHUNKS });
  try {
    for await (const chunk of inflate(stored(), compression, damaged)) {
      const part = newPart(chunk, offset);
      if (part.length > 0) yield part;
    }
  } catch (error) {
    if (compression !== "gzip" || !isDamage(error)) throw error;
    let position = 0;
    try {
      for await (const chunk of inflateAgain(stored(), error, damaged)) {
        const part = newPart(chunk, position);
        position += chunk.length;
        if (part.length > 0) yield part;
      }
    } catch (again) {
      reads.throwIfAborted();
      throw again;
    }
  }
  if (offset < start) throw behindEnd(source, start);
}

/**
 * Returns true if the decompressor found the damage that `error` reports. The cause of `error` is then the decompressor's own
 * error. An error has no cause if it reports damage after the end of the stream.
 */
function isDamage(error: unknown): error is RecordError {
  return isTfxioError(error, "corrupt-record", "truncated-record") && error.cause !== undefined;
}

async function magicOf(reads: AbortableReads): Promise<Compression> {
  return isGzip(await reads.slice(0, 3)) ? "gzip" : "none";
}

/**
 * Compresses `chunks`, or returns them unchanged if the compression is `none`.
 * @throws {UnsupportedError} The result throws `unsupported` (`compression-level`) if a level for gzip or zlib is given in a
 *   browser.
 */
export function compressed(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
  options: DeflateOptions,
): AsyncIterable<Uint8Array> {
  return compression === "none" ? chunks : deflate(chunks, compression, options);
}

/** Returns true if `head` begins like a gzip member: two magic bytes, then 8, the only defined method. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
}

/**
 * Returns true if `head` begins like a zlib stream: method deflate, a valid window size, no dictionary, and a correct header
 * check.
 */
export function isZlib(head: Uint8Array): boolean {
  const [method = 0, flags = 0] = head;
  return (
    (method & 0x0f) === 8 && method >> 4 <= 7 && (flags & 0x20) === 0 && ((method << 8) | flags) % 31 === 0
  );
}

/** Accepts the values of {@link Compression}. */
export const aStoredCompression: Rule = oneOf("none", "gzip", "zlib");
/** Accepts a level from 0 (store) to 9 (smallest). */
export const aDeflateLevel: Rule = anInteger(0, 9);

function damageReport(source: ByteSource, format: ZlibFormat, offset: () => number): DamageReport {
  return (damage, cause) => {
    const { uri } = source;
    const byteOffset = offset();
    const found = {
      truncated: `ends early, after ${byteOffset} uncompressed bytes`,
      corrupt: `is damaged${cause instanceof Error ? ` (${cause.message})` : ""} after ${byteOffset} uncompressed bytes`,
      trailing: `ends after ${byteOffset} uncompressed bytes, and is followed by bytes that are not ${format} data`,
    }[damage];
    return new RecordError(
      damage === "truncated" ? "truncated-record" : "corrupt-record",
      `${uri}: the ${format} stream ${found}.`,
      { uri, byteOffset, cause, reason: damage === "truncated" ? `${format}-truncated` : format },
    );
  };
}

function behindEnd({ uri }: ByteSource, start: number): ArgumentError {
  return new ArgumentError("invalid-argument", `${uri} ends before byte ${start}, the requested start.`, {
    argument: "start",
    reason: "behind-end",
  });
}
