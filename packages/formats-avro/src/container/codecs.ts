import { RecordError } from "@tfxio/wire";
import { compress, uncompress } from "snappyjs";
import { decompressZstandard } from "./zstandard.js";

/** Compression of the blocks of a file. @see Avro 1.12 specification, "Required Codecs" and "Optional Codecs" */
export interface AvroCodec {
  /** Rejects if the bytes are damaged, and with `limit-exceeded` if the result is longer than `maxBytes`. */
  decompress(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array>;
  /** Absent for a codec without writing support. */
  compress?(bytes: Uint8Array): Promise<Uint8Array>;
}

/** A codec for reading and writing. */
export type WritableCodec = Required<AvroCodec>;

const CRC_BYTES = 4;

export type AvroCodecName = "null" | "deflate" | "snappy";

/** Codecs for writing. */
export const WRITABLE_CODECS: Readonly<Record<AvroCodecName, WritableCodec>> = {
  null: {
    decompress: async (bytes) => bytes,
    compress: async (bytes) => bytes,
  },
  deflate: {
    decompress: async (bytes, maxBytes) =>
      collected(transformed(bytes, new DecompressionStream("deflate-raw")), maxBytes),
    compress: async (bytes) =>
      collected(transformed(bytes, new CompressionStream("deflate-raw")), Number.POSITIVE_INFINITY),
  },
  /** The compressed bytes end with the CRC-32 of the uncompressed bytes, big-endian. */
  snappy: {
    async decompress(bytes, maxBytes) {
      const end = bytes.length - CRC_BYTES;
      if (end < 0) throw new RangeError("there is no checksum");
      if (snappyLength(bytes) > maxBytes) throw tooLarge(maxBytes);
      const whole = uncompress(bytes.subarray(0, end));
      const stored = new DataView(bytes.buffer, bytes.byteOffset + end, CRC_BYTES).getUint32(0);
      if (stored !== crc32(whole))
        throw new RangeError("the checksum of the uncompressed bytes does not match");
      return whole;
    },
    async compress(bytes) {
      const packed = compress(bytes);
      const framed = new Uint8Array(packed.length + CRC_BYTES);
      framed.set(packed);
      new DataView(framed.buffer).setUint32(packed.length, crc32(bytes));
      return framed;
    },
  },
};

/** Codecs for reading, by their name in the header of a file. */
export const AVRO_CODECS: Readonly<Record<AvroCodecName | "zstandard", AvroCodec>> = {
  ...WRITABLE_CODECS,
  // A static import, since single-file workers cannot have chunks (ADR 26).
  zstandard: {
    async decompress(bytes, maxBytes) {
      return decompressZstandard(bytes, maxBytes, () => tooLarge(maxBytes));
    },
  },
};

function transformed(
  bytes: Uint8Array,
  through: CompressionStream | DecompressionStream,
): ReadableStream<Uint8Array> {
  return new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(through);
}

async function collected(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel();
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The uncompressed length, with which snappy data begins. */
function snappyLength(bytes: Uint8Array): number {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = bytes[index] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return value;
  }
  return Number.POSITIVE_INFINITY;
}

function tooLarge(maxBytes: number): RecordError {
  return new RecordError("limit-exceeded", `A block has more than ${maxBytes} bytes uncompressed.`, {
    reason: "page-length",
  });
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) * 0xedb88320);
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] as number);
  return (crc ^ 0xffffffff) >>> 0;
}
