import type { Limits, ReadRequest } from "@tfxio/format";
import { parquet, type ParquetOptions } from "@tfxio/formats-parquet";
import { type ByteSource, memoryTarget } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** Reads all batches of a file. */
export async function readBatches(
  source: ByteSource,
  request: ReadRequest = {},
  limits: Partial<Limits> = {},
): Promise<RecordBatch[]> {
  const reader = await parquet.open([source], { limits });
  const plan = await reader.plan(request);
  const batches: RecordBatch[] = [];
  for (const split of plan.splits) for await (const batch of plan.read(split)) batches.push(batch);
  await reader.close();
  return batches;
}

/** Returns the batches as the bytes of a Parquet file. */
export async function parquetFile(
  arrowSchema: ArrowSchema,
  batches: readonly RecordBatch[],
  options: Partial<ParquetOptions> = {},
): Promise<Uint8Array> {
  const target = memoryTarget();
  const writer = await parquet.createWriter(target, { arrowSchema, options });
  for (const batch of batches) await writer.write(batch);
  await writer.finish();
  await target.commit();
  return target.bytes();
}
