import { plainRows } from "@tfxio/arrow-encoding";
import type { ReadRequest } from "@tfxio/format";
import { avro, type AvroOptions } from "@tfxio/formats-avro";
import { bytesSource, memoryTarget } from "@tfxio/wire";
import { type RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** Reads all batches of a file. */
export async function avroBatches(bytes: Uint8Array, request: ReadRequest = {}): Promise<RecordBatch[]> {
  const reader = await avro.open([bytesSource(bytes, "test.avro")]);
  const plan = await reader.plan(request);
  const batches: RecordBatch[] = [];
  for (const split of plan.splits) for await (const batch of plan.read(split)) batches.push(batch);
  return batches;
}

/** Returns rows as plain data. */
export async function avroRows(bytes: Uint8Array, request: ReadRequest = {}): Promise<object[]> {
  return (await avroBatches(bytes, request)).flatMap((batch) => [...plainRows(batch)]);
}

/** Writes the batches to a file. */
export async function avroFile(
  batches: readonly RecordBatch[],
  options: Partial<AvroOptions> = {},
): Promise<Uint8Array> {
  const target = memoryTarget();
  const arrowSchema = batches[0]?.schema ?? new ArrowSchema([]);
  const writer = await avro.createWriter(target, { arrowSchema, options });
  for (const batch of batches) await writer.write(batch);
  await writer.finish();
  await target.commit();
  return target.bytes();
}
