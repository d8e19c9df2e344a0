import { type ByteSource, decodeTfRecord, Random, slicesOf } from "@tfxio/wire";
import {
  aListOf,
  anAbortSignal,
  anInteger,
  assertArgument,
  assertOptions,
  unusableArgument,
} from "@tfxio/wire/checks";
import { FRAME_BYTES, HEADER_BYTES, payloadLengthAt } from "./record-header.js";
import { changed } from "./check-index.js";
import { frameOf, type TfRecordIndex } from "./record-index.js";

/** Options of {@link readTfRecordsAt}. */
export interface ReadTfRecordsAtOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads records by number, in the given order, and verifies their checksums. Reads one byte range per record. A `coalescing`
 * source joins ranges that lie close together. All requested records are in memory at once.
 * @param index Index of this source, from {@link indexTfRecords} or {@link decodeTfRecordIndex}.
 * @param recordNumbers Numbers of the records, counted from 0. May repeat and need not ascend.
 * @returns Payloads, as views of the bytes that the source returned.
 * @throws {ArgumentError} `invalid-argument` if an argument is invalid. Reason `row-number` if a number is not in the index.
 * @throws {SourceError} `io-failed` (`source-changed`) if the file does not match the index. Errors of the source are passed on.
 * @throws {RecordError} if a record is damaged.
 */
export async function readTfRecordsAt(
  source: ByteSource,
  index: TfRecordIndex,
  recordNumbers: readonly number[],
  options: ReadTfRecordsAtOptions = {},
): Promise<readonly Uint8Array[]> {
  assertArgument("recordNumbers", recordNumbers, aListOf("a list of record numbers", anInteger(0)));
  assertOptions("readTfRecordsAt", options, { signal: anAbortSignal });
  const { numRecords, byteLength } = index;
  const beyond = recordNumbers.find((number) => number >= numRecords);
  if (beyond !== undefined) {
    throw unusableArgument("recordNumbers", `include ${beyond}, but the number of records is ${numRecords}`, {
      owner: "readTfRecordsAt",
      reason: "row-number",
    });
  }
  if (source.byteLength !== undefined && source.byteLength !== byteLength) {
    throw changed(source, `it has ${source.byteLength} bytes, but the indexed file had ${byteLength}`);
  }
  const ranges = recordNumbers.map((number) => frameOf(index, number));
  const frames = await slicesOf(source, ranges, options);
  return frames.map((frame, place) => {
    const [recordIndex, { start, end }] = [recordNumbers[place]!, ranges[place]!];
    const length = frame.length < HEADER_BYTES ? undefined : payloadLengthAt(frame, 0);
    if (length !== undefined && length !== end - start - FRAME_BYTES) {
      throw changed(
        source,
        `record ${recordIndex} at byte ${start} has ${length} bytes, but ${end - start - FRAME_BYTES} in the index`,
      );
    }
    return decodeTfRecord(frame, { uri: source.uri, recordIndex, byteOffset: start });
  });
}

/** Options of {@link sampleTfRecords}. */
export interface SampleTfRecordsOptions extends ReadTfRecordsAtOptions {
  /** Number of records to draw. If the file has fewer, all of them are returned. */
  readonly numRecords: number;
  /** Integer of at least 0. The same seed and `numRecords` draw the same records from the same file. */
  readonly seed: number;
}

/** Records drawn by {@link sampleTfRecords}. */
export interface TfRecordSample {
  /** Numbers of the records in the file, ascending. */
  readonly recordNumbers: readonly number[];
  /** Payloads of these records, in the same order. */
  readonly records: readonly Uint8Array[];
}

/**
 * Draws records at random and reads only those. Every record is equally likely, and none is drawn twice. Throws the same errors
 * as {@link readTfRecordsAt}.
 */
export async function sampleTfRecords(
  source: ByteSource,
  index: TfRecordIndex,
  options: SampleTfRecordsOptions,
): Promise<TfRecordSample> {
  assertOptions("sampleTfRecords", options, {
    numRecords: { ...anInteger(0), isRequired: true },
    seed: { ...anInteger(0), isRequired: true },
    signal: anAbortSignal,
  });
  const { numRecords, seed, signal } = options;
  const recordNumbers = drawn(index.numRecords, Math.min(numRecords, index.numRecords), seed);
  return { recordNumbers, records: await readTfRecordsAt(source, index, recordNumbers, { signal }) };
}

/** Draws `count` different numbers below `bound`, ascending. @see Floyd, in Bentley, "Programming Pearls", CACM 30:9 */
function drawn(bound: number, count: number, seed: number): readonly number[] {
  const random = Random.of(seed, 0);
  const chosen = new Set<number>();
  for (let last = bound - count; last < bound; last++) {
    const number = random.below(last + 1);
    chosen.add(chosen.has(number) ? last : number);
  }
  return [...chosen].sort((left, right) => left - right);
}
