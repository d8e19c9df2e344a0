import type { Codec } from "./codecs.js";
import { compressBlock, decompressBlock } from "./lz4-block.js";
import { xxHash32 } from "./xx-hash-32.js";

// The frame format of LZ4: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md

const MAGIC = 0x184d2204;
const VERSION = 0x40;
const VERSION_MASK = 0xc0;
const BLOCK_CHECKSUM = 0x10;
const CONTENT_SIZE = 0x08;
const CONTENT_CHECKSUM = 0x04;
const RESERVED = 0x02;
const DICTIONARY = 0x01;
const INDEPENDENT = 0x20;
/** Top bit of a block's size. It is set if the bytes of the block are stored uncompressed. */
const STORED = 0x80000000;
const MAX_BLOCK_BYTES: Readonly<Record<number, number>> = { 4: 2 ** 16, 5: 2 ** 18, 6: 2 ** 20, 7: 2 ** 22 };
/** Maximum compression ratio: a length byte stands for at most 255 bytes. */
const MAX_RATIO = 255;
/** Block size code for writing: 4 MiB. */
const WRITTEN_BLOCK = 7;

/**
 * Decompresses frames that together hold `numBytes` bytes. Verifies checksums if there are any.
 * @throws {RangeError} with the problem as its message.
 */
export function decompressLz4(bytes: Uint8Array, numBytes: number): Uint8Array {
  if (numBytes > MAX_RATIO * bytes.length) {
    throw new RangeError(`${bytes.length} bytes cannot decompress to ${numBytes}`);
  }
  const target = new Uint8Array(numBytes);
  let [at, to] = [0, 0];
  do ({ at, to } = readFrame(bytes, at, target, to));
  while (at < bytes.length);
  if (to !== numBytes) throw new RangeError(`it holds ${to} bytes, expected ${numBytes}`);
  return target;
}

interface Progress {
  readonly at: number;
  readonly to: number;
}

function readFrame(bytes: Uint8Array, start: number, target: Uint8Array, first: number): Progress {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const need = (at: number, numBytes: number): number => {
    if (at + numBytes <= bytes.length) return at;
    throw new RangeError(`it ends within a frame, after ${bytes.length} bytes`);
  };
  if (view.getUint32(need(start, 7), true) !== MAGIC)
    throw new RangeError(`no LZ4 frame begins at byte ${start}`);
  const flags = bytes[start + 4] as number;
  const blockKind = ((bytes[start + 5] as number) >> 4) & 7;
  const maxBlockBytes = MAX_BLOCK_BYTES[blockKind];
  if (
    (flags & VERSION_MASK) !== VERSION ||
    (flags & (RESERVED | DICTIONARY)) !== 0 ||
    maxBlockBytes === undefined
  ) {
    throw new RangeError(
      `its frame has unsupported flags (${flags}) or an unsupported block size code (${blockKind})`,
    );
  }
  const headerBytes = 2 + (flags & CONTENT_SIZE ? 8 : 0);
  let at = need(start + 4, headerBytes + 1) + headerBytes;
  const header = bytes.subarray(start + 4, at);
  if (((xxHash32(header) >> 8) & 0xff) !== bytes[at++])
    throw new RangeError("the header of its frame is damaged");
  let to = first;
  for (;;) {
    const size = view.getUint32(need(at, 4), true);
    at += 4;
    if (size === 0) break;
    const stored = size % STORED;
    if (stored > maxBlockBytes)
      throw new RangeError(`a block of ${stored} bytes is larger than ${maxBlockBytes}`);
    const block = bytes.subarray(need(at, stored), at + stored);
    at += stored;
    if (flags & BLOCK_CHECKSUM) {
      if (view.getUint32(need(at, 4), true) !== xxHash32(block))
        throw new RangeError("the checksum of a block differs");
      at += 4;
    }
    const end = size >= STORED ? copyBlock(block, target, to) : decompressBlock(block, target, to);
    if (end < 0 || end - to > maxBlockBytes)
      throw new RangeError("a block is damaged, or holds too many bytes");
    to = end;
  }
  if (flags & CONTENT_CHECKSUM) {
    const found = xxHash32(target.subarray(first, to));
    if (view.getUint32(need(at, 4), true) !== found)
      throw new RangeError("the checksum of its contents differs");
    at += 4;
  }
  return { at, to };
}

function copyBlock(block: Uint8Array, target: Uint8Array, at: number): number {
  if (block.length > target.length - at) return -1;
  target.set(block, at);
  return at + block.length;
}

/** Compresses bytes as one frame without checksums of blocks or content, as other writers of Arrow files do. */
export function compressLz4(bytes: Uint8Array): Uint8Array {
  const header = Uint8Array.of(VERSION | INDEPENDENT, WRITTEN_BLOCK << 4);
  const blockBytes = MAX_BLOCK_BYTES[WRITTEN_BLOCK] as number;
  const numBlocks = Math.ceil(bytes.length / blockBytes);
  const target = new Uint8Array(7 + bytes.length + 4 * (numBlocks + 1));
  const view = new DataView(target.buffer);
  view.setUint32(0, MAGIC, true);
  target.set(header, 4);
  target[6] = (xxHash32(header) >> 8) & 0xff;
  let to = 7;
  for (let at = 0; at < bytes.length; at += blockBytes) {
    const plain = bytes.subarray(at, at + blockBytes);
    const compressed = compressBlock(plain);
    const block = compressed ?? plain;
    view.setUint32(to, block.length + (compressed === undefined ? STORED : 0), true);
    target.set(block, to + 4);
    to += 4 + block.length;
  }
  return target.subarray(0, to + 4);
}

/** LZ4 in the frame format. */
export const lz4: Codec = { decode: decompressLz4, encode: compressLz4 };
