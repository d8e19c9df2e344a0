import { ArgumentError, UnsupportedError } from "@tfxio/wire";
import { assertArgument } from "@tfxio/wire/checks";
import type { ValueArray } from "@tfxio/wire/kernels";
import { type Data, DataType, makeData, type RecordBatch, type Schema as ArrowSchema } from "apache-arrow";
import { anArrowSchema, aRecordBatch, recordBatches, rowNumbers, rowRanges } from "../argument-rules.js";
import { assertAttached } from "../column/column-access-offsets.js";
import { gatherBits, gatherValidity } from "./gather-bits.js";
import { gatherOffsets } from "./gather-offsets.js";
import { gatherValues } from "./gather-values.js";
import { recordBatchOf } from "../table/record-batch.js";
import { type RowRanges, totalLength } from "./row-ranges.js";

export type { RowRanges } from "./row-ranges.js";

/**
 * The rows of `ranges`, in that order, as one batch with buffers of its own: take, filter and concat in one.
 * Rows may repeat. Copies, range by range, whatever the nesting; slices are honoured, and what lies hidden under a
 * null row stays hidden.
 * @param batches batches of one schema; the result has the first one's.
 * @throws {UnsupportedError} `unsupported` for unions, view types, and dictionaries that differ between batches.
 * @throws {ArgumentError} `invalid-argument` (`row-number`) for rows, or a batch, that there is not; (`detached-buffer`)
 * for a batch that was given to another thread, or whose lease was released.
 * @throws {ConversionError} `not-convertible` (`malformed-column`) for a column whose buffers contradict each other;
 * `out-of-range` (`batch-too-large`) where rows that repeat come to 2^31 values or bytes.
 * @see tfx_bsl.arrow.table_util.RecordBatchTake
 */
export function gatherRows(
  batches: readonly RecordBatch[],
  schema: ArrowSchema,
  ranges: RowRanges,
): RecordBatch {
  assertArgument("batches", batches, recordBatches);
  assertArgument("schema", schema, anArrowSchema);
  assertArgument("ranges", ranges, rowRanges);
  assertRanges(batches, ranges);
  return gatherBatch(batches, schema, ranges);
}

function gatherBatch(batches: readonly RecordBatch[], schema: ArrowSchema, ranges: RowRanges): RecordBatch {
  const numRows = totalLength(ranges);
  for (const { data } of batches) data.children.forEach(assertAttached);
  const children = schema.fields.map((field, column) =>
    gatherData(
      field.type,
      batches.map((batch) => batch.data.children[column] as Data),
      ranges,
      field.name,
    ),
  );
  return recordBatchOf(schema, numRows, children);
}

/**
 * Rows `rows[i]` of `batch`, in that order. @see {@link gatherRows}
 * @throws {ArgumentError} `invalid-argument` (`row-number`) for a row that the batch does not have.
 */
export function takeRows(batch: RecordBatch, rows: Uint32Array): RecordBatch {
  assertArgument("batch", batch, aRecordBatch);
  assertArgument("rows", rows, rowNumbers);
  const { numRows } = batch;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row >= numRows) {
      throw new ArgumentError("invalid-argument", `Row ${row} of a batch of ${numRows} rows was asked for.`, {
        reason: "row-number",
        argument: "rows",
      });
    }
  }
  return gatherBatch([batch], batch.schema, rangesOf(rows));
}

function assertRanges(batches: readonly RecordBatch[], { count, source, start, end }: RowRanges): void {
  for (let i = 0; i < count; i++) {
    const numRows = batches[source[i] ?? batches.length]?.numRows ?? -1;
    const [first, last] = [start[i] as number, end[i] as number];
    if (first <= last && last <= numRows) continue;
    throw new ArgumentError(
      "invalid-argument",
      `Rows ${first} to ${last} of batch ${source[i]} were asked for, of ${batches.length} batches` +
        `${numRows < 0 ? "" : `; that one has ${numRows} rows`}.`,
      { reason: "row-number", argument: "ranges" },
    );
  }
}

/** Rows that follow each other are one range, which copies faster. */
function rangesOf(rows: Uint32Array): RowRanges {
  const start = new Uint32Array(rows.length);
  const end = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (count > 0 && end[count - 1] === row) end[count - 1] = row + 1;
    else {
      start[count] = row;
      end[count++] = row + 1;
    }
  }
  return { count, source: new Uint32Array(count), start, end };
}

/** All rows of `batches`, which share `schema`, as one batch. @see {@link gatherRows} */
export function concatBatches(batches: readonly RecordBatch[], schema: ArrowSchema): RecordBatch {
  assertArgument("batches", batches, recordBatches);
  assertArgument("schema", schema, anArrowSchema);
  const end = Uint32Array.from(batches, (batch) => batch.numRows);
  const source = Uint32Array.from(batches, (_, index) => index);
  return gatherBatch(batches, schema, {
    count: batches.length,
    source,
    start: new Uint32Array(batches.length),
    end,
  });
}

/** Rows of columns of this type: {@link gatherRows} for one column. @param path for errors. */
export function gatherData(type: DataType, sources: readonly Data[], ranges: RowRanges, path: string): Data {
  const length = totalLength(ranges);
  if (DataType.isNull(type)) return makeData({ type, length });
  const validity = gatherValidity(sources, ranges, length);

  if (DataType.isStruct(type)) {
    const children = type.children.map((field, i) =>
      gatherData(
        field.type,
        sources.map((data) => data.children[i] as Data),
        ranges,
        `${path}.${field.name}`,
      ),
    );
    return makeData({ type, length, ...validity, children });
  }
  if (DataType.isFixedSizeList(type)) {
    const size = type.listSize;
    const scaled = {
      ...ranges,
      start: ranges.start.map((row) => row * size),
      end: ranges.end.map((row) => row * size),
    };
    const child = gatherData(
      type.valueType,
      sources.map((data) => data.children[0] as Data),
      scaled,
      path,
    );
    return makeData({ type, length, ...validity, child });
  }
  if (DataType.isList(type) || DataType.isMap(type) || DataType.isLargeList(type)) {
    const numValues = sources.map((data) => data.children[0]?.length ?? 0);
    const { offsets, inner } = gatherOffsets(type, sources, numValues, ranges);
    const child = gatherData(
      (type.children[0] as { type: DataType }).type,
      sources.map((data) => data.children[0] as Data),
      inner,
      path,
    );
    return makeData({ type, length, ...validity, valueOffsets: offsets, child } as Parameters<
      typeof makeData
    >[0]);
  }
  if (
    DataType.isBinary(type) ||
    DataType.isUtf8(type) ||
    DataType.isLargeBinary(type) ||
    DataType.isLargeUtf8(type)
  ) {
    const bytes = sources.map((source) => source.values as Uint8Array);
    const numBytes = bytes.map((values) => values.length);
    const { offsets, inner } = gatherOffsets(type, sources, numBytes, ranges);
    const data = gatherValues(type, bytes, 1, inner);
    return makeData({ type, length, ...validity, valueOffsets: offsets, data } as Parameters<
      typeof makeData
    >[0]);
  }
  if (DataType.isBool(type)) {
    return makeData({
      type,
      length,
      ...validity,
      data: gatherBits(sources, ranges, length, (data) => data.values),
    });
  }
  if (DataType.isDictionary(type)) {
    const dictionary = sources[0]?.dictionary;
    if (sources.some((data) => data.dictionary !== dictionary)) {
      throw unsupported("batches with different dictionaries", path, type);
    }
    const keys = sources.map((source) => source.values as ValueArray);
    const data = gatherValues(type, keys, 1, ranges);
    return makeData({ type, length, ...validity, data, dictionary } as Parameters<typeof makeData>[0]);
  }
  if (DataType.isUnion(type) || DataType.isBinaryView(type) || DataType.isUtf8View(type)) {
    throw unsupported("gathering rows of this type", path, type);
  }
  const stride = sources[0]?.stride ?? 1;
  const values = sources.map((source) => source.values as ValueArray);
  const data = gatherValues(type, values, stride, ranges);
  return makeData({ type, length, ...validity, data } as Parameters<typeof makeData>[0]);
}

function unsupported(feature: string, path: string, type: DataType): UnsupportedError {
  return new UnsupportedError(`${feature} is not supported: column "${path}" is ${String(type)}`, {
    feature,
  });
}
