import type { ReadLimits } from "../compression/codecs.js";
import { bodyOf } from "../columns/body-buffers.js";
import { Dictionaries } from "../columns/dictionaries.js";
import type { FlatPlace } from "../flatbuffer/flat-table.js";
import { assertWithin, damaged, noMessage, truncated } from "../metadata/damage.js";
import { type Message, parseMessage } from "../metadata/message.js";
import type { StoredSchema } from "../metadata/stored-column.js";
import { parseSchema } from "../metadata/stored-schema.js";
import { type ByteReader, byteReader } from "./byte-reader.js";
import { FILE_MAGIC, isFileHead, MAGIC_BYTES } from "./container.js";
import { isContinuation, metadataLength, PREFIX_BYTES } from "./message-prefix.js";
import { handedOver } from "@tfxio/wire";
import { readDictionary, type StoredBatch } from "./stored-batch.js";

/** A stream whose schema has been read. */
export interface OpenedStream {
  readonly schema: StoredSchema;
  /**
   * Returns the record batches that follow. Call it only once.
   * @param needsDictionary Returns true for each dictionary that must be read.
   */
  readonly batches: (
    needsDictionary: (id: number) => boolean,
  ) => AsyncIterableIterator<StoredBatch, void, undefined>;
}

/** Options of {@link openIpcStream}. */
export interface StreamOptions {
  readonly uri: string;
  readonly limits: ReadLimits;
  /**
   * If true, a stream without its end marker is rejected as truncated. If false, the end of the bytes also ends the stream, as
   * the specification allows.
   */
  readonly needsEndMarker: boolean;
}

/**
 * Reads the schema of an IPC stream, or of an IPC file that is read like a stream.
 * @throws {RecordError} `truncated-record` (`message`); `corrupt-record` (`message`); `limit-exceeded` (`metadata-length`).
 * @throws The errors of {@link parseMessage} and {@link parseSchema}.
 * @throws From `batches`, also `truncated-record` (`end-marker`), `limit-exceeded` (`page-length`) and the errors of
 * {@link readDictionary}.
 * @see https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format
 */
export async function openIpcStream(
  chunks: AsyncIterator<Uint8Array, unknown>,
  options: StreamOptions,
): Promise<OpenedStream> {
  const reader = byteReader(chunks);
  const { uri, limits } = options;
  let place: FlatPlace = { uri, byteOffset: 0 };
  let first = await reader.take(PREFIX_BYTES);
  if (isFileHead(first)) {
    first = await skipFileHead(reader, first, place);
    place = { uri, byteOffset: MAGIC_BYTES };
  }
  const message = await nextMessage(reader, first, place, limits);
  if (message === undefined) throw truncated(place, "there is no schema", "message");
  if (message.kind !== "schema") throw damaged(place, `a ${message.kind} comes before the schema`, "message");
  const schema = parseSchema(message.schema);
  return { schema, batches: (needsDictionary) => batchesOf(reader, { ...options, schema, needsDictionary }) };
}

async function skipFileHead(reader: ByteReader, first: Uint8Array, place: FlatPlace): Promise<Uint8Array> {
  const rest = await reader.take(MAGIC_BYTES - PREFIX_BYTES);
  const head = String.fromCharCode(...first, ...rest);
  if (!head.startsWith(FILE_MAGIC)) throw noMessage(place);
  return reader.take(PREFIX_BYTES);
}

interface BatchOptions extends StreamOptions {
  readonly schema: StoredSchema;
  readonly needsDictionary: (id: number) => boolean;
}

function batchesOf(
  reader: ByteReader,
  { uri, limits, schema, needsDictionary, needsEndMarker }: BatchOptions,
): AsyncIterableIterator<StoredBatch, void, undefined> {
  const dictionaries = new Dictionaries();
  const get: StoredBatch["dictionary"] = (id, where) => dictionaries.get(id, where);
  return handedOver(async () => {
    for (;;) {
      const place: FlatPlace = { uri, byteOffset: reader.byteOffset };
      const prefix = await reader.take(PREFIX_BYTES);
      if (prefix.length === 0) {
        if (needsEndMarker)
          throw truncated(
            place,
            "the stream has no end marker, so record batches may be missing",
            "end-marker",
          );
        return undefined;
      }
      const message = await nextMessage(reader, prefix, place, limits);
      if (message === undefined) return undefined;
      const { kind, bodyLength } = message;
      if (kind === "schema") throw damaged(place, "a second schema follows the first", "message");
      assertWithin(bodyLength, limits.maxPageBytes, { place, what: "the body", reason: "page-length" });
      const bytes = await reader.take(bodyLength);
      if (bytes.length < bodyLength) {
        throw truncated(
          place,
          `only ${bytes.length} of the ${bodyLength} bytes of a body are present`,
          "message",
        );
      }
      const body = bodyOf(bytes);
      const numBytes = reader.byteOffset - place.byteOffset;
      if (kind === "batch") return { header: message.batch, body, numBytes, dictionary: get };
      if (needsDictionary(message.dictionary.id)) {
        await readDictionary({ header: message.dictionary, body }, schema, dictionaries, limits);
      }
    }
  });
}

/** Returns the message that begins with `prefix`; undefined for the end marker. */
async function nextMessage(
  reader: ByteReader,
  prefix: Uint8Array,
  place: FlatPlace,
  limits: ReadLimits,
): Promise<Message | undefined> {
  const complete = (bytes: Uint8Array, numBytes: number): Uint8Array => {
    if (bytes.length === numBytes) return bytes;
    throw truncated(
      place,
      `only ${bytes.length} of the ${numBytes} bytes of a message are present`,
      "message",
    );
  };
  complete(prefix, PREFIX_BYTES);
  const lengthBytes = isContinuation(prefix)
    ? complete(await reader.take(PREFIX_BYTES), PREFIX_BYTES)
    : prefix;
  const length = metadataLength(lengthBytes, place, limits);
  if (length === 0) return undefined;
  return parseMessage(complete(await reader.take(length), length), place);
}
