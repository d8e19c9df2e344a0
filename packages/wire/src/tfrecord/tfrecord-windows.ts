import { AbortableReads } from "../sources/abortable-reads.js";
import type { ByteSource } from "../sources/byte-source.js";
import { aByteOffset } from "../sources/byte-range.js";
import {
  anAbortSignal,
  aReadCompression,
  assertMembers,
  assertOptions,
  invalidArgument,
  type OptionRules,
  required,
  rule,
} from "../checks/index.js";
import { assertByteSource } from "../sources/check-source.js";
import { type Compression, decompressedReads, isGzip, isZlib } from "../compression/compression.js";
import { ArgumentError, type ErrorLocation, type RecordError } from "../errors.js";
import { KernelStatus, kernels } from "../kernels/index.js";
import type { Position } from "../sources/position.js";
import type { FramedWindow, FramedWindows } from "../record-block.js";
import { DEFAULT_MAX_RECORD_BYTES } from "../limits.js";
import { GatheredBytes } from "./gathered-bytes.js";
import {
  frameBytes,
  frameError,
  HEADER_BYTES,
  headerStatus,
  isTfRecord,
  partEndError,
  truncatedError,
} from "./tfrecord-frame.js";

/** A part of a source that begins and ends between records. */
export interface TfRecordPart {
  /** Offset of the frame of the part's first record, in the uncompressed bytes. */
  readonly start: number;
  /** Offset of the first byte after the part. Default: the end of the source. */
  readonly end?: number | undefined;
  /**
   * Zero-based index, in the source, of the part's first record. Errors and blocks count records from it. Default 0.
   */
  readonly firstRecordIndex?: number | undefined;
}

/** Options of {@link tfRecordWindows}. */
export interface TfRecordWindowOptions {
  /**
   * Compression of the source. `"auto"` (default) means none if the first record's length matches its checksum. Otherwise, it
   * means gzip or zlib if their magic bytes match, or else none.
   */
  readonly compression?: Compression | "auto" | undefined;
  /** Maximum size of a payload in bytes. Default {@link DEFAULT_MAX_RECORD_BYTES}, 64 MiB. */
  readonly maxRecordBytes?: number | undefined;
  /**
   * The record to start with. Default: the first record. If `detail` is the record's byte offset, an uncompressed source is read
   * from there, and a compressed source is inflated up to it. Without `detail`, the first `row` records are skipped one by one.
   */
  readonly from?: Position | undefined;
  /** The part of the source to read. Default: the whole source. The row of `from` is counted from the start of the part. */
  readonly part?: TfRecordPart | undefined;
  readonly signal?: AbortSignal | undefined;
}

// After a round trip through JSON, a missing `detail` may be null.
const aRecordOffset = rule(aByteOffset.expected, (value) => value === null || aByteOffset.holds(value));

/** Rules for the options of {@link tfRecordWindows}. */
export const TFRECORD_WINDOW_RULES: OptionRules<TfRecordWindowOptions> = {
  compression: aReadCompression,
  maxRecordBytes: rule("a number of bytes, at least 0", (value) => typeof value === "number" && value >= 0),
  from: null,
  part: null,
  signal: anAbortSignal,
};
const PART_RULES: OptionRules<TfRecordPart> = {
  start: required(aByteOffset),
  end: aByteOffset,
  firstRecordIndex: aByteOffset,
};

/**
 * Reads a TFRecord source in windows of framed records. A window is a view of a chunk of the source. Only a record that crosses
 * chunks is copied, into a separate window. Nothing is opened before the first `next`.
 *
 * `next` checks that its window begins with a complete frame and a valid header. The consumer's kernel must check everything
 * else. After an error, the windows are closed.
 * @throws {RecordError} `truncated-record` (`record-header`, `record-payload`, `record-footer`), `corrupt-record` (`length-crc`,
 *   or `framing` if a part ends within a record), `limit-exceeded` (`record-length`), and the errors of {@link decompressed}.
 * @throws {ArgumentError} `invalid-argument`, for example with reason `behind-end` if `from` is past the end.
 */
export function tfRecordWindows(source: ByteSource, options: TfRecordWindowOptions = {}): FramedWindows {
  assertByteSource(source);
  assertOptions("tfRecordWindows", options, TFRECORD_WINDOW_RULES);
  const { from, part } = options;
  if (from !== undefined) {
    assertMembers("from", from, { row: required(aByteOffset), detail: aRecordOffset });
  }
  if (part !== undefined) assertMembers("part", part, PART_RULES);
  return new TfRecordWindows(source, options);
}

const nothing: Uint8Array = new Uint8Array(0);

class TfRecordWindows implements FramedWindows {
  readonly #source: ByteSource;
  readonly #reads: AbortableReads;
  readonly #maxRecordBytes: number;
  readonly #from: Position | undefined;
  readonly #part: TfRecordPart;
  readonly #compression: Compression | "auto";
  #chunks: AsyncGenerator<Uint8Array, void> | undefined;
  /** Uncompressed length of the source, infinite if it is unknown. */
  #byteLength: number = Number.POSITIVE_INFINITY;
  /** The current window. Earlier bytes are not kept. */
  #window: Uint8Array = nothing;
  /** The next window: the rest of the last chunk, if the current window was assembled from several chunks. Otherwise empty. */
  #behind: Uint8Array = nothing;
  #recordIndex = 0;
  #byteOffset = 0;

  constructor(
    source: ByteSource,
    {
      compression = "auto",
      maxRecordBytes = DEFAULT_MAX_RECORD_BYTES,
      from,
      part = { start: 0 },
      signal,
    }: TfRecordWindowOptions,
  ) {
    this.#source = source;
    this.#compression = compression;
    this.#maxRecordBytes = maxRecordBytes;
    this.#from = from;
    this.#part = part;
    this.#reads = new AbortableReads(source, signal);
  }

  async next(consumed: number): Promise<FramedWindow | null> {
    this.#reads.throwIfAborted();
    try {
      if (this.#chunks === undefined) await this.#open();
      else this.#consume(consumed);
      if (!(await this.#fill())) return null;
    } catch (error) {
      await this.close();
      throw error;
    }
    return {
      uri: this.#source.uri,
      bytes: this.#window,
      firstRecordIndex: this.#recordIndex,
      byteOffset: this.#byteOffset,
    };
  }

  async close(): Promise<void> {
    const message = `The windows of ${this.#source.uri} are closed.`;
    this.#reads.leave(new ArgumentError("invalid-argument", message, { reason: "closed" }));
    this.#window = nothing;
    this.#behind = nothing;
    await this.#chunks?.return();
  }

  async #open(): Promise<void> {
    const source = this.#source;
    let compression = this.#compression;
    if (compression === "auto") compression = detectCompression(await this.#reads.slice(0, HEADER_BYTES));
    if (compression === "none") this.#byteLength = source.byteLength ?? this.#byteLength;
    const row = this.#from?.row ?? 0;
    const detail = this.#from?.detail ?? undefined;
    const { firstRecordIndex = 0, end = Number.POSITIVE_INFINITY } = this.#part;
    const start = (detail ?? this.#part.start) as number;
    const chunks = decompressedReads(this.#reads, { compression, start, reuseChunks: true });
    this.#chunks = end === Number.POSITIVE_INFINITY ? chunks : firstBytes(chunks, end - start);
    this.#byteOffset = start;
    this.#recordIndex = firstRecordIndex;
    if (detail === undefined) await this.#walkTo(firstRecordIndex + row);
    else this.#recordIndex += row;
  }

  /** Skips all records before `recordIndex`. Checks their lengths, but not the checksums of their payloads. */
  async #walkTo(recordIndex: number): Promise<void> {
    const options = { verifyPayload: false, maxRecordBytes: this.#maxRecordBytes };
    const { firstRecordIndex = 0, start, end } = this.#part;
    while (this.#recordIndex < recordIndex) {
      if (!(await this.#fill())) {
        const found = this.#recordIndex - firstRecordIndex;
        const place = start === 0 && end === undefined ? "" : " in this split";
        throw new ArgumentError(
          "invalid-argument",
          `${this.#source.uri} has ${found} records${place}, so reading cannot start at record ${recordIndex - firstRecordIndex}.`,
          { argument: "from", reason: "behind-end" },
        );
      }
      const wanted = recordIndex - this.#recordIndex;
      const { consumed } = kernels().scanTfRecords(this.#window, 0, this.#window.length, wanted, options);
      this.#consume(consumed);
    }
  }

  /** Moves the window's start past the consumed records. */
  #consume(consumed: number): void {
    let at = 0;
    while (at < consumed && at + HEADER_BYTES <= this.#window.length) {
      at += frameBytes(this.#window, at);
      this.#recordIndex++;
    }
    if (at !== consumed || at > this.#window.length) {
      throw invalidArgument("consumed", "the position in the window at which a record ends", consumed);
    }
    this.#byteOffset += consumed;
    this.#window = this.#window.subarray(consumed);
    if (this.#window.length > 0) return;
    this.#window = this.#behind;
    this.#behind = nothing;
  }

  /** Reads until the window begins with a complete record. Returns false at the end of the source or part. */
  async #fill(): Promise<boolean> {
    const chunks = this.#chunks as AsyncGenerator<Uint8Array, void>;
    let needed = this.#neededBytes(this.#window);
    while (this.#window.length < needed) {
      // Copies the rest of a chunk before the source overwrites it. The memory grows as bytes are read. So even if a header
      // states a false length, the memory is at most twice as large as the bytes that were really read.
      const gathered = new GatheredBytes(this.#window);
      for (;;) {
        const { done, value } = await chunks.next();
        if (done === true) {
          if (gathered.bytes.length === 0) return false;
          throw this.#cutError(gathered.bytes.length, needed);
        }
        if (gathered.bytes.length === 0) {
          this.#window = value;
          break;
        }
        let rest = value;
        while (rest.length > 0 && gathered.bytes.length < needed) {
          const part = rest.subarray(0, needed - gathered.bytes.length);
          gathered.add(part, needed);
          rest = rest.subarray(part.length);
          // The header is complete, so the size of the frame is known.
          if (gathered.bytes.length === needed) needed = this.#neededBytes(gathered.bytes);
        }
        if (gathered.bytes.length < needed) continue;
        this.#window = gathered.bytes;
        this.#behind = rest;
        return true;
      }
      needed = this.#neededBytes(this.#window);
    }
    return true;
  }

  /** Returns the size of the frame at the start of `bytes`, or of its header if that is still incomplete. */
  #neededBytes(bytes: Uint8Array): number {
    return bytes.length < HEADER_BYTES ? HEADER_BYTES : this.#checkedFrameBytes(bytes);
  }

  /**
   * Returns the size of the frame with this header. Throws if the header's checksum is wrong, the payload is longer than the
   * limit, or the frame extends beyond the end of the part or source.
   */
  #checkedFrameBytes(header: Uint8Array): number {
    const status = headerStatus(header, this.#maxRecordBytes);
    if (status !== KernelStatus.ok) throw frameError(status, this.#maxRecordBytes, this.#location());
    const needed = frameBytes(header, 0);
    const { end = Number.POSITIVE_INFINITY } = this.#part;
    const left = Math.min(this.#byteLength, end) - this.#byteOffset;
    if (needed > left) throw this.#cutError(left, needed);
    return needed;
  }

  /** Returns the error for a frame of which only `numBytes` bytes exist, because the part or the source ends within it. */
  #cutError(numBytes: number, needed: number): RecordError {
    const location = this.#location();
    if (this.#byteOffset + numBytes !== this.#part.end || this.#part.end === this.#byteLength) {
      return truncatedError(numBytes, needed, location);
    }
    return partEndError(this.#part.end, location);
  }

  #location(): ErrorLocation {
    return { uri: this.#source.uri, recordIndex: this.#recordIndex, byteOffset: this.#byteOffset };
  }
}

/**
 * Detects the compression. Checks the header's checksum first, because the magic bytes of gzip and zlib may occur in a length.
 */
function detectCompression(head: Uint8Array): Compression {
  if (isTfRecord(head)) return "none";
  if (isGzip(head)) return "gzip";
  return isZlib(head) ? "zlib" : "none";
}

async function* firstBytes(
  chunks: AsyncGenerator<Uint8Array, void>,
  numBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let left = numBytes;
  if (left <= 0) return;
  for await (const chunk of chunks) {
    yield left < chunk.length ? chunk.subarray(0, left) : chunk;
    left -= chunk.length;
    if (left <= 0) return;
  }
}
