import { loadDescriptors } from "#coders";
import type { DescMessage } from "@bufbuild/protobuf";
import type { MessageType } from "./message-type.js";

/**
 * Returns a message type from a `FileDescriptorSet`, as written by `protoc --descriptor_set_out --include_imports` and
 * `buf build`, or from a schema that protobuf-es generated. Such a schema includes the name of its type.
 * @param message full name of the type, without a leading dot.
 * @throws {ArgumentError} `invalid-argument`, with the reason `unknown-message` for a name that the descriptors lack.
 * @throws {SchemaError} `schema-invalid` (`descriptor`) for bytes that are not a complete `FileDescriptorSet`.
 */
export async function messageType(source: DescMessage): Promise<MessageType>;
export async function messageType(source: Uint8Array, message: string): Promise<MessageType>;
export async function messageType(source: Uint8Array | DescMessage, message?: string): Promise<MessageType> {
  const { typeOfSource } = await loadDescriptors();
  return typeOfSource(source, message);
}

/**
 * Returns a message type from the text of `.proto` files: proto2, proto3 or edition 2023. The first call loads the parser,
 * protobufjs. Imports are resolved among `files` by path. Google's well-known types can be omitted.
 * @param files the text of a single file, or an object that maps the path of each file to its text.
 * @throws {SchemaError} `schema-invalid` (`proto-text`) for text that cannot be parsed, and for unresolved names or imports.
 * @throws {ArgumentError} `invalid-argument` (`unknown-message`) for a type that is not in the files.
 */
export async function parseProto(
  files: string | Readonly<Record<string, string>>,
  message: string,
): Promise<MessageType> {
  const { parseFiles } = await loadDescriptors();
  return parseFiles(files, message);
}
