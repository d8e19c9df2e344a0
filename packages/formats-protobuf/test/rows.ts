import type { ColumnPath } from "@tfxio/schema";
import { decodeRecords } from "@tfxio/format";
import { type MessageType, type ProtobufOptions, protobufPayload } from "@tfxio/formats-protobuf";
import { ColumnPath as Path } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";

/** Columns and options for decoding. */
export interface Asked extends Partial<Omit<ProtobufOptions, "descriptor" | "message">> {
  readonly columns?: readonly string[];
}

/** Decodes records, and returns the rows as {@link plainRows} does. */
export async function rowsOf(
  type: MessageType,
  records: readonly Uint8Array[],
  asked: Asked = {},
): Promise<object[]> {
  return plainRows(await batchOf(type, records, asked));
}

/** Decodes records to a batch. */
export async function batchOf(
  type: MessageType,
  records: readonly Uint8Array[],
  { columns, ...options }: Asked = {},
): Promise<RecordBatch> {
  const paths: readonly ColumnPath[] | undefined = columns?.map((text) => Path.parse(text));
  const decoder = await decodeRecords(protobufPayload({ ...type, ...options }), { columns: paths });
  return decoder.decode(records).batch;
}

/** Returns rows as objects without null columns at any depth. Bytes become text. */
export function plainRows(batch: RecordBatch): object[] {
  return Array.from({ length: batch.numRows }, (_, row) =>
    present(batch.schema.fields.map(({ name }, index) => [name, batch.getChildAt(index)?.get(row)])),
  );
}

function present(fields: Iterable<readonly [string, unknown]>): object {
  return Object.fromEntries(
    [...fields].filter(([, value]) => value !== null).map(([name, value]) => [name, plain(value)]),
  );
}

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("latin1");
  if (typeof value !== "object" || value === null) return value;
  if ("get" in value && "length" in value) {
    const vector = value as { readonly length: number; get(index: number): unknown };
    return Array.from({ length: vector.length }, (_, index) => plain(vector.get(index)));
  }
  return present(value as Iterable<readonly [string, unknown]>);
}
