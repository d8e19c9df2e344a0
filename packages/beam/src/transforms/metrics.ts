import type { Counter, Metric } from "apache-beam/transforms/pardo";
import { batchByteSize } from "@tfxio/arrow-encoding";
import type { RecordBatch } from "apache-arrow";
import type { Sdk } from "../compat/sdk.js";

/** Metrics of record batches that a transform yields. */
export interface BatchMetrics {
  /** Distribution of the number of rows per batch. Its sum is the total number of rows. */
  readonly rows: Metric<number>;
  /** Distribution of the size of each batch in memory, in bytes. */
  readonly batchBytes: Metric<number>;
  /** Number of records skipped because they are malformed. */
  readonly skipped: Counter;
}

/** Metrics of serialized records. */
export interface RecordMetrics {
  /** Number of records. */
  readonly records: Counter;
  /** Distribution of the size of each record, in bytes. */
  readonly recordBytes: Metric<number>;
}

/**
 * Creates metrics of batches. They have tfx_bsl's names, without its prefix `LogicalFormat[…]-PhysicalFormat[…]-`. tfx_bsl has no
 * metric for skipped records.
 * @see tfx_bsl `telemetry._ProfileRecordBatchDoFn`
 */
export function batchMetrics({ transforms: { counter, distribution } }: Sdk): BatchMetrics {
  return {
    rows: distribution("num_rows"),
    batchBytes: distribution("record_batch_byte_size"),
    skipped: counter("num_skipped_records"),
  };
}

/** Creates metrics of serialized records, under tfx_bsl's names. @see tfx_bsl `telemetry._ProfileRawRecordDoFn` */
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
