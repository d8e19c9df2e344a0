import type { Limits } from "@tfxio/format";
import { isTfxioError, RecordError, UnsupportedError } from "@tfxio/wire";
import { ChunkReader } from "./chunk-reader.js";
import { AVRO_MAGIC, isAvroFile, MAX_BLOCK_ROWS, SYNC_BYTES } from "./container-layout.js";
import { AVRO_CODECS, type AvroCodec } from "./codecs.js";

const utf8 = new TextDecoder();

/** The header of an object container file. */
export interface FileHeader {
  /** The Avro schema of the records, as JSON text. */
  readonly schemaText: string;
  readonly codec: AvroCodec;
  /** The 16 random bytes that follow each block of this file. */
  readonly sync: Uint8Array;
}

/** A block of a file, still compressed. */
export interface FileBlock {
  /** Offset of the block in the file. A block begins with its row count. */
  readonly byteOffset: number;
  readonly numRows: number;
  /** Compressed bytes, possibly a view of a chunk. */
  readonly stored: Uint8Array;
}

/**
 * Reads the header of an object container file.
 * @throws {RecordError} `corrupt-record` (`framing`) if the file is not an Avro file or its header is damaged,
 *   `truncated-record` (`record-end`) if the file ends within the header,
 *   `limit-exceeded` (`metadata-length`) if the header is too long.
 * @throws {UnsupportedError} `unsupported` (`codec`) if the codec is unknown.
 * @see Avro 1.12 specification, "Object Container Files"
 */
export async function readFileHeader(reader: ChunkReader, { maxMetadataBytes }: Limits): Promise<FileHeader> {
  const { uri } = reader;
  if (await reader.isAtEnd()) throw framing(reader, "is empty, but an Avro file begins with a header");
  const magic = await reader.take(AVRO_MAGIC.length, "the header");
  if (!isAvroFile(magic)) throw framing(reader, "does not begin with the magic bytes of an Avro file");
  const metadata = new Map<string, string>();
  const takeText = async (): Promise<string> => {
    const length = await reader.takeLong("the header");
    if (length < 0) throw framing(reader, `has a string of length ${length} in its header`);
    if (length > maxMetadataBytes - reader.byteOffset) {
      const message = `${uri}: the header of the file has more than ${maxMetadataBytes} bytes (maxMetadataBytes).`;
      throw new RecordError("limit-exceeded", message, { reason: "metadata-length", uri, byteOffset: 0 });
    }
    return utf8.decode(await reader.take(length, "the header"));
  };
  for (;;) {
    let count = await reader.takeLong("the header");
    if (count === 0) break;
    // A negative count is followed by the size of the entries in bytes, which is needed only to skip them.
    if (count < 0) await reader.takeLong("the header");
    for (count = Math.abs(count); count > 0; count--) metadata.set(await takeText(), await takeText());
  }
  const sync = (await reader.take(SYNC_BYTES, "the header")).slice();
  const schemaText = metadata.get("avro.schema");
  if (schemaText === undefined) throw framing(reader, "has a header without a schema");
  const name = metadata.get("avro.codec") ?? "null";
  if (!Object.hasOwn(AVRO_CODECS, name)) {
    const message = `${uri} is compressed with "${name}". The supported codecs are ${Object.keys(AVRO_CODECS).join(", ")}.`;
    throw new UnsupportedError(message, { reason: "codec", feature: `the Avro codec ${name}` });
  }
  return { schemaText, codec: AVRO_CODECS[name as keyof typeof AVRO_CODECS], sync };
}

/**
 * Reads blocks from the current position, up to and including the last block that begins before byte `end`.
 * @throws {RecordError} `corrupt-record` (`framing`), `truncated-record` (`record-end`), or `limit-exceeded` (`page-length`,
 *   `block-rows`).
 */
export async function* readBlocks(
  reader: ChunkReader,
  { sync }: FileHeader,
  end: number,
  { maxPageBytes }: Limits,
): AsyncGenerator<FileBlock, void, undefined> {
  const { uri } = reader;
  const tooLong = (found: string, byteOffset: number, reason: string): RecordError =>
    new RecordError("limit-exceeded", `${uri}: the block at byte ${byteOffset} declares ${found}.`, {
      reason,
      uri,
      byteOffset,
    });
  while (reader.byteOffset < end && !(await reader.isAtEnd())) {
    const { byteOffset } = reader;
    const numRows = await reader.takeLong("a block");
    const length = await reader.takeLong("a block");
    if (numRows < 0 || length < 0) {
      throw framing(reader, `has a block of ${numRows} rows in ${length} bytes`, byteOffset);
    }
    if (length > maxPageBytes) {
      throw tooLong(
        `${length} bytes, but the limit maxPageBytes is ${maxPageBytes}`,
        byteOffset,
        "page-length",
      );
    }
    if (numRows > MAX_BLOCK_ROWS) {
      throw tooLong(`${numRows} rows, but the limit is ${MAX_BLOCK_ROWS}`, byteOffset, "block-rows");
    }
    const stored = await reader.take(length, "a block");
    const marker = await reader.take(SYNC_BYTES, "a block");
    if (!marker.every((byte, index) => byte === sync[index])) {
      throw framing(reader, "has a block that is not followed by the sync marker", byteOffset);
    }
    yield { byteOffset, numRows, stored };
  }
}

/**
 * Returns the uncompressed bytes of a block.
 * @throws {RecordError} `corrupt-record` (`codec`) if the block is damaged, `limit-exceeded` (`page-length`) if it has more than
 *   `maxPageBytes` bytes uncompressed.
 */
export async function decompressBlock(
  { stored, byteOffset }: FileBlock,
  { codec }: FileHeader,
  uri: string,
  { maxPageBytes }: Limits,
): Promise<Uint8Array> {
  try {
    return await codec.decompress(stored, maxPageBytes);
  } catch (cause) {
    const isLimit = isTfxioError(cause, "limit-exceeded");
    throw new RecordError(
      isLimit ? "limit-exceeded" : "corrupt-record",
      isLimit
        ? `${uri}: the block at byte ${byteOffset} has more than ${maxPageBytes} bytes uncompressed (maxPageBytes).`
        : `${uri}: the block at byte ${byteOffset} cannot be decompressed.`,
      { reason: isLimit ? "page-length" : "codec", uri, byteOffset, cause },
    );
  }
}

function framing({ uri }: ChunkReader, found: string, byteOffset = 0): RecordError {
  return new RecordError("corrupt-record", `${uri} ${found}.`, { reason: "framing", uri, byteOffset });
}
