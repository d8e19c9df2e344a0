import { decodeRecords } from "@tfxio/format";
import { type ProtobufOptions, protobufPayload } from "@tfxio/formats-protobuf";
import { ColumnPath } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";
import type { VectorCase } from "../vector-file.js";
import { messageTypeOf } from "./expression-case.js";

/** Records of one message type, and the batch or error to expect. */
export interface MessageCase {
  readonly input: {
    readonly schema: string;
    readonly message: string;
    readonly records: readonly { readonly b64: string }[];
  };
  readonly options?: Partial<ProtobufOptions>;
  /** Paths of the columns to decode. Default: all. */
  readonly projection?: readonly string[];
  readonly expect: {
    readonly schema?: readonly ColumnJson[];
    readonly rows?: readonly object[];
    readonly error?: { readonly code: string; readonly record?: number };
  };
}

/** A list column of a case. `list` is the type of the items. */
export interface ColumnJson {
  readonly name: string;
  readonly list: string | { readonly struct: readonly ColumnJson[] };
}

/** Decodes a case's records to a batch. */
export async function decodeCase(vector: VectorCase): Promise<RecordBatch> {
  const { input, options = {}, projection } = vector.body as unknown as MessageCase;
  const payload = protobufPayload({ ...messageTypeOf(vector, input), ...options });
  const decoder = await decodeRecords(payload, {
    columns: projection?.map((text) => ColumnPath.parse(text)),
  });
  return decoder.decode(input.records.map(({ b64 }) => Uint8Array.from(Buffer.from(b64, "base64")))).batch;
}
