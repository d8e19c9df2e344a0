import type { HostColumn, HostColumns } from "@tfxio/tensor-adapter";
import { type BatchRows, convertBatch, joinBatchRows } from "../../blocks/batch-rows.js";
import { type Block, isBatchRows, isColumnRows, itemsOf, joinColumns } from "../../blocks/block.js";
import { batchedElement } from "../../blocks/column-block.js";
import { Failure } from "../../failure.js";
import type { Plan } from "../../plan.js";
import { type StackContext, stackElements } from "../../columns/stack.js";
import { disposeElements, tensorsOf } from "../../columns/structure.js";
import { collectedBatchesPlan } from "./collected-batches.js";

/**
 * Stacks every `size` elements into one batch. The last batch may be smaller unless `dropRemainder` is set.
 * @param operator The public method that the caller used.
 */
export function batchPlan(upstream: Plan, size: number, dropRemainder: boolean, operator = "batch"): Plan {
  const { tf } = upstream;
  return collectedBatchesPlan(upstream, { operator, size, dropRemainder }, (rows, elementIndex) =>
    stackBlocks(rows, { operator, elementIndex, tf }),
  );
}

/**
 * Stacks all rows of `parts` into one batch. Consumes the rows. Returns a `Failure` if a row failed or cannot be converted, or if
 * rows differ in structure, shape or dtype. Columns and record batches are joined column by column. If all rows are consecutive
 * in one source, slices that source, so that dense columns and record batches are not copied.
 */
export function stackBlocks(parts: readonly Block[], context: StackContext): unknown {
  try {
    return columnsOf(parts) ?? stackItems(parts, context);
  } catch (error) {
    return new Failure(error);
  }
}

/** Joins parts column by column. Returns undefined unless all parts hold columns, or all hold rows of record batches. */
function columnsOf(parts: readonly Block[]): HostColumn | HostColumns | undefined {
  if (parts.every(isColumnRows)) return batchedElement(joinColumns(parts));
  if (!parts.every(isBatchRows)) return undefined;
  return convertBatch(joinBatchRows(parts), (parts[0] as BatchRows).batch.conversion).columns;
}

function stackItems(parts: readonly Block[], context: StackContext): unknown {
  const [first] = parts;
  const rows = parts.length === 1 ? itemsOf(first as Block) : parts.flatMap(itemsOf);
  let holdTensors = true;
  try {
    const failure = rows.find((row) => row instanceof Failure);
    if (failure !== undefined) throw failure.error;
    const batch = stackElements(rows, context);
    // If the batch holds no tensors, neither do its rows, so they need not be searched.
    holdTensors = tensorsOf(batch).length > 0;
    return batch;
  } finally {
    if (holdTensors) disposeElements(rows);
  }
}
