import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { ColumnPath } from "@tfxio/schema";
import { type MessageType } from "@tfxio/formats-protobuf";

/** A case of the form `proto_to_arrow`, as its README tells. */
export interface VectorCase {
  readonly id: string;
  readonly input: {
    readonly schema: string;
    readonly message: string;
    readonly records: readonly { readonly b64: string }[];
  };
  readonly projection?: readonly string[];
  readonly expect: {
    readonly schema?: readonly VectorField[];
    readonly rows?: readonly object[];
    readonly error?: { readonly code: string; readonly record?: number };
  };
}

/** A column of a case's schema. */
export interface VectorField {
  readonly name: string;
  readonly list: string | { readonly struct: readonly VectorField[] };
}

/** Vectors and goldens are not part of the repository; tests of them pass over when they are absent. */
export function vectorFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json") && name !== "schemas.json")
    .map((name) => path.join(folder, name));
}

/** The cases of a file. */
export function casesOf(file: string): readonly VectorCase[] {
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly cases: readonly VectorCase[] }).cases;
}

/** The type of a case's records, from the descriptors beside its file. */
export function typeOf(file: string, { input }: VectorCase): MessageType {
  const { schemas } = JSON.parse(readFileSync(path.join(path.dirname(file), "schemas.json"), "utf8")) as {
    readonly schemas: Readonly<Record<string, { readonly fileDescriptorSetB64: string }>>;
  };
  return { descriptor: schemas[input.schema]!.fileDescriptorSetB64, message: input.message };
}

/** The records of a case. */
export function recordsOf({ input }: VectorCase): readonly Uint8Array[] {
  return input.records.map(({ b64 }) => Uint8Array.from(Buffer.from(b64, "base64")));
}

/** The columns of a case; undefined for all. */
export function columnsOf({ projection }: VectorCase): readonly ColumnPath[] | undefined {
  return projection?.map((text) => ColumnPath.parse(text));
}
