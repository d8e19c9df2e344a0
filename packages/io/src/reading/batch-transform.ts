import { createRowMatcher, type RowMatcherOptions, takeRows } from "@tfxio/arrow-encoding";
import type { ReadOptions, Split } from "@tfxio/format";
import type { RecordBatch } from "apache-arrow";
import type { ColumnForm } from "./column-form.js";
import { projectBatch } from "./project-batch.js";
import { addedColumns, type DataRequest } from "./data-request.js";
import { sampledRows } from "./row-sample.js";

/** Rows of a format's batch that are kept. */
export interface KeptRows {
  readonly batch: RecordBatch;
  /** Their numbers in the format's batch, ascending. Absent: all of them. */
  readonly numbers?: Int32Array | undefined;
}

/** What a read makes of one batch of the format; undefined when no row is left. */
export type BatchTransform = (batch: RecordBatch, split: Split, options: ReadOptions) => KeptRows | undefined;

/** What the transform knows of the format's plan. */
export interface TransformContext {
  readonly splits: readonly Split[];
  /** The format gives matching rows only. */
  readonly isFiltered: boolean;
  readonly form: ColumnForm;
  /** A column that a batch lacks is null in all its rows: batches describe themselves. */
  readonly absent: RowMatcherOptions["absent"];
  /** Columns that the format appends, for the sample. */
  readonly origin: { readonly position: string; readonly splitIndex: string };
}

/** Does what the format left undone: rows are filtered first, then columns dropped and brought into their form. */
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

/** Of `rows` those of these numbers; the same batch when they are all. */
function keepRows({ batch, numbers }: KeptRows, kept: Int32Array): KeptRows {
  if (kept.length === batch.numRows) return { batch, numbers };
  const taken = takeRows(batch, new Uint32Array(kept.buffer, kept.byteOffset, kept.length));
  return { batch: taken, numbers: numbers === undefined ? kept : kept.map((row) => numbers[row] as number) };
}
