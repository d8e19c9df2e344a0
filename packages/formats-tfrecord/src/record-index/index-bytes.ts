import { aUint8Array, assertArgument, aName } from "@tfxio/wire/checks";
import { kernels, maskCrc32c } from "@tfxio/wire/kernels";
import { FRAME_BYTES } from "./record-header.js";
import { assertFrames, corruptIndex, type TfRecordIndex } from "./record-index.js";

// Layout, all little-endian:
// - "TFRINDEX", and the version of this layout (uint32);
// - length of the file in bytes and number of records (float64 each);
// - length of the file's version (uint32), and that version in UTF-8;
// - length of each payload (varint);
// - masked CRC-32C of all bytes before it (uint32).
const MAGIC = "TFRINDEX";
const LAYOUT = 1;
const HEAD_BYTES = 32;
const CRC_BYTES = 4;
/** Maximum bytes of a varint, enough for lengths below 2^35. */
const MAX_VARINT_BYTES = 5;

/** Encodes an index for {@link decodeTfRecordIndex}. Records of 100 bytes to 2 MB take two or three bytes each. */
export function encodeTfRecordIndex({
  numRecords,
  offsets,
  byteLength,
  version = "",
}: TfRecordIndex): Uint8Array {
  const name = new TextEncoder().encode(version);
  const bytes = new Uint8Array(HEAD_BYTES + name.length + MAX_VARINT_BYTES * numRecords + CRC_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  view.setUint32(8, LAYOUT, true);
  view.setFloat64(12, byteLength, true);
  view.setFloat64(20, numRecords, true);
  view.setUint32(28, name.length, true);
  bytes.set(name, HEAD_BYTES);
  let at = HEAD_BYTES + name.length;
  for (let record = 0; record < numRecords; record++) {
    let length = offsets[record + 1]! - offsets[record]! - FRAME_BYTES;
    for (; length >= 0x80; length = Math.floor(length / 0x80)) bytes[at++] = (length % 0x80) | 0x80;
    bytes[at++] = length;
  }
  view.setUint32(at, maskCrc32c(kernels().crc32c(bytes, 0, at)), true);
  return bytes.subarray(0, at + CRC_BYTES);
}

/**
 * Decodes an index from its bytes, or from the text of DALI's `tfrecord2idx` and Python's `tfrecord`: a line `offset length` for
 * each record. The text form holds no version of the file.
 * @param uri Name of the bytes in errors. Default `"index"`.
 * @throws {RecordError} `corrupt-record` (`record-index`).
 * @throws {ArgumentError} `invalid-argument`.
 */
export function decodeTfRecordIndex(bytes: Uint8Array, uri = "index"): TfRecordIndex {
  assertArgument("bytes", bytes, aUint8Array, "decodeTfRecordIndex");
  assertArgument("uri", uri, aName, "decodeTfRecordIndex");
  const isBinary = new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) === MAGIC;
  return isBinary ? binaryIndex(bytes, uri) : textIndex(bytes, uri);
}

function binaryIndex(bytes: Uint8Array, uri: string): TfRecordIndex {
  const end = bytes.length - CRC_BYTES;
  if (end < HEAD_BYTES) throw corruptIndex(uri, `it ends after ${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(end, true) !== maskCrc32c(kernels().crc32c(bytes, 0, end))) {
    throw corruptIndex(uri, "its checksum does not match");
  }
  const layout = view.getUint32(8, true);
  if (layout !== LAYOUT) throw corruptIndex(uri, `its layout has version ${layout}, expected ${LAYOUT}`);
  const [byteLength, numRecords] = [view.getFloat64(12, true), view.getFloat64(20, true)];
  const first = HEAD_BYTES + view.getUint32(28, true);
  // Each record takes at least one byte.
  if (!Number.isSafeInteger(numRecords) || numRecords < 0 || first + numRecords > end) {
    throw corruptIndex(uri, `it is too short for ${numRecords} records`);
  }
  const offsets = new Float64Array(numRecords + 1);
  let at = first;
  for (let record = 0; record < numRecords; record++) {
    let [length, scale] = [0, 1];
    for (; bytes[at]! >= 0x80; scale *= 0x80) length += (bytes[at++]! & 0x7f) * scale;
    offsets[record + 1] = offsets[record]! + FRAME_BYTES + length + bytes[at++]! * scale;
  }
  if (at !== end || offsets[numRecords] !== byteLength) {
    throw corruptIndex(uri, `its ${numRecords} records do not make up the ${byteLength} bytes of the file`);
  }
  const version = new TextDecoder().decode(bytes.subarray(HEAD_BYTES, first));
  return { numRecords, offsets, byteLength, ...(version !== "" && { version }) };
}

function textIndex(bytes: Uint8Array, uri: string): TfRecordIndex {
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
  const offsets = new Float64Array(lines.length + 1);
  for (const [record, line] of lines.entries()) {
    const [, offset, length] = /^(\d{1,15}) (\d{1,15})\r?$/.exec(line) ?? [];
    if (offset === undefined || Number(offset) !== offsets[record]) {
      const expected = `"${offsets[record]} " and the length of a record`;
      throw corruptIndex(
        uri,
        `line ${record + 1} is ${JSON.stringify(line.slice(0, 40))}, expected ${expected}`,
      );
    }
    offsets[record + 1] = Number(offset) + Number(length);
  }
  assertFrames(offsets, uri);
  return { numRecords: lines.length, offsets, byteLength: offsets[lines.length]! };
}
