import type { FlatPlace } from "../flatbuffer/flat-table.js";
import type { CompressedWith, Decode, Encode } from "./codecs.js";
import { damaged } from "../metadata/damage.js";

/**
 * Length in bytes of the prefix of a stored buffer. The prefix holds the uncompressed length as an int64, or -1 if the bytes
 * after it are not compressed.
 */
const PREFIX_BYTES = 8;

/** The settings to decode a buffer: its codec, a limit and, for errors, the location of its Arrow message. */
export interface BufferDecoding {
  readonly decode: Decode;
  readonly codec: CompressedWith;
  readonly place: FlatPlace;
  /** Adds the length to those of earlier buffers. Throws if the sum exceeds the limit for allocations. */
  readonly checkLength: (numBytes: number) => void;
}

/**
 * Decompresses a stored buffer. Returns a view of `bytes` if they are not compressed.
 * @throws {RecordError} `corrupt-record` (`lz4`, `zstd`); the error of `checkLength`.
 * @see https://github.com/apache/arrow/blob/main/format/Message.fbs BodyCompressionMethod
 */
export async function decompressBuffer(
  bytes: Uint8Array,
  { decode, codec, place, checkLength }: BufferDecoding,
): Promise<Uint8Array> {
  if (bytes.length === 0) return bytes;
  const name = codec.toUpperCase();
  if (bytes.length < PREFIX_BYTES) {
    throw damaged(
      place,
      `a buffer compressed with ${name} has ${bytes.length} bytes, expected ${PREFIX_BYTES} or more`,
      codec,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numBytes = Number(view.getBigInt64(0, true));
  const stored = bytes.subarray(PREFIX_BYTES);
  if (numBytes === -1) return stored;
  if (numBytes < 0) throw damaged(place, `a buffer declares ${numBytes} uncompressed bytes`, codec);
  checkLength(numBytes);
  if (numBytes === 0) return stored.subarray(0, 0);
  try {
    return await decode(stored, numBytes);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw damaged(place, `a buffer is not valid ${name}: ${problem}`, codec, cause);
  }
}

/**
 * Returns the stored form of a buffer: a length prefix, then the compressed bytes, or the original bytes if compression would not
 * make them smaller. An empty buffer has no prefix.
 */
export async function compressBuffer(bytes: Uint8Array, encode: Encode): Promise<Uint8Array> {
  if (bytes.length === 0) return bytes;
  const compressed = await encode(bytes);
  const isSmaller = compressed.length < bytes.length;
  const content = isSmaller ? compressed : bytes;
  const stored = new Uint8Array(PREFIX_BYTES + content.length);
  new DataView(stored.buffer).setBigInt64(0, isSmaller ? BigInt(bytes.length) : -1n, true);
  stored.set(content, PREFIX_BYTES);
  return stored;
}
