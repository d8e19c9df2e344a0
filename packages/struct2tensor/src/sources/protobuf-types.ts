import { base64Decode } from "@bufbuild/protobuf/wire";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import {
  createFileRegistry,
  type DescExtension,
  type DescField,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  ScalarType,
} from "@bufbuild/protobuf";
import type { MessageType as ProtobufType } from "@tfxio/formats-protobuf";
import type { DType } from "@tfxio/tensor-adapter";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import { typeNameOfStep } from "../path/step.js";
import type { FieldType } from "../prensor/nodes.js";
import type { QuerySource } from "./query-source.js";
import type { MessageType, SourceField } from "./source-type.js";

const ANY_TYPE = "google.protobuf.Any";
/** Captures the name of the map in a step `map[key]`. */
const KEYED_STEP = /^([^[(]+)\[[^\]]*\]$/su;

/**
 * A message type, and the registry that resolves path steps to extensions, or to the message type inside a `google.protobuf.Any`.
 */
export interface ResolvedType {
  readonly registry: FileRegistry;
  readonly message: DescMessage;
}

/**
 * Resolves a message type.
 * @throws {SchemaError} `schema-invalid` (`descriptor`).
 * @throws {ArgumentError} `invalid-argument` (`unknown-message`).
 */
export function resolveType({ descriptor, message }: ProtobufType): ResolvedType {
  let registry: FileRegistry;
  try {
    registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, base64Decode(descriptor)));
  } catch (cause) {
    throw new SchemaError(
      "schema-invalid",
      `The descriptor is not a complete FileDescriptorSet: ${String(cause)}.`,
      {
        reason: "descriptor",
        cause,
      },
    );
  }
  const found = registry.getMessage(message);
  if (found !== undefined) return { registry, message: found };
  throw new ArgumentError("invalid-argument", `The descriptor has no message type "${message}".`, {
    reason: "unknown-message",
    argument: "message",
  });
}

/** Returns the source that reads serialized messages of a type. */
export type SourceOfMessage = (message: DescMessage) => QuerySource;

/**
 * Returns the fields of a message type. Map keys, extensions and messages inside an Any are resolved on request.
 * @param sourceOf undefined inside a group, a map entry, an extension or an Any, because messages there cannot be transformed.
 */
export function typeOfMessage(
  { registry, message }: ResolvedType,
  sourceOf: SourceOfMessage | undefined,
): MessageType {
  const inside = (desc: DescMessage, isPlain: boolean): MessageType =>
    typeOfMessage({ registry, message: desc }, isPlain ? sourceOf : undefined);
  const field = (desc: DescField | DescExtension): SourceField => fieldOf(desc, inside, sourceOf);
  return {
    typeName: message.typeName,
    knownSteps: () => message.fields.map(({ name }) => name),
    child: (step) => {
      if (typeof step === "number") return undefined;
      const plain = message.fields.find(({ name }) => name === step);
      if (plain !== undefined) return field(plain);
      const [, mapName] = KEYED_STEP.exec(step) ?? [];
      const map = message.fields.find(({ name, fieldKind }) => name === mapName && fieldKind === "map");
      if (map !== undefined) return mapValue(map, false, inside);
      const fullName = typeNameOfStep(step);
      if (fullName === undefined) return undefined;
      if (message.typeName === ANY_TYPE) {
        const cast = registry.getMessage(fullName);
        return cast && { type: { kind: "child", isRepeated: false }, message: inside(cast, false) };
      }
      const extension = registry.getExtension(fullName);
      if (extension?.extendee.typeName !== message.typeName) return undefined;
      const { payloadSource: _, ...found } = fieldOf(extension, (desc) => inside(desc, false), undefined);
      return found;
    },
  };
}

/** Returns the fields of a nested type. @param isPlain false if its message fields cannot be transformed. */
type Inside = (desc: DescMessage, isPlain: boolean) => MessageType;

/** Creates a field or extension. Groups have no payloads, because they are not length-delimited. */
function fieldOf(
  desc: DescField | DescExtension,
  inside: Inside,
  sourceOf: SourceOfMessage | undefined,
): SourceField {
  if (desc.fieldKind === "map") return entryField(desc, inside);
  const isRepeated = desc.fieldKind === "list";
  if (desc.message === undefined) return { type: leafType(desc, isRepeated) };
  const isGroup = "delimitedEncoding" in desc && desc.delimitedEncoding;
  return {
    type: { kind: "child", isRepeated },
    message: inside(desc.message, !isGroup),
    ...(sourceOf && !isGroup && { payloadSource: sourceOf(desc.message) }),
  };
}

function leafType({ scalar }: DescField | DescExtension, isRepeated: boolean): FieldType {
  // Enums are read as numbers.
  return { kind: "leaf", isRepeated, dtype: dtypes[scalar ?? ScalarType.INT32] };
}

/** Creates the field of all entries of a map: repeated messages with `key` and `value`. */
function entryField(map: DescField & { fieldKind: "map" }, inside: Inside): SourceField {
  const key: SourceField = { type: { kind: "leaf", isRepeated: false, dtype: dtypes[map.mapKey] } };
  const message: MessageType = {
    typeName: `${map.parent.typeName}.${map.name} entry`,
    knownSteps: () => ["key", "value"],
    child: (step) => {
      if (step === "key") return key;
      return step === "value" ? mapValue(map, false, inside) : undefined;
    },
  };
  return { type: { kind: "child", isRepeated: true }, message };
}

function mapValue(map: DescField, isRepeated: boolean, inside: Inside): SourceField {
  if (map.message === undefined) return { type: leafType(map, isRepeated) };
  return { type: { kind: "child", isRepeated }, message: inside(map.message, false) };
}

const dtypes: Readonly<Record<ScalarType, DType>> = {
  [ScalarType.DOUBLE]: "float64",
  [ScalarType.FLOAT]: "float32",
  [ScalarType.INT64]: "int64",
  [ScalarType.UINT64]: "uint64",
  [ScalarType.INT32]: "int32",
  [ScalarType.FIXED64]: "uint64",
  [ScalarType.FIXED32]: "uint32",
  [ScalarType.BOOL]: "bool",
  [ScalarType.STRING]: "string",
  [ScalarType.BYTES]: "string",
  [ScalarType.UINT32]: "uint32",
  [ScalarType.SFIXED32]: "int32",
  [ScalarType.SFIXED64]: "int64",
  [ScalarType.SINT32]: "int32",
  [ScalarType.SINT64]: "int64",
};
