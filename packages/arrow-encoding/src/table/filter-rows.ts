import { ArgumentError } from "@tfxio/wire";
import { assertArgument, aUint8Array } from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import { aRecordBatch } from "../argument-rules.js";
import { gatherRows } from "../gather/gather-rows.js";

/**
 * Copies the rows for which `mask` is not 0, in order, to a batch with new buffers.
 * @param mask One byte per row.
 * @throws {ArgumentError} `invalid-argument` (`mask-length`) unless the mask has one byte per row.
 * @throws {UnsupportedError} As {@link gatherRows}.
 */
export function filterRows(batch: RecordBatch, mask: Uint8Array): RecordBatch {
  assertArgument("batch", batch, aRecordBatch);
  assertArgument("mask", mask, aUint8Array);
  const { numRows } = batch;
  if (mask.length !== numRows) {
    throw new ArgumentError(
      "invalid-argument",
      `The mask must have one byte for each of the ${numRows} rows of the batch, found ${mask.length}.`,
      { reason: "mask-length", argument: "mask" },
    );
  }
  const start: number[] = [];
  const end: number[] = [];
  for (let row = 0; row < numRows; row++) {
    if (mask[row] === 0) continue;
    if (end.at(-1) === row) end[end.length - 1] = row + 1;
    else {
      start.push(row);
      end.push(row + 1);
    }
  }
  return gatherRows([batch], batch.schema, {
    count: start.length,
    source: new Uint32Array(start.length),
    start: Uint32Array.from(start),
    end: Uint32Array.from(end),
  });
}
