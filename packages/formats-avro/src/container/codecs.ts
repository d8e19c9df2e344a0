import { RecordError } from "@tfxio/wire";
import { compress, uncompress } from "snappyjs";
import { decompressZstandard } from "./zstandard.js";

/** Compresses and decompresses the blocks of a file. @see Avro 1.12 specification, "Required Codecs" and "Optional Codecs" */
export interface AvroCodec {
  /** Decompresses a block. Rejects if it is damaged. Rejects with `limit-exceeded` if it expands beyond `maxBytes` bytes. */
  decompress(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array>;
  /** Compresses a block. Absent if the codec can only decompress. */
  compress?(bytes: Uint8Array): Promise<Uint8Array>;
}

/** A codec that can also compress. */
export type WritableCodec = Required<AvroCodec>;

/** Length in bytes of the CRC-32 after snappy data. */
const CRC_BYTES = 4;

/** Names of the codecs that this package can write, spelled as in the header of a file. */
export type AvroCodecName = "null" | "deflate" | "snappy";

/** Codecs for writing, by name. */
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
  /** The CRC-32 of the uncompressed bytes follows the compressed bytes, big-endian. */
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

/** Codecs for reading, by name. */
export const AVRO_CODECS: Readonly<Record<AvroCodecName | "zstandard", AvroCodec>> = {
  ...WRITABLE_CODECS,
  // Imported statically, since workers bundled as a single file cannot load chunks (ADR 26).
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

/** Concatenates the chunks of a stream. Rejects and cancels the stream as soon as it exceeds `maxBytes`. */
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

/** Reads the uncompressed length from the varint at the start of snappy data. Returns `Infinity` if the varint is too long. */
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

/** Remainders of all byte values for the reflected CRC-32 polynomial 0xEDB88320, as in gzip. */
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
