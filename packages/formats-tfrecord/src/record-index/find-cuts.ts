import type { CutContext, RecordCut } from "@tfxio/format";
import { type ByteRange, type ByteSource, slicesOf } from "@tfxio/wire";
import type { TfRecordOptions } from "../options.js";
import { readIndexBeside } from "./index-beside.js";
import { findHeader, FRAME_BYTES, HEADER_BYTES, payloadLengthAt } from "./record-header.js";
import type { TfRecordIndex } from "./record-index.js";

/** Minimum distance in bytes between the positions that are searched, and the size of the first read at each of them. */
const MIN_PART_BYTES: number = 16 * 2 ** 10;
/** Maximum number of positions whose bytes are requested together. */
const SEARCHES_AT_ONCE = 16;
/**
 * Number of consecutive headers that prove a boundary. Fewer suffice if the record of the last header ends exactly at the end of
 * the file. In random bytes, three matching checksums occur at one position in 2^96.
 */
const MIN_CHAIN = 3;

/**
 * Finds the first record at or after each multiple of `partBytes`, or of 16 KiB if that is more. Looks these records up in the
 * index, or searches for header checksums. Returns an empty list for streams, for compressed files, for files of at most one
 * part, and for files that do not begin with a valid header.
 * @throws {SourceError} if the source cannot be read. With an index, also the errors of {@link readIndexBeside}.
 */
export async function findCuts(
  source: ByteSource,
  { options, partBytes, limits, signal }: CutContext<TfRecordOptions>,
): Promise<readonly RecordCut[]> {
  const { byteLength } = source;
  if (byteLength === undefined || options.compression === "gzip" || options.compression === "zlib") return [];
  const stride = Math.max(partBytes, MIN_PART_BYTES);
  if (byteLength <= stride) return [];
  if (payloadLengthAt(await source.slice(0, HEADER_BYTES, { signal }), 0) === undefined) return [];
  if (options.index === "beside") return cutsOf(await readIndexBeside(source, { limits, signal }), stride);
  return searchCuts({ source, byteLength, signal }, stride);
}

/** Returns the first record at or after each multiple of `stride`, from the index. Each record occurs at most once. */
function cutsOf({ offsets, numRecords, byteLength }: TfRecordIndex, stride: number): RecordCut[] {
  const cuts: RecordCut[] = [];
  for (let target = stride, record = 0; target < byteLength; target += stride) {
    while (record < numRecords && offsets[record]! < target) record++;
    if (record === numRecords) break;
    if (offsets[record] !== cuts.at(-1)?.byteOffset) {
      cuts.push({ byteOffset: offsets[record]!, recordIndex: record });
    }
  }
  return cuts;
}

/** A source in which record boundaries are searched for. */
interface Searched {
  readonly source: ByteSource;
  readonly byteLength: number;
  readonly signal: AbortSignal | undefined;
}

/** Searches for the first record at or after each multiple of `stride`. */
async function searchCuts(searched: Searched, stride: number): Promise<RecordCut[]> {
  const { source, byteLength, signal } = searched;
  const cuts: RecordCut[] = [];
  let last = 0;
  for (let first = stride; first < byteLength; first += SEARCHES_AT_ONCE * stride) {
    const targets: ByteRange[] = [];
    for (
      let start = first;
      start < Math.min(byteLength, first + SEARCHES_AT_ONCE * stride);
      start += stride
    ) {
      if (start > last) targets.push({ start, end: Math.min(byteLength, start + MIN_PART_BYTES) });
    }
    const pieces = await slicesOf(source, targets, { signal });
    for (const [index, { start }] of targets.entries()) {
      if (start <= last) continue;
      const found = await findRecord(searched, start, pieces[index] as Uint8Array);
      // No record begins at or after this position, so the search ends.
      if (found === undefined) return cuts;
      last = found;
      cuts.push({ byteOffset: found });
    }
  }
  return cuts;
}

/**
 * Returns the offset of the first record that begins at or after byte `from`, or undefined if no record does.
 * @param piece Bytes of the source that begin at `from` and have already been read.
 */
async function findRecord(searched: Searched, from: number, piece: Uint8Array): Promise<number | undefined> {
  const { source, byteLength, signal } = searched;
  let [bytes, start] = [piece, from];
  while (start < byteLength) {
    for (let at = findHeader(bytes, 0, bytes.length); at >= 0; at = findHeader(bytes, at + 1, bytes.length)) {
      if (await isChain(searched, start + at)) return start + at;
    }
    // The next piece overlaps this one, because a header may span two pieces.
    start += Math.max(1, bytes.length - HEADER_BYTES + 1);
    if (byteLength - start < FRAME_BYTES) return undefined;
    bytes = await source.slice(start, Math.min(byteLength, start + 16 * MIN_PART_BYTES), { signal });
  }
  return undefined;
}

/**
 * Returns true if {@link MIN_CHAIN} consecutive records begin at `offset`. Fewer records suffice if the last one ends exactly at
 * the end of the file.
 */
async function isChain({ source, byteLength, signal }: Searched, offset: number): Promise<boolean> {
  let at = offset;
  for (let numHeaders = 0; numHeaders < MIN_CHAIN && at !== byteLength; numHeaders++) {
    const length = payloadLengthAt(await source.slice(at, at + HEADER_BYTES, { signal }), 0);
    if (length === undefined || at + FRAME_BYTES + length > byteLength) return false;
    at += FRAME_BYTES + length;
  }
  return true;
}
