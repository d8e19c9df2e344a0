import { loadDescriptors } from "#coders";
import type { DescMessage } from "@bufbuild/protobuf";
import type { MessageType } from "./message-type.js";

/**
 * A message type from a `FileDescriptorSet`, as written by `protoc --descriptor_set_out --include_imports` and `buf build`, or
 * from a generated schema of protobuf-es, which includes its name.
 * @throws {ArgumentError} `invalid-argument`; reason `unknown-message` for a name that the descriptors lack.
 * @throws {SchemaError} `schema-invalid` (`descriptor`) for bytes that are not a complete `FileDescriptorSet`.
 */
export async function messageType(source: DescMessage): Promise<MessageType>;
export async function messageType(source: Uint8Array, message: string): Promise<MessageType>;
export async function messageType(source: Uint8Array | DescMessage, message?: string): Promise<MessageType> {
  const { typeOfSource } = await loadDescriptors();
  return typeOfSource(source, message);
}

/**
 * A message type from the text of `.proto` files: proto2, proto3 or edition 2023. Loads the parser, protobufjs, at the first
 * call. Imports are resolved among `files` by path; Google's well-known types can be omitted.
 * @param files A single text, or texts by path.
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
