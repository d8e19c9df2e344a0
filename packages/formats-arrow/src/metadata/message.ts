import { RecordError, UnsupportedError } from "@tfxio/wire/errors";
import { FlatTable, type FlatPlace } from "../flatbuffer/flat-table.js";

/** Length and null count of one array. A count of -1 means that nulls were not counted. */
export interface ArrayNode {
  readonly length: number;
  readonly nullCount: number;
}

/** Position of a buffer in the body, and its length in bytes. Both are unchecked. */
export interface BufferRange {
  readonly offset: number;
  readonly length: number;
}

/** The codec of the buffers of a body. */
export type BodyCodec = "none" | "lz4" | "zstd";

/** The header of a record batch, or of the values of a dictionary. Not yet checked against the body. */
export interface BatchHeader {
  readonly numRows: number;
  readonly nodes: readonly ArrayNode[];
  readonly buffers: readonly BufferRange[];
  /** Number of data buffers of each view column, in order. */
  readonly variadicCounts: readonly number[];
  readonly codec: BodyCodec;
  /** True for metadata versions before V5. In these, unions have a validity bitmap. */
  readonly hasUnionValidity: boolean;
  readonly metadata: ReadonlyMap<string, string>;
  /** The first byte of the message, for errors. */
  readonly place: FlatPlace;
}

/** The header of a message, and the length of the body that follows it. */
export type Message = { readonly bodyLength: number } & (
  | { readonly kind: "schema"; readonly schema: VersionedSchema }
  | { readonly kind: "batch"; readonly batch: BatchHeader }
  | { readonly kind: "dictionary"; readonly dictionary: DictionaryHeader }
);

/** A schema that is not parsed yet. */
export interface VersionedSchema {
  readonly table: FlatTable;
  /** True for schemas before V4. In these, a column also describes its buffers, and its metadata has a different field number. */
  readonly hasLayouts: boolean;
}

/** The header of a message with values of a dictionary. */
export interface DictionaryHeader {
  readonly id: number;
  /** True if the values are appended to the dictionary. */
  readonly isDelta: boolean;
  readonly values: BatchHeader;
}

/** `MetadataVersion` of Schema.fbs: V3 came with Arrow 0.3, V4 with 0.8, V5 with 1.0. */
const V3 = 2;
const V4 = 3;
const V5 = 4;
/** Members of the union `MessageHeader` of Message.fbs, by id. In a flatbuffer union, 0 means that there is no value. */
const HEADERS = ["none", "schema", "dictionary", "batch", "tensor", "sparse tensor"] as const;
const CODECS: readonly BodyCodec[] = ["lz4", "zstd"];

/**
 * Parses the header of an encapsulated message.
 * @throws {RecordError} `malformed-payload` (`metadata`).
 * @throws {UnsupportedError} `unsupported` for tensors, unknown codecs, and metadata versions other than V3 to V5.
 * @see https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format
 */
export function parseMessage(bytes: Uint8Array, place: FlatPlace): Message {
  const message = FlatTable.root(bytes, place);
  const version = message.int16(0);
  assertVersion(version, place);
  const bodyLength = message.int64(3);
  if (bodyLength < 0) throw message.malformed(`its body has a length of ${bodyLength}`);
  const kind = HEADERS[message.int8(1)] ?? "unknown";
  const metadata = keyValues(message, 4);
  switch (kind) {
    case "schema":
      return { kind, bodyLength, schema: versionedSchema(message.required(2, "schema"), version) };
    case "batch": {
      const batch = batchHeader(message.required(2, "record batch"), { version, metadata });
      return { kind, bodyLength, batch };
    }
    case "dictionary": {
      const header = message.required(2, "dictionary batch");
      const values = batchHeader(header.required(1, "values of the dictionary"), { version, metadata });
      return {
        kind,
        bodyLength,
        dictionary: { id: header.dictionaryId(0), isDelta: header.bool(2), values },
      };
    }
    case "tensor":
    case "sparse tensor":
      throw unsupportedIn(place, `holds a ${kind}, which is not a record batch`, "Arrow tensors");
    default:
      throw message.malformed(
        `its header is of kind ${message.int8(1)}, expected 1 to ${HEADERS.length - 1}`,
      );
  }
}

/** Returns a schema with this metadata version. Footers may omit the version, which then reads as V1. */
export function versionedSchema(table: FlatTable, version: number): VersionedSchema {
  return { table, hasLayouts: version === V3 };
}

/** Checks a metadata version. @throws {UnsupportedError} `unsupported` for metadata from before Arrow 0.3, or newer than V5. */
function assertVersion(version: number, place: FlatPlace): void {
  if (version >= V3 && version <= V5) return;
  throw unsupportedIn(
    place,
    `has metadata version V${version + 1}, expected V3 to V5`,
    "this metadata version",
  );
}

/** Returns the key-value pairs of a table. If keys repeat, the last one counts. */
export function keyValues(table: FlatTable, field: number): Map<string, string> {
  return new Map(table.tables(field).map((pair) => [pair.string(0) ?? "", pair.string(1) ?? ""]));
}

function batchHeader(
  table: FlatTable,
  { version, metadata }: { readonly version: number; readonly metadata: ReadonlyMap<string, string> },
): BatchHeader {
  const { place } = table;
  const compression = table.table(3);
  const codec = compression === undefined ? "none" : CODECS[compression.int8(0)];
  if (codec === undefined || (compression !== undefined && compression.int8(1) !== 0)) {
    throw unsupportedIn(
      place,
      "has a body compressed in an unknown way, expected LZ4 or ZSTD for each buffer",
      "this compression",
    );
  }
  const numRows = table.int64(0);
  assertLength(numRows, "rows", place);
  return {
    numRows,
    nodes: table.structs(1, 16, (int64At) => ({ length: int64At(0), nullCount: int64At(8) })),
    buffers: bufferRanges(table, version),
    variadicCounts: table.int64s(4),
    codec,
    hasUnionValidity: version < V5,
    metadata,
    place,
  };
}

/** Returns the byte ranges of the buffers. Before V4, the description of a buffer begins with an unused page number. */
function bufferRanges(table: FlatTable, version: number): BufferRange[] {
  const first = version < V4 ? 8 : 0;
  return table.structs(2, first + 16, (int64At) => ({ offset: int64At(first), length: int64At(first + 8) }));
}

/** The maximum length of a portable Arrow array. */
const MAX_LENGTH = 2 ** 31 - 1;

/** Checks a declared length. @throws {RecordError} `malformed-payload` (`metadata`) for a length below 0 or above 2^31 - 1. */
export function assertLength(length: number, what: string, { uri, byteOffset }: FlatPlace): void {
  if (length >= 0 && length <= MAX_LENGTH) return;
  throw new RecordError(
    "malformed-payload",
    `The batch at byte ${byteOffset} of ${uri} declares ${length} ${what}, expected 0 to ${MAX_LENGTH}.`,
    { uri, byteOffset, reason: "metadata" },
  );
}

/** Returns the error for a message that uses an unsupported feature. `problem` continues a sentence about the message. */
export function unsupportedIn(
  { uri, byteOffset }: FlatPlace,
  problem: string,
  feature: string,
): UnsupportedError {
  return new UnsupportedError(`The message at byte ${byteOffset} of ${uri} ${problem}.`, { feature });
}
