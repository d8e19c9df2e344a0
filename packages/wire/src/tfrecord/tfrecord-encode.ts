import {
  type Compression,
  compressed,
  aDeflateLevel,
  aStoredCompression,
} from "../compression/compression.js";
import { assertOptions, type OptionRules } from "../checks/index.js";
import { concatBytes } from "../concat-bytes.js";
import { FOOTER_BYTES, HEADER_BYTES, writeFrame } from "./tfrecord-frame.js";
import { assertRecord, assertRecords, FramePacker } from "./frame-packer.js";

/** Payloads of the records to write. */
export type RecordInput = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Options of {@link encodeTfRecords}. */
export interface TfRecordEncodeOptions {
  /** Compression of the file. Default `"none"`. */
  readonly compression?: Compression | undefined;
  /** 0 (store) to 9 (smallest). Default 6, as in zlib. Node only, since browsers do not support a level. */
  readonly level?: number | undefined;
}

/** Rules for the options of {@link encodeTfRecords}. */
export const TFRECORD_ENCODE_RULES: OptionRules<TfRecordEncodeOptions> = {
  compression: aStoredCompression,
  level: aDeflateLevel,
};

/**
 * Returns one framed record: the length, its checksum, a copy of `payload`, and the payload's checksum.
 * @throws {ArgumentError} `invalid-argument` (`record-type`) if `payload` is not a Uint8Array.
 */
export function encodeTfRecord(payload: Uint8Array): Uint8Array {
  assertRecord(payload, "payload");
  const record = new Uint8Array(HEADER_BYTES + payload.length + FOOTER_BYTES);
  writeFrame(record, 0, payload);
  return record;
}

/**
 * Frames records and concatenates the frames. The result is the content of an uncompressed TFRecord file.
 * @throws {ArgumentError} `invalid-argument` (`record-type`) if a record is not a Uint8Array.
 */
export function frameTfRecords(records: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const [index, record] of records.entries()) {
    assertRecord(record, "records", `[${index}]`);
    length += HEADER_BYTES + record.length + FOOTER_BYTES;
  }
  const frames = new Uint8Array(length);
  let at = 0;
  for (const record of records) at = writeFrame(frames, at, record);
  return frames;
}

/**
 * Encodes a whole TFRecord file in memory. Works in browsers too.
 * @throws {ArgumentError} `invalid-argument` (`record-type`) if `records` is not iterable or a record is not a Uint8Array.
 * @throws {UnsupportedError} `unsupported` (`compression-level`) if a level for gzip or zlib is given in a browser.
 */
export async function encodeTfRecords(
  records: RecordInput,
  options: TfRecordEncodeOptions = {},
): Promise<Uint8Array> {
  assertRecords(records);
  assertOptions("encodeTfRecords", options, TFRECORD_ENCODE_RULES);
  const { compression = "none", level } = options;
  const parts: Uint8Array[] = [];
  for await (const part of compressed(framed(records), compression, { level })) parts.push(part);
  return concatBytes(parts);
}

async function* framed(records: RecordInput): AsyncGenerator<Uint8Array, void> {
  const packer = new FramePacker();
  let index = 0;
  for await (const record of records) {
    packer.add(record, index++);
    if (packer.isFull) yield packer.take();
  }
  if (packer.byteLength > 0) yield packer.take();
}
