import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type DescriptorProtoSchema,
  Edition,
  FeatureSet_FieldPresence as Presence,
  FeatureSet_MessageEncoding as MessageEncoding,
  FeatureSet_RepeatedFieldEncoding as RepeatedEncoding,
  type FieldDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as FieldType,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import type protobufjs from "protobufjs";

type Field = MessageInitShape<typeof FieldDescriptorProtoSchema>;
type Message = MessageInitShape<typeof DescriptorProtoSchema>;

const SCALARS: Readonly<Record<string, FieldType>> = {
  double: FieldType.DOUBLE,
  float: FieldType.FLOAT,
  int64: FieldType.INT64,
  uint64: FieldType.UINT64,
  int32: FieldType.INT32,
  fixed64: FieldType.FIXED64,
  fixed32: FieldType.FIXED32,
  bool: FieldType.BOOL,
  string: FieldType.STRING,
  bytes: FieldType.BYTES,
  uint32: FieldType.UINT32,
  sfixed32: FieldType.SFIXED32,
  sfixed64: FieldType.SFIXED64,
  sint32: FieldType.SINT32,
  sint64: FieldType.SINT64,
};

/** A parsed file. All files are parsed into one root, so the declarations of a file are found by their `filename`. */
export interface ParsedFile {
  readonly name: string;
  readonly package: string;
  readonly imports: readonly string[];
}

/**
 * Creates the descriptor of a parsed file, always in edition 2023. Each field states explicitly what the syntax of the file
 * implies, so proto2 and proto3 need no separate cases. protobufjs has its own converter, but it writes relative type names,
 * which other libraries reject.
 */
export function fileDescriptor(
  root: protobufjs.Root,
  file: ParsedFile,
  { Type, Enum, Field, MapField }: Pick<typeof protobufjs, "Type" | "Enum" | "Field" | "MapField">,
): FileDescriptorProto {
  const isOwn = ({ filename }: protobufjs.ReflectionObject): boolean => filename === file.name;
  const scope = file.package === "" ? root : root.lookup(file.package);
  const declared = partsOf((scope as protobufjs.NamespaceBase | null)?.nestedArray ?? []);
  return create(FileDescriptorProtoSchema, {
    name: file.name,
    package: file.package,
    dependency: [...file.imports],
    syntax: "editions",
    edition: Edition.EDITION_2023,
    messageType: declared.types.filter(isOwn).map(messageDescriptor),
    enumType: declared.enums.filter(isOwn).map(enumDescriptor),
    extension: declared.extensions.filter(isOwn).map(extensionDescriptor),
  });

  function partsOf(objects: readonly protobufjs.ReflectionObject[]) {
    return {
      types: objects.filter((object) => object instanceof Type),
      enums: objects.filter((object) => object instanceof Enum),
      extensions: objects.filter((object) => object instanceof Field),
    };
  }

  function messageDescriptor(type: protobufjs.Type): Message {
    const { types, enums, extensions } = partsOf(type.nestedArray);
    // protobufjs lists an extension both in the message that declares it and in the message that it extends.
    const fields = type.fieldsArray.filter(({ declaringField }) => !declaringField);
    const oneofs = type.oneofsArray.filter(({ isProto3Optional }) => !isProto3Optional);
    const maps = fields.filter((field) => field instanceof MapField);
    const isMessageSet = type.getOption("message_set_wire_format") === true;
    return {
      name: type.name,
      field: fields.map((field) => fieldDescriptor(field, oneofs.indexOf(field.partOf!), type)),
      nestedType: [...types.map(messageDescriptor), ...maps.map(entryDescriptor)],
      enumType: enums.map(enumDescriptor),
      extension: extensions.map(extensionDescriptor),
      // The ends of ranges are inclusive in protobufjs and exclusive in descriptors.
      extensionRange: (type.extensions ?? []).map(([start = 0, end = 0]) => ({ start, end: end + 1 })),
      oneofDecl: oneofs.map(({ name }) => ({ name })),
      ...(isMessageSet && { options: { messageSetWireFormat: true } }),
    };
  }

  function enumDescriptor({ name, values }: protobufjs.Enum) {
    return { name, value: Object.entries(values).map(([key, number]) => ({ name: key, number })) };
  }

  function extensionDescriptor(field: protobufjs.Field): Field {
    const extendee = field.extensionField?.parent?.fullName;
    return { ...fieldDescriptor(field, -1), ...(extendee !== undefined && { extendee }) };
  }

  function fieldDescriptor(field: protobufjs.Field, oneofIndex: number, around?: protobufjs.Type): Field {
    const { name, id, repeated, map, resolvedType } = field.resolve();
    if (map) {
      const typeName = `${around!.fullName}.${entryName(name)}`;
      return { name, number: id, label: Label.REPEATED, type: FieldType.MESSAGE, typeName };
    }
    const isGroup = resolvedType instanceof Type && isGroupType(resolvedType);
    return {
      name: isGroup ? resolvedType.name.toLowerCase() : name,
      number: id,
      label: repeated ? Label.REPEATED : Label.OPTIONAL,
      ...valueDescriptor(field),
      ...(oneofIndex >= 0 && { oneofIndex }),
      options: { features: featuresOf(field) },
    };
  }

  function valueDescriptor({ type, resolvedType }: protobufjs.FieldBase): Pick<Field, "type" | "typeName"> {
    if (resolvedType instanceof Type) return { type: FieldType.MESSAGE, typeName: resolvedType.fullName };
    if (resolvedType instanceof Enum) return { type: FieldType.ENUM, typeName: resolvedType.fullName };
    return { type: SCALARS[type]! };
  }

  /** Creates the entry type of a map, with the name that protoc gives to it. */
  function entryDescriptor(map: protobufjs.MapField): Message {
    const optional = { label: Label.OPTIONAL };
    return {
      name: entryName(map.name),
      field: [
        { name: "key", number: 1, ...optional, type: SCALARS[map.keyType]! },
        { name: "value", number: 2, ...optional, ...valueDescriptor(map) },
      ],
      options: { mapEntry: true },
    };
  }

  /** Returns the features of edition 2023 that describe the presence and encoding of a field. */
  function featuresOf({
    type,
    repeated,
    required,
    hasPresence,
    packed,
    delimited,
    resolvedType,
  }: protobufjs.Field) {
    const encoding = delimited ? { messageEncoding: MessageEncoding.DELIMITED } : {};
    if (!repeated) {
      const optional = hasPresence ? Presence.EXPLICIT : Presence.IMPLICIT;
      return { ...encoding, fieldPresence: required ? Presence.LEGACY_REQUIRED : optional };
    }
    const isPackable = !(resolvedType instanceof Type) && type !== "string" && type !== "bytes";
    if (!isPackable) return encoding;
    return { repeatedFieldEncoding: packed ? RepeatedEncoding.PACKED : RepeatedEncoding.EXPANDED };
  }
}

/** Returns true for the type that a proto2 group declares. The typings of protobufjs lack `group`. */
function isGroupType(type: protobufjs.Type & { readonly group?: boolean }): boolean {
  return type.group === true;
}

/** Returns the name that protoc gives to the entry type of a map field: `StrMsgEntry` for `str_msg`. */
function entryName(field: string): string {
  const words = field.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Entry`;
}
