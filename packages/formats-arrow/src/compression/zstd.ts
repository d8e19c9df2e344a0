import type { Codec } from "./codecs.js";
import Zstd from "numcodecs/zstd";

// The frame format of Zstandard: RFC 8878.

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
const MAX_BLOCK_BYTES = 2 ** 17;
const RLE_BLOCK = 1;
/** Before decompression, frames of unannounced size are rejected as too large only if they can hold more bytes than this. */
const MIN_UNANNOUNCED_BYTES = 2 ** 24;
/** Compression level: the default of `numcodecs` and pyarrow. */
const LEVEL = 1;

const codec = new Zstd(LEVEL);

/**
 * Decompresses frames that together hold `numBytes` bytes. To bound what the library allocates, first rejects frames that could
 * hold more than the larger of 16 MiB and 16 times `numBytes`.
 * @throws {RangeError} with the problem as its message.
 */
export async function decompressZstd(bytes: Uint8Array, numBytes: number): Promise<Uint8Array> {
  const { announced, most } = contentBounds(bytes);
  if (announced > numBytes || most < numBytes) {
    const found = announced === most ? announced : `${announced} to ${most}`;
    throw new RangeError(`it holds ${found} bytes, expected ${numBytes}`);
  }
  // Without an announced size, `most` assumes that every block except RLE blocks is full. It may be far too high, because a
  // writer that flushes early makes short blocks.
  if (most > Math.max(16 * numBytes, MIN_UNANNOUNCED_BYTES)) {
    throw new RangeError(`it may hold ${most} bytes, expected ${numBytes}`);
  }
  const decoded = await codec.decode(bytes);
  if (decoded.length !== numBytes)
    throw new RangeError(`it holds ${decoded.length} bytes, expected ${numBytes}`);
  return decoded;
}

/** Compresses bytes as one frame. */
export async function compressZstd(bytes: Uint8Array): Promise<Uint8Array> {
  return codec.encode(bytes);
}

export const zstd: Codec = { decode: decompressZstd, encode: compressZstd };

/** Returns bounds on the uncompressed size in bytes, from frame and block headers. A block holds at most 128 KiB. */
function contentBounds(bytes: Uint8Array): { readonly announced: number; readonly most: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const need = (at: number, numBytes: number): number => {
    if (at + numBytes <= bytes.length) return at;
    throw new RangeError(`it ends within a frame, after ${bytes.length} bytes`);
  };
  let [at, announced, most] = [0, 0, 0];
  while (at < bytes.length) {
    const magic = view.getUint32(need(at, 4), true);
    if (magic >>> 4 === SKIPPABLE >>> 4) {
      at = need(at, 8) + 8 + view.getUint32(at + 4, true);
      need(at, 0);
      continue;
    }
    if (magic !== MAGIC) throw new RangeError(`no ZSTD frame begins at byte ${at}`);
    const descriptor = bytes[need(at + 4, 1)] as number;
    const { headerBytes, contentBytes } = readHeader(view, at + 5, descriptor, need);
    at += 5 + headerBytes;
    let inBlocks = 0;
    for (let isLast = false; !isLast; ) {
      need(at, 3);
      const header = view.getUint16(at, true) | ((bytes[at + 2] as number) << 16);
      isLast = (header & 1) === 1;
      const [kind, size] = [(header >> 1) & 3, header >> 3];
      inBlocks += kind === RLE_BLOCK ? size : MAX_BLOCK_BYTES;
      at = need(at + 3, kind === RLE_BLOCK ? 1 : size) + (kind === RLE_BLOCK ? 1 : size);
    }
    if (descriptor & 4) at = need(at, 4) + 4;
    if (contentBytes !== undefined && contentBytes > inBlocks)
      throw new RangeError("the header of its frame is damaged");
    announced += contentBytes ?? 0;
    most += contentBytes ?? inBlocks;
  }
  return { announced, most };
}

/** Returns the length of the part of a frame header that follows the descriptor, and the announced content size, if any. */
function readHeader(
  view: DataView,
  start: number,
  descriptor: number,
  need: (at: number, numBytes: number) => number,
): { readonly headerBytes: number; readonly contentBytes: number | undefined } {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const windowBytes = isSingleSegment ? 0 : 1;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] as number;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? Number(isSingleSegment) : 1 << sizeFlag;
  const at = need(start + windowBytes + dictionaryBytes, sizeBytes);
  const headerBytes = windowBytes + dictionaryBytes + sizeBytes;
  const contentBytes =
    sizeBytes === 0
      ? undefined
      : sizeBytes === 1
        ? view.getUint8(at)
        : sizeBytes === 2
          ? view.getUint16(at, true) + 256
          : sizeBytes === 4
            ? view.getUint32(at, true)
            : Number(view.getBigUint64(at, true));
  return { headerBytes, contentBytes };
}
