import type { ReadDescription } from "@tfxio/io";
import type { RecordBatch } from "apache-arrow";
import type { AsyncDoFn } from "../compat/repairs/process-async.js";
import { runUnit } from "../plan/run-unit.js";
import type { Unit } from "../plan/unit.js";
import { type BatchMetrics, countBatch } from "./metrics.js";
import { packJson, unpackJson } from "./packed-json.js";

/**
 * Yields the batches of the units that it receives as JSON. A pipeline contains only the name of this class and the packed
 * description, because the SDK cannot serialize typed arrays, Maps or private fields.
 */
export class ReadUnits implements AsyncDoFn<string, RecordBatch, BatchMetrics> {
  readonly description: string;

  private constructor(description: string) {
    this.description = description;
  }

  static async of(this: void, description: ReadDescription): Promise<ReadUnits> {
    return new ReadUnits(await packJson(description));
  }

  async *processAsync(unit: string, metrics: BatchMetrics): AsyncGenerator<RecordBatch, void, undefined> {
    const description = await unpackJson<ReadDescription>(this, this.description);
    let skippedBefore = 0;
    const onProgress = ({ numSkipped }: { readonly numSkipped: number }): void => {
      if (numSkipped > skippedBefore) metrics.skipped.increment(numSkipped - skippedBefore);
      skippedBefore = numSkipped;
    };
    for await (const batch of runUnit({ description }, JSON.parse(unit) as Unit, { onProgress })) {
      countBatch(metrics, batch);
      yield batch;
    }
  }
}
