/** Sixteen tables of 256 entries. Entry `t * 256 + b` is the CRC of byte `b` followed by `t` zero bytes. */
const tables: Int32Array = makeTables();

function makeTables(): Int32Array {
  const result = new Int32Array(16 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    // The Castagnoli polynomial, bit-reversed.
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
    result[byte] = crc;
  }
  for (let index = 256; index < result.length; index++) {
    const crc = result[index - 256]!;
    result[index] = result[crc & 255]! ^ (crc >>> 8);
  }
  return result;
}

/**
 * Returns the CRC-32C (Castagnoli, RFC 3720 appendix B.4) of the bytes `start` to `end` (exclusive) of `view`, unmasked and
 * unsigned. Processes sixteen bytes per step with the slicing algorithm of Kounavis and Berry, 2005.
 */
export function crc32cOfView(view: DataView, start: number, end: number): number {
  const table = tables;
  let crc = -1;
  let p = start;
  for (const last = end - 15; p < last; p += 16) {
    const a = view.getInt32(p, true) ^ crc;
    const b = view.getInt32(p + 4, true);
    const c = view.getInt32(p + 8, true);
    const d = view.getInt32(p + 12, true);
    crc =
      table[0xf00 | (a & 255)]! ^
      table[0xe00 | ((a >>> 8) & 255)]! ^
      table[0xd00 | ((a >>> 16) & 255)]! ^
      table[0xc00 | (a >>> 24)]! ^
      table[0xb00 | (b & 255)]! ^
      table[0xa00 | ((b >>> 8) & 255)]! ^
      table[0x900 | ((b >>> 16) & 255)]! ^
      table[0x800 | (b >>> 24)]! ^
      table[0x700 | (c & 255)]! ^
      table[0x600 | ((c >>> 8) & 255)]! ^
      table[0x500 | ((c >>> 16) & 255)]! ^
      table[0x400 | (c >>> 24)]! ^
      table[0x300 | (d & 255)]! ^
      table[0x200 | ((d >>> 8) & 255)]! ^
      table[0x100 | ((d >>> 16) & 255)]! ^
      table[d >>> 24]!;
  }
  for (const last = end - 3; p < last; p += 4) {
    const a = view.getInt32(p, true) ^ crc;
    crc =
      table[0x300 | (a & 255)]! ^
      table[0x200 | ((a >>> 8) & 255)]! ^
      table[0x100 | ((a >>> 16) & 255)]! ^
      table[a >>> 24]!;
  }
  for (; p < end; p++) crc = table[(crc ^ view.getUint8(p)) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Returns the CRC-32C of `bytes[start..end)`, unmasked and unsigned. @see {@link crc32cOfView} */
export function crc32c(bytes: Uint8Array, start = 0, end: number = bytes.length): number {
  return crc32cOfView(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), start, end);
}

/**
 * Masks a CRC-32C as TFRecord files store it: rotated right by 15 bits, plus a constant.
 * @see tensorflow/tsl `crc32c::Mask`
 */
export function maskCrc32c(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
