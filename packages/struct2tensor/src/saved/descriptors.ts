import {
  create,
  type DescEnum,
  type DescExtension,
  type DescFile,
  type DescMessage,
  toBinary,
} from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { typeNameOfStep } from "../path/step.js";
import type { Path } from "../path/path.js";
import { resolveType } from "../sources/protobuf-types.js";
import type { SourceMessages } from "../sources/query-source.js";

type Declared = DescMessage | DescEnum | DescExtension;

/**
 * Returns a serialized `FileDescriptorSet` with only the root message, the types and extensions that the paths name, and all
 * types that these use. A nested type is kept as part of its outermost enclosing type, which is kept whole. Each file follows
 * its imports.
 * @param paths the fields that the query reads. Their steps may name extensions and the types of messages inside an Any.
 */
export function prunedDescriptors(
  { descriptor, message }: SourceMessages,
  paths: readonly Path[],
): Uint8Array {
  const { registry, message: root } = resolveType({ descriptor, message });
  const kept = new Set<Declared>();
  const needs = new Map<DescFile, Set<DescFile>>();
  const keep = (declared: Declared | undefined, from?: DescFile): void => {
    if (declared === undefined) return;
    const outermost = outermostOf(declared);
    const { file } = outermost;
    if (!needs.has(file)) needs.set(file, new Set());
    if (from !== undefined && from !== file) needs.get(from)!.add(file);
    if (kept.has(outermost)) return;
    kept.add(outermost);
    typesIn(outermost).forEach((type) => keep(type, file));
  };
  keep(root);
  for (const name of paths.flatMap(({ steps }) => steps.map((step) => typeNameOfStep(String(step))))) {
    if (name === undefined) continue;
    keep(registry.getMessage(name));
    keep(registry.getExtension(name));
  }
  const file = inOrder(needs).map((each) => prunedFile(each, kept, needs.get(each)!));
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
}

/** Encodes a serialized `FileDescriptorSet` as base64, the form that sources accept. */
export function descriptorText(bytes: Uint8Array): string {
  return base64Encode(bytes);
}

/** Returns the declaration at file level that contains this one, or is this one. */
function outermostOf(declared: Declared): Declared {
  let outermost = declared;
  while (outermost.parent !== undefined) outermost = outermost.parent;
  return outermost;
}

/** Returns the types to which a declaration and its nested declarations refer. */
function typesIn(declared: Declared): readonly Declared[] {
  if (declared.kind === "enum") return [];
  if (declared.kind === "extension") return [declared.extendee, ...typesOf(declared)];
  return [
    ...declared.fields.flatMap(typesOf),
    ...declared.nestedMessages.flatMap(typesIn),
    ...declared.nestedExtensions.flatMap(typesIn),
  ];
}

function typesOf({ message, enum: values }: Pick<DescExtension, "message" | "enum">): readonly Declared[] {
  return [message, values].filter((type) => type !== undefined);
}

/** Sorts the files by name, except that each file follows its imports. */
function inOrder(needs: ReadonlyMap<DescFile, ReadonlySet<DescFile>>): readonly DescFile[] {
  const ordered = new Set<DescFile>();
  const visit = (file: DescFile, around: readonly DescFile[]): void => {
    if (ordered.has(file) || around.includes(file)) return;
    for (const needed of byName(needs.get(file)!)) visit(needed, [...around, file]);
    ordered.add(file);
  };
  byName(needs.keys()).forEach((file) => visit(file, []));
  return [...ordered];
}

function byName(files: Iterable<DescFile>): readonly DescFile[] {
  return [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns a file with only the kept declarations. @param needed the files that these declarations use. */
function prunedFile(
  { proto, messages, enums, extensions }: DescFile,
  kept: ReadonlySet<Declared>,
  needed: ReadonlySet<DescFile>,
): ReturnType<typeof create<typeof FileDescriptorProtoSchema>> {
  const protosOf = <Proto>(all: readonly (Declared & { readonly proto: Proto })[]): Proto[] =>
    all.filter((declared) => kept.has(declared)).map((declared) => declared.proto);
  return create(FileDescriptorProtoSchema, {
    name: proto.name,
    package: proto.package,
    syntax: proto.syntax,
    edition: proto.edition,
    ...(proto.options && { options: proto.options }),
    dependency: byName(needed).map(({ proto: other }) => other.name),
    messageType: protosOf(messages),
    enumType: protosOf(enums),
    extension: protosOf(extensions),
  });
}
