import { base64Decode } from "@bufbuild/protobuf/wire";
import protobufjs from "protobufjs";
// Adds `Root.fromDescriptor`.
import descriptor from "protobufjs/ext/descriptor.js";
import textformat from "protobufjs/ext/textformat.js";

/** Parses protobuf text into serialized messages; `required` fields must be there. */
export function loadTextParser(descriptorBase64: string, typeName: string): (text: string) => Uint8Array {
  const set = descriptor.FileDescriptorSet.decode(base64Decode(descriptorBase64));
  const type = protobufjs.Root.fromDescriptor(set as never).lookupType(typeName);
  return (text) => {
    const message = textformat.fromText(type, text);
    const problem = type.verify(message);
    if (problem !== null) throw new Error(problem);
    return Uint8Array.from(type.encode(message).finish());
  };
}
