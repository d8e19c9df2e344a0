import { recordBatchOf, sliceBatch } from "@tfxio/arrow-encoding";
import type { FixtureRow } from "@tfxio/format/testkit";
import { memoryTarget } from "@tfxio/wire";
import {
  Bool,
  type DataType,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  Int8,
  List,
  type RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { arrow, type ArrowOptions } from "../src/index.js";

const arrowSchema = new ArrowSchema([
  new Field("id", new Int64(), true),
  new Field("score", new Float64(), true),
  new Field("word", new Utf8(), true),
  new Field("good", new Bool(), true),
  new Field("kind", new Dictionary(new Utf8(), new Int8(), 0), true),
  new Field("parts", new List(new Field("item", new Int32(), true)), true),
  new Field(
    "point",
    new Struct([new Field("x", new Int32(), true), new Field("y", new Float64(), true)]),
    true,
  ),
]);

/** Creates a batch of rows with the columns of the fixtures. */
export function batchOf(rows: readonly FixtureRow[]): RecordBatch {
  const children = arrowSchema.fields.map(({ name, type }) => {
    return vectorFromArray(rows.map((row) => row[name] ?? null) as never[], type as DataType).data[0]!;
  });
  return recordBatchOf(arrowSchema, rows.length, children);
}

export interface WriteRowsOptions {
  readonly batchRows: number;
  readonly options?: Partial<ArrowOptions>;
}

/** Returns the bytes of a file or stream that holds these rows in batches of `batchRows`. */
export async function written(
  rows: readonly FixtureRow[],
  { batchRows, options }: WriteRowsOptions,
): Promise<Uint8Array> {
  const batch = rows.length === 0 ? undefined : batchOf(rows);
  const starts = Array.from({ length: Math.ceil(rows.length / batchRows) }, (_, at) => at * batchRows);
  const batches = starts.map((start) => sliceBatch(batch!, start, Math.min(start + batchRows, rows.length)));
  return writeBatches(arrowSchema, batches, options);
}

export async function writeBatches(
  schema: ArrowSchema,
  batches: readonly RecordBatch[],
  options: Partial<ArrowOptions> = {},
): Promise<Uint8Array> {
  const target = memoryTarget("written.arrow");
  const writer = await arrow.createWriter(target, { arrowSchema: schema, options });
  for (const batch of batches) await writer.write(batch);
  await writer.finish();
  await target.commit();
  return target.bytes();
}
