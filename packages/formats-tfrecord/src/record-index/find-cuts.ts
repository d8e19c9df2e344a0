import type { CutContext, RecordCut } from "@tfxio/format";
import { type ByteRange, type ByteSource, slicesOf } from "@tfxio/wire";
import type { TfRecordOptions } from "../options.js";
import { readIndexBeside } from "./index-beside.js";
import { findHeader, FRAME_BYTES, HEADER_BYTES, payloadLengthAt } from "./record-header.js";
import type { TfRecordIndex } from "./record-index.js";

/** Minimum length of a part in bytes; also the number of bytes read at a time in the search for a record. */
const MIN_PART_BYTES: number = 16 * 2 ** 10;
/** Number of positions that are searched at once. */
const SEARCHES_AT_ONCE = 16;
/**
 * Number of consecutive headers that prove a boundary, unless the file ends first. Other data has them by chance at one position
 * in 2^96.
 */
const MIN_CHAIN = 3;

/**
 * Record boundaries near multiples of `partBytes`, from the index or by a search for header checksums. Empty for compressed or
 * short files.
 * @throws {SourceError} and other errors of the source; with an index as {@link readIndexBeside}.
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

/** The first record of the index at or after each multiple of `stride`. */
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

/** A source to be searched. */
interface Searched {
  readonly source: ByteSource;
  readonly byteLength: number;
  readonly signal: AbortSignal | undefined;
}

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
      // The last record covers all remaining positions.
      if (found === undefined) return cuts;
      last = found;
      cuts.push({ byteOffset: found });
    }
  }
  return cuts;
}

/** Offset of the first record that begins at `from` or later; undefined if none does. @param piece The bytes from `from` on. */
async function findRecord(searched: Searched, from: number, piece: Uint8Array): Promise<number | undefined> {
  const { source, byteLength, signal } = searched;
  let [bytes, start] = [piece, from];
  while (start < byteLength) {
    for (let at = findHeader(bytes, 0, bytes.length); at >= 0; at = findHeader(bytes, at + 1, bytes.length)) {
      if (await isChain(searched, start + at)) return start + at;
    }
    // A header may span two pieces.
    start += Math.max(1, bytes.length - HEADER_BYTES + 1);
    if (byteLength - start < FRAME_BYTES) return undefined;
    bytes = await source.slice(start, Math.min(byteLength, start + 16 * MIN_PART_BYTES), { signal });
  }
  return undefined;
}

/** True if consecutive headers begin at `offset`: {@link MIN_CHAIN} of them, or fewer that reach the exact end of the file. */
async function isChain({ source, byteLength, signal }: Searched, offset: number): Promise<boolean> {
  let at = offset;
  for (let numHeaders = 0; numHeaders < MIN_CHAIN && at !== byteLength; numHeaders++) {
    const length = payloadLengthAt(await source.slice(at, at + HEADER_BYTES, { signal }), 0);
    if (length === undefined || at + FRAME_BYTES + length > byteLength) return false;
    at += FRAME_BYTES + length;
  }
  return true;
}
