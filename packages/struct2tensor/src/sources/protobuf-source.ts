import { BytesColumn } from "@tfxio/arrow-encoding";
import { decodeRecords } from "@tfxio/format";
import { type MessageType as ProtobufType, protobufPayload } from "@tfxio/formats-protobuf";
import { ColumnPath } from "@tfxio/schema";
import { invalidArgument } from "@tfxio/wire/checks";
import type { DescMessage } from "@bufbuild/protobuf";
import type { MessageValue } from "../operators/node-value.js";
import { deepestPaths, Path } from "../path/path.js";
import type { LeafNode } from "../prensor/nodes.js";
import { type BatchFields, batchFields } from "./batch-reader.js";
import { fieldTypeAt } from "./batch-source.js";
import { mergePayloads } from "./merge-payloads.js";
import { payloadType } from "./payload-type.js";
import { type ResolvedType, resolveType, typeOfMessage } from "./protobuf-types.js";
import type { QuerySource, SourceBatch, SourceNeeds } from "./query-source.js";
import { type MessageFormat, type MessageRules, resolveRules } from "./message-rules.js";
import { recordConverter } from "./record-converter.js";
import { fieldNamesOf, type MessageType } from "./source-type.js";

/** Options of a protobuf source: its name, the message format, and the decoding rules. */
export interface ProtobufSourceOptions extends Partial<MessageRules> {
  readonly name: string;
  readonly messageFormat: MessageFormat;
  /** The records, if they are bound to the source. Borrowed. */
  readonly bound?: unknown;
}

/** A source and its fields. */
export interface TypedSource {
  readonly source: QuerySource;
  readonly type: MessageType;
}

/** Creates a source of protobuf messages of one type. @throws The errors of {@link resolveType}. */
export function protobufSource(protobufType: ProtobufType, options: ProtobufSourceOptions): TypedSource {
  const resolved = resolveType(protobufType);
  const { name, messageFormat, bound, ...rules } = options;
  const payloadSources = new Map<DescMessage, QuerySource>();
  const sourceOf = (message: DescMessage): QuerySource => {
    const known =
      payloadSources.get(message) ??
      binarySource({ ...resolved, message }, protobufType, "payloads", rules, sourceOf);
    payloadSources.set(message, known);
    return known;
  };
  const { descriptor, message } = protobufType;
  const source: QuerySource = {
    ...binarySource(resolved, protobufType, name, rules, sourceOf),
    messages: { descriptor, message, messageFormat, rules: resolveRules(rules) },
  };
  const type = typeOfMessage(resolved, sourceOf);
  if (messageFormat === "binary")
    return { source: { ...source, ...(bound !== undefined && { bound }) }, type };
  const convert = recordConverter(messageFormat, resolved, resolveRules(rules).onMalformed);
  return {
    type,
    source: {
      ...source,
      ...(bound !== undefined && { bound }),
      prepare: async (needs) => {
        const reader = await source.prepare(needs);
        return { read: (data) => reader.read(convert(recordsOf(name, data))) };
      },
    },
  };
}

/** Creates a source of serialized messages of one type: whole records, or the payloads of message fields. */
function binarySource(
  resolved: ResolvedType,
  { descriptor }: ProtobufType,
  name: string,
  rules: Partial<MessageRules>,
  sourceOf: (message: DescMessage) => QuerySource,
): QuerySource {
  const type = typeOfMessage(resolved, sourceOf);
  const payload = protobufPayload({
    ...rules,
    descriptor,
    message: resolved.message.typeName,
    messagePaths: "presence",
  });
  return {
    kind: "protobuf",
    name,
    fieldNames: fieldNamesOf(type),
    prepare: async (needs) => {
      const reader = await fieldReader(payload, needs, type);
      const payloads = await payloadReaders(resolved.message, needs, rules, type);
      return {
        read(data) {
          const records = recordsOf(name, data);
          const batch = reader(records);
          return { ...batch, payload: (path) => payloads.get(path.toString())!(records) };
        },
      };
    },
  };
}

type Payload = ReturnType<typeof protobufPayload>;
type FieldReader = (records: readonly Uint8Array[]) => Omit<SourceBatch, "payload">;

/** Creates a reader of the needed fields, which reads each message in one pass. If no fields are needed, it decodes nothing. */
async function fieldReader(
  payload: Payload,
  { fields }: SourceNeeds,
  type: MessageType,
): Promise<FieldReader> {
  const columns = deepestPaths(fields).map(({ steps }) => ColumnPath.of(...steps.map(String)));
  if (columns.length === 0) {
    return ({ length }) => ({ size: length, numSkipped: 0, field: noField });
  }
  const decoder = await decodeRecords(payload, { columns });
  return (records) => {
    const { batch, recordIndices, numSkipped } = decoder.decode(records);
    const found: BatchFields = batchFields(batch);
    return {
      size: batch.numRows,
      recordIndices,
      numSkipped,
      field: (path) => found.field(path, fieldTypeAt(type, path)),
    };
  };
}

function noField(path: Path): never {
  throw new Error(`the field ${path} was not passed to prepare`);
}

/** Creates readers of the serialized messages, keyed by path. */
async function payloadReaders(
  root: DescMessage,
  { payloads }: SourceNeeds,
  rules: Partial<MessageRules>,
  type: MessageType,
): Promise<ReadonlyMap<string, (records: readonly Uint8Array[]) => MessageValue>> {
  const readers = new Map<string, (records: readonly Uint8Array[]) => MessageValue>();
  for (const path of payloads) {
    const { isRepeated } = fieldTypeAt(type, path);
    const payload = protobufPayload({ ...rules, implicitDefaults: false, ...payloadType(root, path) });
    const decoder = await decodeRecords(payload, { columns: [ColumnPath.of(...path.steps.map(String))] });
    const leafType = { kind: "leaf", isRepeated: true, dtype: "string" } as const;
    readers.set(path.toString(), (records) => {
      const leaf = batchFields(decoder.decode(records).batch).field(path, leafType) as LeafNode<"string">;
      return mergePayloads(leaf, isRepeated, rules.singularMessage ?? "merge");
    });
  }
  return readers;
}

/**
 * Returns the data as a list of records. @throws {ArgumentError} `invalid-argument` unless it is a list or a `BytesColumn`.
 */
function recordsOf(name: string, data: unknown): readonly Uint8Array[] {
  if (data instanceof BytesColumn) return data.toArray();
  if (Array.isArray(data)) return data as readonly Uint8Array[];
  throw invalidArgument(name, "a list of records", data);
}
