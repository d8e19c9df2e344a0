import { createRowMatcher, type RowMatcherOptions, takeRows } from "@tfxio/arrow-encoding";
import type { ReadOptions, Split } from "@tfxio/format";
import type { RecordBatch } from "apache-arrow";
import type { ColumnForm } from "./column-form.js";
import { projectBatch } from "./project-batch.js";
import { addedColumns, type DataRequest } from "./data-request.js";
import { sampledRows } from "./row-sample.js";

/** The rows kept from a format's batch. */
export interface KeptRows {
  readonly batch: RecordBatch;
  /** Their row numbers in the format's batch, ascending. Absent: all rows. */
  readonly numbers?: Int32Array | undefined;
}

/** Converts one batch of the format; undefined when no row remains. */
export type BatchTransform = (batch: RecordBatch, split: Split, options: ReadOptions) => KeptRows | undefined;

/** Facts about the format's plan that the transform needs. */
export interface TransformContext {
  readonly splits: readonly Split[];
  /** True if the format applies the filter exactly. */
  readonly isFiltered: boolean;
  readonly form: ColumnForm;
  /** Treatment of a column that a batch lacks. If no schema is known, it is treated as null in all rows. */
  readonly absent: RowMatcherOptions["absent"];
  /** Names of columns that the format appends for the sample. */
  readonly origin: { readonly position: string; readonly splitIndex: string };
}

/** Handles the parts of a request that the format does not: filters rows, converts columns, and drops unrequested columns. */
export function createBatchTransform(
  request: DataRequest,
  { splits, isFiltered, form, absent, origin }: TransformContext,
): BatchTransform {
  const { filter, sample, columns } = request;
  const kept = addedColumns(request);
  const dropped = new Set([origin.position, origin.splitIndex].filter((name) => !kept.includes(name)));
  const matches = filter === undefined || isFiltered ? undefined : createRowMatcher(filter, { absent });

  return (batch, split, { shuffle }) => {
    const { splitIndexColumn: splitIndex } = shuffle ?? {};
    let rows: KeptRows = { batch };
    if (matches !== undefined) rows = keepRows(rows, matches(batch));
    if (sample !== undefined && rows.batch.numRows > 0) {
      const places = { position: origin.position, splitIndex, absent };
      rows = keepRows(rows, sampledRows(rows.batch, sample, splits, split, places));
    }
    if (rows.batch.numRows === 0) return undefined;
    const isAsked = splitIndex !== undefined && splitIndex !== origin.splitIndex;
    const stay: readonly string[] = isAsked ? [...kept, splitIndex] : kept;
    return { ...rows, batch: projectBatch(form.convert(rows.batch), { columns, kept: stay, dropped }) };
  };
}

/** Returns the rows at the indices `kept`. Returns the same batch if all are kept. */
function keepRows({ batch, numbers }: KeptRows, kept: Int32Array): KeptRows {
  if (kept.length === batch.numRows) return { batch, numbers };
  const taken = takeRows(batch, new Uint32Array(kept.buffer, kept.byteOffset, kept.length));
  return { batch: taken, numbers: numbers === undefined ? kept : kept.map((row) => numbers[row] as number) };
}
