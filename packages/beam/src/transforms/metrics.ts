import type { Counter, Metric } from "apache-beam/transforms/pardo";
import { batchByteSize } from "@tfxio/arrow-encoding";
import type { RecordBatch } from "apache-arrow";
import type { Sdk } from "../compat/sdk.js";

/** Metrics of record batches that a transform yields. */
export interface BatchMetrics {
  /** Distribution of the rows per batch. Its sum is the number of rows. */
  readonly rows: Metric<number>;
  /** Distribution of the bytes per batch, in memory. */
  readonly batchBytes: Metric<number>;
  /** Records skipped because they are malformed. */
  readonly skipped: Counter;
}

/** Metrics of serialized records. */
export interface RecordMetrics {
  readonly records: Counter;
  readonly recordBytes: Metric<number>;
}

/**
 * Metrics of batches, under tfx_bsl's names without its prefix `LogicalFormat[…]-PhysicalFormat[…]-`. tfx_bsl has no metric for
 * skipped records.
 * @see tfx_bsl `telemetry._ProfileRecordBatchDoFn`
 */
export function batchMetrics({ transforms: { counter, distribution } }: Sdk): BatchMetrics {
  return {
    rows: distribution("num_rows"),
    batchBytes: distribution("record_batch_byte_size"),
    skipped: counter("num_skipped_records"),
  };
}

/** Metrics of records, under tfx_bsl's names. @see tfx_bsl `telemetry._ProfileRawRecordDoFn` */
export function recordMetrics({ transforms: { counter, distribution } }: Sdk): RecordMetrics {
  return { records: counter("num_raw_records"), recordBytes: distribution("raw_record_byte_size") };
}

/** Counts a batch that a transform is about to yield. */
export function countBatch({ rows, batchBytes }: Omit<BatchMetrics, "skipped">, batch: RecordBatch): void {
  rows.update(batch.numRows);
  batchBytes.update(batchByteSize(batch, { ignoreUnsupported: true }));
}

/** Counts a record. */
export function countRecord({ records, recordBytes }: RecordMetrics, record: Uint8Array): void {
  records.increment();
  recordBytes.update(record.length);
}
