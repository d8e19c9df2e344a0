import { aUint8Array, assertArgument, aName } from "@tfxio/wire/checks";
import { kernels, maskCrc32c } from "@tfxio/wire/kernels";
import { FRAME_BYTES } from "./record-header.js";
import { assertFrames, corruptIndex, type TfRecordIndex } from "./record-index.js";

// Layout of an encoded index. All numbers are little-endian.
// - "TFRINDEX", then the version of this layout (uint32);
// - length of the file in bytes, then the number of records (float64 each);
// - {@link TfRecordIndex.version} in UTF-8, after its length in bytes (uint32);
// - length of each record's payload in bytes (varint);
// - masked CRC-32C of all preceding bytes (uint32).
const MAGIC = "TFRINDEX";
const LAYOUT = 1;
/** Size in bytes of the fields before the file's version. */
const HEAD_BYTES = 32;
const CRC_BYTES = 4;
/** Maximum bytes of a varint, enough for lengths below 2^35. */
const MAX_VARINT_BYTES = 5;

/**
 * Encodes an index for {@link decodeTfRecordIndex}. An entry takes two or three bytes for a payload from 128 bytes to
 * just below 2 MiB.
 */
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
 * Decodes an index in the format of {@link encodeTfRecordIndex}, or in the text format of DALI's `tfrecord2idx` and the Python
 * package `tfrecord`. The text format has a line `offset length` for each record, and does not store the file's version.
 * @param uri Name of the index in error messages. Default `"index"`.
 * @throws {RecordError} `corrupt-record` (`record-index`) if the bytes are not a valid index.
 * @throws {ArgumentError} `invalid-argument` if an argument has the wrong type.
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
  // Each entry takes at least one byte. This is checked before `offsets` is allocated, because the index may claim any number of
  // records.
  if (!Number.isSafeInteger(numRecords) || numRecords < 0 || first + numRecords > end) {
    throw corruptIndex(uri, `its ${bytes.length} bytes cannot hold ${numRecords} records`);
  }
  const offsets = new Float64Array(numRecords + 1);
  let at = first;
  for (let record = 0; record < numRecords; record++) {
    let [length, scale] = [0, 1];
    for (; bytes[at]! >= 0x80; scale *= 0x80) length += (bytes[at++]! & 0x7f) * scale;
    offsets[record + 1] = offsets[record]! + FRAME_BYTES + length + bytes[at++]! * scale;
  }
  if (at !== end || offsets[numRecords] !== byteLength) {
    throw corruptIndex(
      uri,
      `its ${numRecords} entries do not fill the index exactly, or do not add up to the ${byteLength} bytes of the indexed file`,
    );
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
      const expected = `"${offsets[record]} " followed by the length of the record`;
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
