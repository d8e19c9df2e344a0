import { decodeSchema, parseSchemaText, type Schema, schemaFromJson } from "@tfxio/schema";
import { fileSource, isTfxioError, messageWithoutCode, SchemaError } from "@tfxio/wire";

/**
 * Reads a schema file. The file's extension determines its form: JSON (`.json`), binary (`.pb`, `.bin`, `.binpb`), otherwise
 * protobuf text.
 * @throws {SchemaError} `schema-invalid`, with the path as `uri`.
 */
export async function readSchemaFile(path: string): Promise<Schema> {
  const bytes = await readWhole(path);
  try {
    if (/\.(pb|bin|binpb)$/i.test(path)) return decodeSchema(bytes);
    const text = new TextDecoder().decode(bytes);
    return /\.json$/i.test(path) ? schemaFromJson(parsedJson(text)) : parseSchemaText(text);
  } catch (error) {
    if (!isTfxioError(error, "schema-invalid")) throw error;
    const { reason, line, column } = error;
    const message = messageWithoutCode(error);
    throw new SchemaError(error.code, message, { uri: path, reason, line, column, cause: error });
  }
}

function parsedJson(text: string): Parameters<typeof schemaFromJson>[0] {
  try {
    return JSON.parse(text) as Parameters<typeof schemaFromJson>[0];
  } catch (cause) {
    throw new SchemaError("schema-invalid", `The file must be JSON: ${String(cause)}`, {
      reason: "json-format",
      cause,
    });
  }
}

/** Reads all bytes of a small file. */
export async function readWhole(path: string): Promise<Uint8Array> {
  const source = await fileSource(path);
  return source.slice(0, source.byteLength ?? 0);
}
