import { loadDescriptors } from "#coders";
import type { DescMessage } from "@bufbuild/protobuf";
import type { MessageType } from "./message-type.js";

/**
 * A message type from a `FileDescriptorSet`, as `protoc --descriptor_set_out --include_imports` and `buf build` write it, or
 * from a generated schema of protobuf-es, which knows its own name.
 * @throws {ArgumentError} `invalid-argument`, also (`unknown-message`) for a name that the descriptors lack.
 * @throws {SchemaError} `schema-invalid` (`descriptor`) for bytes that are no complete `FileDescriptorSet`.
 */
export async function messageType(source: DescMessage): Promise<MessageType>;
export async function messageType(source: Uint8Array, message: string): Promise<MessageType>;
export async function messageType(source: Uint8Array | DescMessage, message?: string): Promise<MessageType> {
  const { typeOfSource } = await loadDescriptors();
  return typeOfSource(source, message);
}

/**
 * A message type from the text of `.proto` files, proto2, proto3 or edition 2023, parsed by protobufjs, which is loaded with the
 * first call. `import`s are looked up among `files` by their path; Google's well-known types need not be there.
 * @param files One text, or texts by path.
 * @throws {SchemaError} `schema-invalid` (`proto-text`) for text that cannot be parsed, names or imports that cannot be found.
 * @throws {ArgumentError} `invalid-argument` (`unknown-message`) for a type that is not in the files.
 */
export async function parseProto(
  files: string | Readonly<Record<string, string>>,
  message: string,
): Promise<MessageType> {
  const { parseFiles } = await loadDescriptors();
  return parseFiles(files, message);
}
