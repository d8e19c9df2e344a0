import path from "node:path";
import type { WritableFormat } from "@tfxio/format";
import { openTarget } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";

/** Writes a file of at least one batch. */
export async function writeBatches(
  format: WritableFormat,
  file: string,
  batches: readonly RecordBatch[],
  options: object,
): Promise<void> {
  const [first] = batches;
  if (first === undefined) throw new Error(`no batch to write to ${path.basename(file)}`);
  const target = await openTarget(file);
  try {
    const writer = await format.createWriter(target, { arrowSchema: first.schema, options });
    for (const batch of batches) await writer.write(batch);
    await writer.finish();
    await target.commit();
  } catch (error) {
    await target.discard();
    throw error;
  }
}
