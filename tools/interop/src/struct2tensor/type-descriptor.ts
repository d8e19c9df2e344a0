import { create, toBinary } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as FieldType,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import type { MessageType } from "@tfxio/formats-protobuf";
import { anyContent, anyMessage, type FieldShape, type MessageShape } from "./random-type.js";

// Field numbers of extensions; `end` is exclusive.
const EXTENSION_RANGE = { start: 1000, end: 1010 };

/** Returns the message type with its descriptors, in proto2 syntax except for Any. Every field is optional or repeated. */
export function messageTypeOf(root: MessageShape): MessageType {
  const messages = new Map([[anyContent.name, anyContent]]);
  collectMessages(root, messages);
  const any = create(FileDescriptorProtoSchema, {
    name: "google/protobuf/any.proto",
    package: "google.protobuf",
    syntax: "proto3",
    messageType: [descriptorOf(anyMessage)],
  });
  const file = create(FileDescriptorProtoSchema, {
    name: "fuzz.proto",
    package: "fuzz",
    syntax: "proto2",
    dependency: [any.name],
    messageType: [...messages.values()].map((message) => descriptorOf(message)),
    enumType: [
      {
        name: "Color",
        value: [
          { name: "RED", number: 0 },
          { name: "GREEN", number: 1 },
          { name: "BLUE", number: -2 },
        ],
      },
    ],
    extension: root.fields
      .filter(({ isExtension }) => isExtension)
      .map((field) => ({ ...fieldOf(field, root), extendee: `.fuzz.${root.name}` })),
  });
  const bytes = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [any, file] }));
  return { descriptor: Buffer.from(bytes).toString("base64"), message: `fuzz.${root.name}` };
}

/** Collects message types by name. Skips Any, and also map entries, which are declared inside the enclosing message. */
function collectMessages(message: MessageShape, found: Map<string, MessageShape>): void {
  if (message.kind === "message") found.set(message.name, message);
  for (const { type } of message.fields) if (typeof type === "object") collectMessages(type, found);
}

function descriptorOf(message: MessageShape): {
  readonly name: string;
  readonly field: ReturnType<typeof fieldOf>[];
  readonly nestedType: ReturnType<typeof descriptorOf>[];
} {
  const { name, kind, fields } = message;
  const own = fields.filter(({ isExtension }) => !isExtension);
  const entries = own.flatMap(({ type }) =>
    typeof type === "object" && type.kind === "mapEntry" ? [type] : [],
  );
  return {
    name,
    field: own.map((field) => fieldOf(field, message)),
    nestedType: entries.map(descriptorOf),
    ...(kind === "mapEntry" && { options: { mapEntry: true } }),
    ...(kind === "message" && { extensionRange: [EXTENSION_RANGE] }),
  };
}

function fieldOf({ name, number, type, isRepeated }: FieldShape, parent: MessageShape) {
  const typeName = typeNameOf(type, parent);
  return {
    name,
    number,
    label: isRepeated ? Label.REPEATED : Label.OPTIONAL,
    type:
      typeof type === "string" ? FieldType[type.toUpperCase() as keyof typeof FieldType] : FieldType.MESSAGE,
    ...(typeName !== undefined && { typeName }),
  };
}

function typeNameOf(type: FieldShape["type"], parent: MessageShape): string | undefined {
  if (type === "enum") return ".fuzz.Color";
  if (typeof type === "string") return undefined;
  if (type.kind === "any") return ".google.protobuf.Any";
  return type.kind === "mapEntry" ? `.fuzz.${parent.name}.${type.name}` : `.fuzz.${type.name}`;
}
