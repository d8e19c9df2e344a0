import { batchByteSize } from "@tfxio/arrow-encoding";
import type { HostColumn, HostValues } from "@tfxio/tensor-adapter";
import { type Block, isBatchRows, isColumnRows } from "./block.js";
import { isBytesColumn } from "../columns/host-array.js";

/**
 * Returns the mean number of bytes per row in a block's source columns or record batch. Returns 0 for items, because only
 * references to them are copied.
 */
export function bytesPerRow(block: Block): number {
  if (isBatchRows(block)) {
    const { batch } = block.batch;
    return batchByteSize(batch, { ignoreUnsupported: true }) / batch.numRows;
  }
  if (!isColumnRows(block)) return 0;
  const { columns, numRows } = block.source;
  return Object.values(columns).reduce((total, column) => total + numBytesOf(column), 0) / numRows;
}

function numBytesOf(column: HostColumn): number {
  const places = column.kind === "sparse" ? column.indices.byteLength : 0;
  const splits = column.kind === "ragged" ? column.nestedRowSplits : [];
  return splits.reduce((total, { byteLength }) => total + byteLength, places) + numValueBytes(column.values);
}

function numValueBytes(values: HostValues): number {
  if (!isBytesColumn(values)) return values.byteLength;
  const { offsets } = values;
  return offsets.byteLength + (offsets.at(-1) ?? 0) - (offsets[0] ?? 0);
}
