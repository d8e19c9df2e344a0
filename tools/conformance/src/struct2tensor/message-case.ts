import { decodeRecords } from "@tfxio/format";
import { type MessageType, type ProtobufOptions, protobufPayload } from "@tfxio/formats-protobuf";
import { ColumnPath } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";
import { NotBuiltYet } from "../outcome.js";
import type { VectorCase } from "../vector-file.js";

/** Records of one message type, and what they must give. */
export interface MessageCase {
  readonly input: {
    readonly kind: string;
    readonly schema: string;
    readonly message: string;
    readonly format: string;
    readonly records: readonly { readonly b64: string }[];
  };
  readonly options?: Partial<ProtobufOptions>;
  readonly projection?: readonly string[];
  readonly query?: readonly { readonly op: string; readonly paths?: readonly string[] }[];
  readonly expect: {
    readonly schema?: readonly ColumnJson[];
    readonly rows?: readonly object[];
    readonly nodes?: Readonly<Record<string, NodeJson>>;
    readonly ragged?: Readonly<Record<string, unknown>>;
    readonly knownFields?: Readonly<Record<string, readonly string[]>>;
    readonly absent?: readonly string[];
    readonly error?: { readonly code: string; readonly record?: number };
  };
}

/** A column of a case. */
export interface ColumnJson {
  readonly name: string;
  readonly list: string | { readonly struct: readonly ColumnJson[] };
}

/** A field as an expression has it: its values and whose they are. */
export interface NodeJson {
  readonly node: "root" | "child" | "leaf";
  readonly size?: number;
  readonly parentIndex?: readonly number[];
  readonly dtype?: string;
  readonly values?: readonly unknown[];
}

/** The batch of a case's records; `columns` are paths as text, absent for all. */
export async function decodeCase(
  vector: VectorCase,
  columns: readonly string[] | undefined,
): Promise<RecordBatch> {
  const { input, options = {} } = vector.body as unknown as MessageCase;
  if (input.kind !== "protos") throw new NotBuiltYet("expressions over other data than messages");
  if (input.format !== "binary") throw new NotBuiltYet("records in text format");
  const payload = protobufPayload({ ...typeOf(vector, input), ...options });
  const decoder = await decodeRecords(payload, {
    columns: columns?.map((text) => ColumnPath.parse(text)),
  });
  return decoder.decode(input.records.map(({ b64 }) => Uint8Array.from(Buffer.from(b64, "base64")))).batch;
}

/** The type of the records, from the descriptors in the file `schemas.json` beside the case's. */
function typeOf({ readBeside }: VectorCase, { schema, message }: MessageCase["input"]): MessageType {
  if (readBeside === undefined) throw new Error("a case of messages without the file of its descriptors");
  const { schemas } = JSON.parse(readBeside("schemas.json")) as {
    readonly schemas: Readonly<Record<string, { readonly fileDescriptorSetB64: string }>>;
  };
  const descriptor = schemas[schema]?.fileDescriptorSetB64;
  if (descriptor === undefined) throw new Error(`no descriptor of the schema ${schema}`);
  return { descriptor, message };
}
