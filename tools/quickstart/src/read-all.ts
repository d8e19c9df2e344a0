import type { Tfxio, TfxioProgress } from "@tfxio/io";
import { DataType, type RecordBatch } from "apache-arrow";

/** Statistics of one column over all rows. */
export interface ColumnSummary {
  readonly type: string;
  numRows: number;
  /** Number of rows in which the feature is null: absent, or without a kind. */
  numNulls: number;
  /** Number of rows in which the feature is an empty list. */
  numEmpty: number;
  numValues: number;
  /** Mean of a numeric column's values. NaN if the column is not numeric or has no values. */
  mean: number;
  /** Smallest and largest value of a numeric column. NaN if the column is not numeric or has no values. */
  min: number;
  max: number;
}

/** The results of a full pass over the data. */
export interface DataSummary {
  readonly columns: ReadonlyMap<string, ColumnSummary>;
  readonly numRows: number;
  readonly numBytes: number;
  readonly numFiles: number;
  readonly seconds: number;
  /** The first rows, at most ten. */
  readonly firstPage: RecordBatch | undefined;
}

const FIRST_PAGE_ROWS = 10;

/**
 * Reads all record batches once and computes their statistics. Keeps the first ten rows, which share the buffers of the first
 * batch.
 */
export async function readAll(
  tfxio: Tfxio,
  onProgress: (progress: TfxioProgress) => void,
): Promise<DataSummary> {
  const started = performance.now();
  const columns = new Map<string, ColumnSummary>();
  const files = new Set<string>();
  let last: TfxioProgress | undefined;
  let firstPage: RecordBatch | undefined;
  const batches = tfxio.recordBatches({
    onProgress(progress) {
      last = progress;
      files.add(progress.uri);
      onProgress(progress);
    },
  });
  for await (const batch of batches) {
    firstPage ??= batch.slice(0, FIRST_PAGE_ROWS);
    for (const { name, type } of batch.schema.fields) {
      let summary = columns.get(name);
      if (summary === undefined) {
        summary = {
          type: String(type),
          numRows: 0,
          numNulls: 0,
          numEmpty: 0,
          numValues: 0,
          mean: Number.NaN,
          min: Number.NaN,
          max: Number.NaN,
        };
        columns.set(name, summary);
      }
      addColumn(summary, batch, name);
    }
  }
  return {
    columns,
    numRows: last?.numRows ?? 0,
    numBytes: last?.numBytes ?? 0,
    numFiles: files.size,
    seconds: (performance.now() - started) / 1000,
    firstPage,
  };
}

/** Adds a batch to the statistics of one column. The mean is weighted by the number of values. */
function addColumn(summary: ColumnSummary, batch: RecordBatch, name: string): void {
  const data = batch.getChild(name)?.data[0];
  summary.numRows += batch.numRows;
  if (data === undefined || !DataType.isList(data.type)) {
    summary.numNulls += batch.numRows;
    return;
  }
  const offsets = data.valueOffsets as Int32Array;
  const first = offsets[0] as number;
  const end = offsets[batch.numRows] as number;
  summary.numNulls += data.nullCount;
  for (let row = 0; row < batch.numRows; row++) {
    if (offsets[row] === offsets[row + 1]) summary.numEmpty++;
  }
  // The loop counted null rows as empty too, because the decoders store no values for them.
  summary.numEmpty -= data.nullCount;
  const values: unknown = data.children[0]?.values;
  if (isNumbers(values) && end > first) {
    let sum = summary.numValues === 0 ? 0 : summary.mean * summary.numValues;
    let min = summary.numValues === 0 ? Number.POSITIVE_INFINITY : summary.min;
    let max = summary.numValues === 0 ? Number.NEGATIVE_INFINITY : summary.max;
    for (let i = first; i < end; i++) {
      const value = Number(values[i]);
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    summary.mean = sum / (summary.numValues + end - first);
    summary.min = min;
    summary.max = max;
  }
  summary.numValues += end - first;
}

function isNumbers(values: unknown): values is Float32Array | BigInt64Array {
  const tag = (values as { readonly [Symbol.toStringTag]?: string } | undefined)?.[Symbol.toStringTag];
  return tag === "Float32Array" || tag === "BigInt64Array";
}
