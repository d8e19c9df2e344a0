import { describe, expect, test } from "@jest/globals";
import { createFileRegistry, type FileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { parseProto } from "@tfxio/formats-protobuf";
import { readFileSync } from "node:fs";
import path from "node:path";

// Types as text, and their descriptors from protoc.
const file = path.resolve(
  import.meta.dirname,
  "../../../tools/conformance/vectors/struct2tensor/schemas.json",
);
const { schemas } = JSON.parse(readFileSync(file, "utf8")) as {
  readonly schemas: Readonly<
    Record<string, { readonly fileDescriptorSetB64: string; readonly protoSource?: string }>
  >;
};

function registryOf(descriptor: string): FileRegistry {
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, Buffer.from(descriptor, "base64")));
}

/** Describes every field by the properties that determine its encoding. */
function fieldsOf(registry: FileRegistry): object {
  return Object.fromEntries(
    [...registry].flatMap((type): [string, unknown][] => {
      if (type.kind === "extension") return [[type.typeName, [type.extendee.typeName, describeField(type)]]];
      return type.kind === "message" ? [[type.typeName, type.fields.map(describeField)]] : [];
    }),
  );
}

function describeField(field: object): readonly unknown[] {
  const {
    name,
    number,
    fieldKind,
    scalar,
    listKind,
    mapKind,
    mapKey,
    presence,
    packed,
    delimitedEncoding,
    ...types
  } = field as Readonly<Record<string, unknown>>;
  const {
    message,
    enum: enumeration,
    oneof,
  } = types as Readonly<Record<string, { typeName?: string; name: string }>>;
  const kinds = [fieldKind, scalar, listKind, mapKind, mapKey, presence, packed, delimitedEncoding];
  return [name, number, ...kinds, message?.typeName, enumeration?.typeName, oneof?.name];
}

describe("parseProto yields the same types as protoc", () => {
  const sources = Object.entries(schemas).filter(([, { protoSource }]) => protoSource !== undefined);

  test.each(sources)("for the schema %s", async (name, { fileDescriptorSetB64, protoSource = "" }) => {
    const wanted = registryOf(fileDescriptorSetB64);
    const first = [...wanted].find(({ kind }) => kind === "message");
    const files = { [`${name}.proto`]: protoSource, "retail.proto": schemas["retail"]!.protoSource! };
    const { descriptor } = await parseProto(files, first!.typeName);
    expect(fieldsOf(registryOf(descriptor))).toMatchObject(fieldsOf(wanted));
  });
});

test("a file can import a file that comes later and uses an edition", async () => {
  const files = {
    "a.proto": 'syntax = "proto3"; package a; import "b.proto"; message A { b.B b = 1; }',
    "b.proto": 'edition = "2023"; package b; message B { int32 x = 1 [features.field_presence = IMPLICIT]; }',
  };
  const { descriptor } = await parseProto(files, "a.A");
  expect(registryOf(descriptor).getMessage("b.B")?.fields[0]?.presence).toBe(2);
});

test.each([
  ["text that is not a .proto file", "message {", "Name", "proto-text"],
  ["a field whose type is not declared", 'syntax = "proto3"; message A { B b = 1; }', "A", "proto-text"],
  ["a missing import", 'import "x.proto"; message A {}', "A", "proto-text"],
  ["a file that imports itself", 'import "input.proto"; message A {}', "A", "proto-text"],
  ["a message name that the text lacks", 'syntax = "proto3"; message A {}', "B", "unknown-message"],
])("parseProto rejects %s", async (_, text, name, reason) => {
  await expect(parseProto(text, name)).rejects.toMatchObject({ reason });
});
