import { createRowMatcher, type RowMatcherOptions, takeRows } from "@tfxio/arrow-encoding";
import type { ReadOptions, Split } from "@tfxio/format";
import type { RecordBatch } from "apache-arrow";
import type { ColumnForm } from "./column-form.js";
import { errorInFile } from "./error-in-file.js";
import { projectBatch } from "./project-batch.js";
import { addedColumns, type DataRequest } from "./data-request.js";
import { sampledRows } from "./row-sample.js";

/** The rows of a format's batch that the filter and the sample keep. */
export interface KeptRows {
  readonly batch: RecordBatch;
  /** Row numbers of the kept rows in the format's batch, ascending. Absent if all rows are kept. */
  readonly numbers?: Int32Array | undefined;
}

/** Converts one batch of the format. Returns undefined if no row is kept. */
export type BatchTransform = (batch: RecordBatch, split: Split, options: ReadOptions) => KeptRows | undefined;

/** Facts about the format's plan and the requested columns that the transform needs. */
export interface TransformContext {
  readonly splits: readonly Split[];
  /** True if the format itself drops all rows that do not match the filter. */
  readonly isFiltered: boolean;
  readonly form: ColumnForm;
  /**
   * How to treat a filter or sample column that a batch lacks. `"error"` throws, and `"null"` treats the column as null in every
   * row. Plans without an Arrow schema need `"null"`.
   */
  readonly absent: RowMatcherOptions["absent"];
  /** Names of the columns that the format appends so that rows can be sampled by their origin. */
  readonly origin: { readonly position: string; readonly splitIndex: string };
}

/**
 * Returns a function that fulfils the parts of a request that the format does not support. The function filters and samples rows,
 * converts columns to the requested form, and drops unrequested columns. Errors of the conversion name the file, unless the batch
 * may mix rows of several files.
 */
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
    // A shuffled read may mix rows of several splits.
    const uri = shuffle?.with === undefined || shuffle.with.length === 0 ? split.uri : undefined;
    const converted = convertedIn(uri, rows.batch, form);
    return { ...rows, batch: projectBatch(converted, { columns, kept: stay, dropped }) };
  };
}

function convertedIn(uri: string | undefined, batch: RecordBatch, form: ColumnForm): RecordBatch {
  try {
    return form.convert(batch);
  } catch (error) {
    throw uri === undefined ? error : errorInFile(error, uri);
  }
}

/** Returns the rows at the indices `kept`. Returns the batch itself if these are all of its rows. */
function keepRows({ batch, numbers }: KeptRows, kept: Int32Array): KeptRows {
  if (kept.length === batch.numRows) return { batch, numbers };
  const taken = takeRows(batch, new Uint32Array(kept.buffer, kept.byteOffset, kept.length));
  return { batch: taken, numbers: numbers === undefined ? kept : kept.map((row) => numbers[row] as number) };
}
