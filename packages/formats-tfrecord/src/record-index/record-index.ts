import {
  type ByteSource,
  RecordError,
  tfRecordBlocks,
  UnsupportedError,
  UserFunctionError,
} from "@tfxio/wire";
import { aFunction, anAbortSignal, aPositiveInteger, assertOptions } from "@tfxio/wire/checks";
import { FRAME_BYTES, HEADER_BYTES, payloadLengthAt } from "./record-header.js";

/** Offsets of the records in an uncompressed TFRecord file. The index is plain data and keeps no file open. */
export interface TfRecordIndex {
  readonly numRecords: number;
  /** Byte offset of each record's frame, then the length of the file: `numRecords + 1` numbers, ascending. */
  readonly offsets: Float64Array;
  /** Length of the file in bytes. */
  readonly byteLength: number;
  /** {@link ByteSource.version} of the file when it was indexed, if known. */
  readonly version?: string | undefined;
}

/** Options of {@link indexTfRecords}. */
export interface IndexTfRecordsOptions {
  /** Maximum size of a record in bytes. Default 64 MiB. */
  readonly maxRecordBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called after each block of records. `progress` contains the numbers of records and bytes read so far.
   */
  readonly onProgress?:
    | ((progress: { readonly numRecords: number; readonly numBytes: number }) => void)
    | undefined;
}

/**
 * Reads an uncompressed TFRecord file once, verifies all checksums, and returns an index, which takes 8 bytes per record.
 * @throws {ArgumentError} `invalid-argument` if an option is invalid.
 * @throws {UnsupportedError} `unsupported` (`compressed-index`) if the file is gzip or zlib, which allow no random access.
 * @throws {RecordError} if a record is damaged, or longer than `maxRecordBytes`.
 * @throws {SourceError} if the source cannot be read.
 * @throws {UserFunctionError} `user-function` if `onProgress` throws.
 */
export async function indexTfRecords(
  source: ByteSource,
  options: IndexTfRecordsOptions = {},
): Promise<TfRecordIndex> {
  assertOptions("indexTfRecords", options, {
    maxRecordBytes: aPositiveInteger,
    signal: anAbortSignal,
    onProgress: aFunction,
  });
  const { maxRecordBytes, signal, onProgress } = options;
  const head = await source.slice(0, HEADER_BYTES, { signal });
  if (isCompressed(head)) {
    throw new UnsupportedError(`${source.uri} is compressed, but only plain files can be indexed.`, {
      feature: "indexes of compressed files",
      reason: "compressed-index",
    });
  }
  let offsets = new Float64Array(1024);
  let [numRecords, byteLength] = [0, 0];
  for await (const block of tfRecordBlocks(source, { compression: "none", maxRecordBytes, signal })) {
    const { starts, byteOffset, headerBytes = 0, endOffset = byteLength } = block;
    if (numRecords + block.numRecords >= offsets.length) {
      const grown = new Float64Array(2 * (offsets.length + block.numRecords));
      grown.set(offsets);
      offsets = grown;
    }
    for (let record = 0; record < block.numRecords; record++) {
      offsets[numRecords++] = byteOffset + starts[record]! - (headerBytes as number);
    }
    byteLength = endOffset;
    report(onProgress, { numRecords, numBytes: byteLength });
  }
  offsets[numRecords] = byteLength;
  const { version } = source;
  return {
    numRecords,
    offsets: offsets.slice(0, numRecords + 1),
    byteLength,
    ...(version !== undefined && { version }),
  };
}

function report<Progress>(onProgress: ((progress: Progress) => void) | undefined, progress: Progress): void {
  try {
    onProgress?.(progress);
  } catch (cause) {
    throw new UserFunctionError(`onProgress failed: ${String(cause)}`, { operator: "onProgress", cause });
  }
}

/**
 * Returns true if a file that begins with `head` is gzip or zlib. A record header with a matching checksum takes precedence,
 * since a record's length may look like the magic bytes of gzip or zlib.
 */
function isCompressed(head: Uint8Array): boolean {
  const [first = 0, second = 0] = head;
  if (payloadLengthAt(head, 0) !== undefined) return false;
  return (first === 0x1f && second === 0x8b) || ((first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0);
}

/** Returns the byte range of a record's frame. `end` is exclusive. */
export function frameOf(
  { offsets }: TfRecordIndex,
  record: number,
): { readonly start: number; readonly end: number } {
  return { start: offsets[record]!, end: offsets[record + 1]! };
}

/** Checks that every record is at least as long as an empty frame. @throws {RecordError} `corrupt-record` (`record-index`). */
export function assertFrames(offsets: Float64Array, uri: string): void {
  for (let record = 0; record + 1 < offsets.length; record++) {
    if (offsets[record + 1]! - offsets[record]! >= FRAME_BYTES) continue;
    throw corruptIndex(
      uri,
      `record ${record} has ${offsets[record + 1]! - offsets[record]!} bytes, but a frame has at least ${FRAME_BYTES}`,
    );
  }
}

/** Returns the error for bytes that are not a valid index. @param problem The part of the message after the colon. */
export function corruptIndex(uri: string, problem: string): RecordError {
  return new RecordError("corrupt-record", `${uri} is not a usable index of TFRecords: ${problem}.`, {
    uri,
    reason: "record-index",
  });
}
