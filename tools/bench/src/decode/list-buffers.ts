import type { Data, RecordBatch, Struct } from "apache-arrow";
import { BenchError } from "../measurement.js";

/**
 * The buffers of one list column, or of the steps of a feature list. For a feature list, each step counts as a row. The buffers
 * borrow the batch's memory, without the unused bytes at their ends.
 */
export interface ListBuffers {
  readonly numNulls: number;
  readonly numValues: number;
  /** Row splits, one more than there are rows. */
  readonly offsets: Int32Array;
  /** Value splits of a bytes column, one more than there are values; undefined for numbers. */
  readonly valueOffsets: Int32Array | undefined;
  /** All values: a Float32Array, a BigInt64Array, or the concatenated bytes as a Uint8Array. */
  readonly values: ArrayBufferView;
}

/** The buffers of one feature list column. */
export interface FeatureListBuffers {
  /** Number of rows without the feature list. */
  readonly numNulls: number;
  /** Row splits that delimit the steps of each row, one more than there are rows. */
  readonly offsets: Int32Array;
  /** The steps of all rows. */
  readonly steps: ListBuffers;
}

/**
 * Returns the buffers of a `List<float32 | int64 | binary>` column of an unsliced batch.
 * @throws {BenchError} if the batch has no such column.
 */
export function listBuffers(batch: RecordBatch, name: string): ListBuffers {
  return buffersOf(childNamed(batch.data, name), batch.numRows);
}

/**
 * Returns the buffers of a `List<List<…>>` child of `##SEQUENCE##`, the struct column of the feature lists. The batch must be
 * unsliced.
 * @throws {BenchError} if the batch has no such column.
 */
export function featureListBuffers(batch: RecordBatch, name: string): FeatureListBuffers {
  const rows = childNamed(childNamed(batch.data, "##SEQUENCE##"), name);
  const offsets = (rows.valueOffsets as Int32Array).subarray(0, batch.numRows + 1);
  const steps = buffersOf(rows.children[0] as Data, offsets[batch.numRows] ?? 0);
  return { numNulls: rows.nullCount, offsets, steps };
}

function childNamed({ type, children }: Data, name: string): Data {
  const index = (type as Struct).children.findIndex((field) => field.name === name);
  const child = children[index];
  if (child === undefined) throw new BenchError(`the batch has no column "${name}"`);
  return child;
}

function buffersOf(list: Data, numRows: number): ListBuffers {
  const items = list.children[0] as Data;
  const offsets = (list.valueOffsets as Int32Array).subarray(0, numRows + 1);
  const numValues = offsets[numRows] ?? 0;
  const itemOffsets = items.valueOffsets as Int32Array | undefined;
  const valueOffsets =
    itemOffsets && itemOffsets.length > 0 ? itemOffsets.subarray(0, numValues + 1) : undefined;
  const values = (items.values as Uint8Array).subarray(0, valueOffsets ? valueOffsets[numValues] : numValues);
  return { numNulls: list.nullCount, numValues, offsets, valueOffsets, values };
}
