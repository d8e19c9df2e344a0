import type { Format, ReadRequest } from "@tfxio/format";
import type { ByteSource } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** Reads all batches of a plan, one split after another. */
export async function readBatches(
  format: Format,
  sources: readonly ByteSource[],
  request: ReadRequest = {},
): Promise<{ readonly batches: readonly RecordBatch[]; readonly arrowSchema: ArrowSchema | undefined }> {
  const reader = await format.open(sources);
  try {
    const plan = await reader.plan(request);
    const batches: RecordBatch[] = [];
    for (const split of plan.splits) for await (const batch of plan.read(split)) batches.push(batch);
    return { batches, arrowSchema: plan.arrowSchema };
  } finally {
    await reader.close();
  }
}
