import { create, type DescField, type DescMessage, toBinary } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  OneofDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import type { MessageType } from "@tfxio/formats-protobuf";
import type { Path } from "../path/path.js";

const FILE = "tfxio/payload.proto";
const PACKAGE = "tfxio.payload";
/** Name of the empty message type that is declared for every group, because groups are not read. */
const GROUP = "Group";

/**
 * Creates a message type with which the decoder returns the serialized messages at `path`. Each step has its own message, with
 * only the field of that step and the other members of its oneof. The last field is declared as bytes. If the last field is
 * singular, it is declared repeated, so that all occurrences can be merged. A member of a oneof stays singular: if a message
 * contains several members of the oneof, only the last of them counts by default.
 * @param path steps through plain message fields.
 */
export function payloadType(root: DescMessage, path: Path): MessageType {
  const levels: DescriptorProto[] = [];
  let message: DescMessage | undefined = root;
  for (const [depth, step] of path.steps.entries()) {
    const field: DescField | undefined = message?.fields.find(({ name }) => name === step);
    if (message === undefined || field === undefined)
      throw new Error(`the message has no plain field "${path}"`);
    const isLast = depth === path.length - 1;
    levels.push(levelOf(message, field, depth, isLast));
    message = field.message;
  }
  const file = create(FileDescriptorProtoSchema, {
    name: FILE,
    package: PACKAGE,
    syntax: "proto2",
    messageType: [...levels, create(DescriptorProtoSchema, { name: GROUP })],
  });
  const set = create(FileDescriptorSetSchema, { file: [file] });
  return { descriptor: base64Encode(toBinary(FileDescriptorSetSchema, set)), message: `${PACKAGE}.Level0` };
}

/** Declares the message for one step. @param depth index of the step. */
function levelOf(message: DescMessage, field: DescField, depth: number, isLast: boolean): DescriptorProto {
  const { oneof } = field;
  const own = isLast
    ? { type: FieldDescriptorProto_Type.BYTES }
    : { type: FieldDescriptorProto_Type.MESSAGE, typeName: `.${PACKAGE}.Level${depth + 1}` };
  const isRepeated = field.fieldKind === "list" || (isLast && oneof === undefined);
  const label = isRepeated ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL;
  const others = oneof === undefined ? [] : oneof.fields.filter(({ number }) => number !== field.number);
  const membership = oneof === undefined ? {} : { oneofIndex: 0 };
  return create(DescriptorProtoSchema, {
    name: `Level${depth}`,
    field: [
      create(FieldDescriptorProtoSchema, {
        name: field.name,
        number: field.number,
        label,
        ...own,
        ...membership,
      }),
      ...others.map((other) => rivalOf(other)),
    ],
    oneofDecl: oneof === undefined ? [] : [create(OneofDescriptorProtoSchema, { name: oneof.name })],
  });
}

/**
 * Declares another member of the oneof, with its original wire type. This member is not read. If it occurs, it clears
 * the member that is read, unless the decoder's option `oneof` is `"independent"`.
 */
function rivalOf(field: DescField): FieldDescriptorProto {
  const { name, number, proto } = field;
  const rival = { name, number, label: FieldDescriptorProto_Label.OPTIONAL, oneofIndex: 0 };
  const types = FieldDescriptorProto_Type;
  if ("delimitedEncoding" in field && field.delimitedEncoding) {
    return create(FieldDescriptorProtoSchema, {
      ...rival,
      type: types.GROUP,
      typeName: `.${PACKAGE}.${GROUP}`,
    });
  }
  const { ENUM, INT32, MESSAGE, BYTES } = types;
  const type = proto.type === ENUM ? INT32 : proto.type === MESSAGE ? BYTES : proto.type;
  return create(FieldDescriptorProtoSchema, { ...rival, type });
}
