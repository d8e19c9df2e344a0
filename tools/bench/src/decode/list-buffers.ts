import type { Data, RecordBatch } from "apache-arrow";
import { BenchError } from "../measurement.js";

/** The buffers of one list column, cut to what its rows reach. */
export interface ListBuffers {
  readonly numNulls: number;
  readonly numValues: number;
  /** Row splits, length rows + 1. */
  readonly offsets: Int32Array;
  /** Value splits of a bytes column, length values + 1. */
  readonly valueOffsets: Int32Array | undefined;
  /** float32, int64, or the bytes of all values. */
  readonly values: ArrayBufferView;
}

/** Borrows the buffers of a `List<float32 | int64 | binary>` column of an unsliced batch. */
export function listBuffers(batch: RecordBatch, name: string): ListBuffers {
  const index = batch.schema.fields.findIndex((field) => field.name === name);
  // arrow-js types a batch's children by its schema, which is not known here.
  const list = batch.data.children[index] as Data | undefined;
  const items = list?.children[0];
  if (list === undefined || items === undefined)
    throw new BenchError(`the batch has no list column "${name}"`);
  const offsets = (list.valueOffsets as Int32Array).subarray(0, batch.numRows + 1);
  const numValues = offsets[batch.numRows] ?? 0;
  const itemOffsets = items.valueOffsets as Int32Array | undefined;
  const valueOffsets =
    itemOffsets && itemOffsets.length > 0 ? itemOffsets.subarray(0, numValues + 1) : undefined;
  const values = (items.values as Uint8Array).subarray(0, valueOffsets ? valueOffsets[numValues] : numValues);
  return { numNulls: list.nullCount, numValues, offsets, valueOffsets, values };
}
