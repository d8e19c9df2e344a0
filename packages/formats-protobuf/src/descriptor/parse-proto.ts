import { create, toBinary } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { isTfxioError, SchemaError } from "@tfxio/wire";
import { aName, anObject, assertArgument, aString } from "@tfxio/wire/checks";
import type { MessageType } from "../message-type.js";
import { fileDescriptor } from "./file-descriptor.js";
import { resolveMessageType } from "./message-types.js";
import { WELL_KNOWN_FILES } from "./well-known-files.js";

/** Path of the only file, if the caller passes its text without a path. */
const ONLY_FILE = "input.proto";

/** Implements {@link parseProto}. Loaded on demand. */
export async function parseFiles(
  files: string | Readonly<Record<string, string>>,
  message: string,
): Promise<MessageType> {
  assertArgument("message", message, aName);
  if (typeof files !== "string") assertArgument("files", files, anObject);
  const texts = typeof files === "string" ? { [ONLY_FILE]: files } : files;
  for (const [path, text] of Object.entries(texts)) assertArgument(`files["${path}"]`, text, aString);
  const set = create(FileDescriptorSetSchema, { file: await parseAll(texts) });
  const type = { descriptor: base64Encode(toBinary(FileDescriptorSetSchema, set)), message };
  resolveMessageType(type);
  return type;
}

/** Parses all files. Returns their descriptors, each after the files that it imports. */
async function parseAll(texts: Readonly<Record<string, string>>): Promise<FileDescriptorProto[]> {
  const { default: protobufjs } = await import("protobufjs");
  const root = new protobufjs.Root();
  const parsed = new Map<string, { readonly package: string; readonly imports: readonly string[] }>();
  const wellKnown = new Set<string>();

  const visit = (path: string, importer: string): void => {
    if (parsed.has(path) || wellKnown.has(path)) return;
    const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
    if (text === undefined) {
      const common = WELL_KNOWN_FILES.has(path) ? protobufjs.common.get(path) : null;
      if (!common) throw unparsable(importer, `it imports "${path}", which must be among the files`);
      wellKnown.add(path);
      root.addJSON(common.nested ?? {});
      return;
    }
    const file = parseText(path, text);
    parsed.set(path, file);
    for (const imported of file.imports) visit(imported, path);
  };

  const parseText = (path: string, text: string) => {
    try {
      // protobufjs stores this name in each declaration of the text that it parses next. The typings of protobufjs lack the
      // property `filename`.
      Object.assign(protobufjs.parse, { filename: path });
      const file = protobufjs.parse(text, root, { keepCase: true });
      return { package: file.package ?? "", imports: [...(file.imports ?? []), ...(file.weakImports ?? [])] };
    } catch (cause) {
      throw unparsable(path, messageOf(cause), cause);
    }
  };

  for (const path of Object.keys(texts)) visit(path, path);
  try {
    root.resolveAll();
    const own = inImportOrder(parsed).map((path) =>
      fileDescriptor(root, { name: path, ...parsed.get(path)! }, protobufjs),
    );
    return [...[...wellKnown].map((path) => WELL_KNOWN_FILES.get(path)!.proto), ...own];
  } catch (cause) {
    if (isTfxioError(cause)) throw cause;
    throw unparsable(Object.keys(texts).join(" or "), messageOf(cause), cause);
  }
}

/** Returns the paths of the files, each after its imports. @throws {SchemaError} `schema-invalid` (`proto-text`) for a cycle. */
function inImportOrder(
  files: ReadonlyMap<string, { readonly imports: readonly string[] }>,
): readonly string[] {
  const order = new Set<string>();
  const open = new Set<string>();
  const visit = (path: string): void => {
    const file = files.get(path);
    if (file === undefined || order.has(path)) return;
    if (open.has(path)) throw unparsable(path, "it must not import itself, directly or through other files");
    open.add(path);
    for (const imported of file.imports) visit(imported);
    order.add(path);
  };
  for (const path of files.keys()) visit(path);
  return [...order];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Creates the error for `.proto` files that cannot be used.
 * @param path the file, or all files if it is unknown which of them is at fault.
 * @param detail the problem, without a full stop.
 */
function unparsable(path: string, detail: string, cause?: unknown): SchemaError {
  return new SchemaError("schema-invalid", `${path} is not a usable .proto file: ${detail}.`, {
    reason: "proto-text",
    cause,
  });
}
