import { gatherRows, type RowRanges, sliceBatch } from "@tfxio/arrow-encoding";
import type { HostColumns } from "@tfxio/tensor-adapter";
import { isTfxioError, UserFunctionError } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { endOfOneRange, rangesOfParts } from "../columns/row-ranges.js";
import { assertColumnBlock, type ColumnBlock } from "./column-block.js";

/** The schema and conversion that all record batches of one source share. */
export interface BatchConversion {
  /** Public function that created the source, for error messages. */
  readonly operator: string;
  /** Schema of every batch. */
  readonly arrowSchema: ArrowSchema;
  /** Converts a batch to host columns. Called only when an operator needs columns or elements. */
  readonly toHost: (batch: RecordBatch) => HostColumns;
}

/** Rows `start` to `start + numRows` (exclusive) of a record batch, by reference, so slicing copies nothing. */
export interface BatchRows {
  readonly numRows: number;
  readonly batch: SourceBatch;
  readonly start: number;
}

/** A record batch that {@link BatchRows} refer to. Keeps its host columns after the first conversion. */
export class SourceBatch {
  #columns: ColumnBlock | undefined;

  constructor(
    readonly batch: RecordBatch,
    readonly conversion: BatchConversion,
  ) {}

  get numRows(): number {
    return this.batch.numRows;
  }

  /** Returns the whole batch as columns. Converts it on the first call. @throws The errors of {@link convertBatch}. */
  columns(): ColumnBlock {
    this.#columns ??= convertBatch(this.batch, this.conversion);
    return this.#columns;
  }
}

/** Returns all rows of a batch, by reference. */
export function rowsOfBatch(batch: RecordBatch, conversion: BatchConversion): BatchRows {
  return { numRows: batch.numRows, batch: new SourceBatch(batch, conversion), start: 0 };
}

/**
 * Converts a batch to columns.
 * @throws {UserFunctionError} `user-function` if `toHost` throws. A TfxioError from it is rethrown unchanged.
 * @throws {ArgumentError} `invalid-argument` if `toHost` does not return host columns.
 * @throws {ConversionError} `shape-mismatch` if a column and the batch differ in their number of rows.
 */
export function convertBatch(batch: RecordBatch, conversion: BatchConversion): ColumnBlock {
  const block = { numRows: batch.numRows, columns: callToHost(batch, conversion) };
  assertColumnBlock(block, conversion.operator, "toHost");
  return block;
}

/** Joins parts, in order, into one record batch: a view if they are consecutive rows of one batch, otherwise a copy. */
export function joinBatchRows(parts: readonly BatchRows[]): RecordBatch {
  const { batch: source, start } = parts[0] as BatchRows;
  const { batch, conversion } = source;
  const end = endOfOneRange(parts, (part) => part.batch);
  if (end !== undefined) return start === 0 && end === batch.numRows ? batch : sliceBatch(batch, start, end);
  return gatherRows(
    parts.map((part) => part.batch.batch),
    conversion.arrowSchema,
    rangesOfParts(parts),
  );
}

/** Copies row ranges of several batches into one batch. The batches must share one conversion. */
export function gatherBatchRows(sources: readonly SourceBatch[], ranges: RowRanges): BatchRows {
  const { conversion } = sources[0] as SourceBatch;
  const batches = sources.map(({ batch }) => batch);
  return rowsOfBatch(gatherRows(batches, conversion.arrowSchema, ranges), conversion);
}

function callToHost(batch: RecordBatch, { toHost, operator }: BatchConversion): HostColumns {
  try {
    return toHost(batch);
  } catch (error) {
    if (isTfxioError(error)) throw error;
    throw new UserFunctionError(`${operator}: toHost failed: ${String(error)}`, { operator, cause: error });
  }
}
