import { Decompress } from "fzstd";

// Numbers of the Zstandard frame format, from RFC 8878, section 3.1.1.

const MAGIC = 0xfd2fb528;
const BLOCK_HEADER_BYTES = 3;
const RLE_BLOCK = 1;
/**
 * Windows of up to this many bytes are always accepted. The windows of `zstd --ultra` take up to 128 MiB.
 * @see RFC 8878, section 3.1.1.1.2
 */
const MAX_WINDOW_BYTES: number = 2 ** 27;

/**
 * Decompresses one frame.
 * @param tooLarge Creates the error that is thrown if the content has more than `maxBytes` bytes, or the window is too large.
 * @throws {RangeError} if `bytes` is not exactly one frame. This is checked before a window is allocated.
 */
export function decompressZstandard(bytes: Uint8Array, maxBytes: number, tooLarge: () => Error): Uint8Array {
  const { windowBytes, end } = frameBounds(bytes);
  if (windowBytes > Math.max(maxBytes, MAX_WINDOW_BYTES)) throw tooLarge();
  if (end !== bytes.length)
    throw new RangeError(`the frame has ${end} bytes, but the block has ${bytes.length}`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const decompress = new Decompress((chunk) => {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  });
  decompress.push(bytes, true);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Returns the window size in bytes that a frame needs, and the index of the frame's end (exclusive), both from its headers. */
function frameBounds(bytes: Uint8Array): { readonly windowBytes: number; readonly end: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // If a header is cut off, the DataView throws a RangeError. If content is cut off, `end` lies beyond the bytes.
  if (view.getUint32(0, true) !== MAGIC)
    throw new RangeError("the block does not begin with a Zstandard frame");
  const descriptor = view.getUint8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? Number(isSingleSegment) : 1 << sizeFlag;
  const sizeAt = 5 + Number(!isSingleSegment) + ([0, 1, 2, 4][descriptor & 3] as number);
  const windowBytes = isSingleSegment ? contentBytes(view, sizeAt, sizeBytes) : windowOf(view.getUint8(5));
  let at = sizeAt + sizeBytes;
  for (let isLast = false; !isLast; ) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    isLast = (header & 1) === 1;
    at += BLOCK_HEADER_BYTES + (((header >> 1) & 3) === RLE_BLOCK ? 1 : header >> 3);
  }
  // Bit 2 of the descriptor says that a checksum of 4 bytes follows the last block.
  return { windowBytes, end: at + (descriptor & 4) };
}

/** Reads the Frame_Content_Size field of `sizeBytes` bytes. A field of 2 bytes stores the size minus 256. */
function contentBytes(view: DataView, at: number, sizeBytes: number): number {
  if (sizeBytes === 1) return view.getUint8(at);
  if (sizeBytes === 2) return view.getUint16(at, true) + 256;
  return sizeBytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

/** Returns the window size in bytes for a Window_Descriptor: 5 bits of exponent, then 3 bits of mantissa. */
function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}
