import type { Schema as ArrowSchema } from "apache-arrow";
import { CompressionType, MetadataVersion } from "apache-arrow";
import { FileBlock, Footer } from "apache-arrow/ipc/metadata/file";
import {
  BodyCompression,
  BufferRegion,
  DictionaryBatch,
  FieldNode,
  Message,
  RecordBatch,
} from "apache-arrow/ipc/metadata/message";
import { compressBuffer } from "../compression/body-codec.js";
import type { Encode } from "../compression/codecs.js";
import type { Arrays } from "./arrays.js";

export interface BodyEncoding {
  readonly codec: "lz4" | "zstd";
  readonly encode: Encode;
}

/** An encoded message, and the number of bytes before its body. */
export interface EncodedMessage {
  readonly bytes: Uint8Array;
  readonly metadataBytes: number;
}

/** The content of a message: rows of a batch, or the values of a dictionary. */
export interface BatchContent {
  readonly numRows: number;
  readonly arrays: Arrays;
  readonly metadata?: ReadonlyMap<string, string>;
  readonly dictionary?: { readonly id: number; readonly isDelta: boolean } | undefined;
}

/** Buffers begin at multiples of this many bytes in a file, as Arrow recommends and TensorFlow RFC 162 requires for values. */
const ALIGNMENT = 64;
const PREFIX_BYTES = 8;
const CONTINUATION = -1;

/** The end of a complete stream: a continuation marker and a length of 0. */
export const END_MARKER: Uint8Array = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** Encodes a schema message. @param position Byte offset of the message in its file, for the alignment. */
export function encodeSchema(schema: ArrowSchema, position: number): EncodedMessage {
  return framed(Message.encode(Message.from(schema)), [], [], position);
}

/**
 * Encodes a record batch or dictionary message. Copies the buffers.
 * @param encoding Compression of the buffers. Default: none.
 * @param position Byte offset of the message in its file, for the alignment.
 */
export async function encodeBatch(
  { numRows, arrays, metadata = new Map(), dictionary }: BatchContent,
  encoding: BodyEncoding | undefined,
  position: number,
): Promise<EncodedMessage> {
  const buffers: Uint8Array[] = [];
  for (const bytes of arrays.buffers) {
    buffers.push(encoding === undefined ? bytes : await compressBuffer(bytes, encoding.encode));
  }
  const offsets: number[] = [];
  let bodyLength = 0;
  for (const { length } of buffers) {
    offsets.push(bodyLength);
    bodyLength += padded(length);
  }
  const header = new RecordBatch(
    numRows,
    arrays.nodes.map(({ length, nullCount }) => new FieldNode(length, nullCount)),
    buffers.map(({ length }, at) => new BufferRegion(offsets[at] as number, length)),
    encoding === undefined ? null : new BodyCompression(CODECS[encoding.codec]),
    arrays.variadicCounts,
    new Map(metadata),
  );
  const message =
    dictionary === undefined
      ? Message.from(header, bodyLength)
      : Message.from(new DictionaryBatch(header, dictionary.id, dictionary.isDelta), bodyLength);
  return framed(Message.encode(message), buffers, offsets, position, bodyLength);
}

const CODECS = { lz4: CompressionType.LZ4_FRAME, zstd: CompressionType.ZSTD } as const;

/** The position of a message, for the footer. */
export interface Block {
  readonly offset: number;
  readonly metadataBytes: number;
  readonly bodyBytes: number;
}

/** Returns the end of a file: the footer, its length as a little-endian int32, and the magic. */
export function encodeFooter(
  schema: ArrowSchema,
  batches: readonly Block[],
  dictionaries: readonly Block[],
  magic: Uint8Array,
): Uint8Array {
  const blocksOf = (blocks: readonly Block[]): FileBlock[] =>
    blocks.map(({ offset, metadataBytes, bodyBytes }) => new FileBlock(metadataBytes, bodyBytes, offset));
  const footer = Footer.encode(
    new Footer(schema, MetadataVersion.V5, blocksOf(batches), blocksOf(dictionaries)),
  );
  const bytes = new Uint8Array(footer.length + 4 + magic.length);
  bytes.set(footer);
  new DataView(bytes.buffer).setInt32(footer.length, footer.length, true);
  bytes.set(magic, footer.length + 4);
  return bytes;
}

/** Joins the prefix, the metadata and the body of a message. Pads the metadata so that the body is aligned in the file. */
function framed(
  metadata: Uint8Array,
  buffers: readonly Uint8Array[],
  offsets: readonly number[],
  position: number,
  bodyLength = 0,
): EncodedMessage {
  const metadataBytes = padded(position + PREFIX_BYTES + metadata.length) - position;
  const bytes = new Uint8Array(metadataBytes + bodyLength);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, CONTINUATION, true);
  view.setInt32(4, metadataBytes - PREFIX_BYTES, true);
  bytes.set(metadata, PREFIX_BYTES);
  buffers.forEach((buffer, at) => bytes.set(buffer, metadataBytes + (offsets[at] as number)));
  return { bytes, metadataBytes };
}

function padded(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
