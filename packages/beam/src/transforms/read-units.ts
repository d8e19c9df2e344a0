import type { Counter, Metric } from "apache-beam/transforms/pardo";
import type { ReadDescription } from "@tfxio/io";
import type { RecordBatch } from "apache-arrow";
import type { AsyncDoFn } from "../compat/repairs/process-async.js";
import { runUnit } from "../plan/run-unit.js";
import type { Unit } from "../plan/unit.js";

/** Counters of a read. */
export interface ReadMetrics {
  readonly numRows: Counter;
  readonly numBatches: Counter;
  /** Rows of each batch. */
  readonly batchRows: Metric<number>;
}

/**
 * Reads the units that it is given, as JSON. Travels to workers as its class name and the description, which is JSON too: the
 * SDK carries no typed arrays, Maps or private fields.
 */
export class ReadUnits implements AsyncDoFn<string, RecordBatch, ReadMetrics> {
  readonly description: string;

  constructor(description: ReadDescription) {
    this.description = JSON.stringify(description);
  }

  async *processAsync(unit: string, metrics: ReadMetrics): AsyncGenerator<RecordBatch, void, undefined> {
    const description = JSON.parse(this.description) as ReadDescription;
    for await (const batch of runUnit({ description }, JSON.parse(unit) as Unit)) {
      metrics.numRows.increment(batch.numRows);
      metrics.numBatches.increment();
      metrics.batchRows.update(batch.numRows);
      yield batch;
    }
  }
}
