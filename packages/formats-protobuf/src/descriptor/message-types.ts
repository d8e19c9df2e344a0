import {
  create,
  createFileRegistry,
  type DescFile,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  toBinary,
} from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { MessageType } from "../message-type.js";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import { aName, assertArgument, aUint8Array, membersOf } from "@tfxio/wire/checks";

/** Implements {@link messageType}. Loaded on demand. */
export function typeOfSource(source: Uint8Array | DescMessage, message?: string): MessageType {
  if (aUint8Array.holds(source)) {
    assertArgument("message", message, aName);
    const type = { descriptor: base64Encode(source as Uint8Array), message: message as string };
    resolveMessageType(type);
    return type;
  }
  if (membersOf(source)["kind"] !== "message") {
    assertArgument("source", source, {
      ...aUint8Array,
      expected: "a FileDescriptorSet as bytes, or a DescMessage",
    });
  }
  const { file, typeName } = source as DescMessage;
  const files = new Map<string, FileDescriptorProto>();
  addFile(file, files);
  const set = create(FileDescriptorSetSchema, { file: [...files.values()] });
  return { descriptor: base64Encode(toBinary(FileDescriptorSetSchema, set)), message: typeName };
}

/** The resolved form of a {@link MessageType}. */
export interface ResolvedMessageType {
  readonly registry: FileRegistry;
  readonly message: DescMessage;
}

/**
 * Resolves a message type.
 * @throws {ArgumentError} `invalid-argument` (`unknown-message`).
 * @throws {SchemaError} `schema-invalid` (`descriptor`).
 */
export function resolveMessageType({ descriptor, message }: MessageType): ResolvedMessageType {
  const registry = registryOf(descriptor);
  const found = registry.getMessage(message);
  if (found !== undefined) return { registry, message: found };
  const names = [...registry].filter(({ kind }) => kind === "message").map(({ typeName }) => typeName);
  const types =
    names.length === 0
      ? "it has no message types"
      : `its message types include ${names.slice(0, 5).join(", ")}`;
  throw new ArgumentError("invalid-argument", `The descriptor has no message type "${message}"; ${types}.`, {
    reason: "unknown-message",
    argument: "message",
  });
}

/** Parses a descriptor. @throws {SchemaError} `schema-invalid` (`descriptor`). */
function registryOf(descriptor: string): FileRegistry {
  try {
    return createFileRegistry(fromBinary(FileDescriptorSetSchema, base64Decode(descriptor)));
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new SchemaError(
      "schema-invalid",
      `The descriptor is not a complete FileDescriptorSet: ${detail}.`,
      {
        reason: "descriptor",
        cause,
      },
    );
  }
}

/** Adds a file after the files that it imports. Leaves out files that have already been added. */
function addFile(file: DescFile, files: Map<string, FileDescriptorProto>): void {
  if (files.has(file.name)) return;
  for (const dependency of file.dependencies) addFile(dependency, files);
  files.set(file.name, file.proto);
}
