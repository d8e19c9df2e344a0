import { ArgumentError, UnsupportedError } from "@tfxio/wire";
import { assertArgument } from "@tfxio/wire/checks";
import type { ValueArray } from "@tfxio/wire/kernels";
import {
  type Data,
  DataType,
  type Field,
  makeData,
  type RecordBatch,
  type Schema as ArrowSchema,
} from "apache-arrow";
import {
  aListOfRecordBatches,
  anArrowSchema,
  aRecordBatch,
  aRowNumberArray,
  aRowRanges,
} from "../argument-rules.js";
import { assertAttached } from "../column/column-access-offsets.js";
import { isBytesType } from "../column/column-access-values.js";
import { nullTypeColumn } from "../column/null-column.js";
import { gatherBits, gatherValidity } from "./gather-bits.js";
import { gatherOffsets } from "./gather-offsets.js";
import { gatherValues } from "./gather-values.js";
import { recordBatchOf } from "../table/record-batch.js";
import { type RowRanges, totalLength } from "./row-ranges.js";

export type { RowRanges } from "./row-ranges.js";

/**
 * Copies the rows in `ranges`, in that order, to one batch with new buffers. Use it to take, filter or concatenate rows. Rows may
 * repeat. Batches may be sliced. Values hidden under null rows are copied too, and stay hidden.
 * @param batches Batches whose columns match `schema`. The result borrows only their dictionaries.
 * @param schema The schema of the result.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for unions, view types, and a dictionary column whose batches do not
 *   share one dictionary object.
 * @throws {ArgumentError} `invalid-argument` (`row-number`) for a range outside the batches. `invalid-argument`
 *   (`detached-buffer`) for a batch that was transferred to another thread or whose lease was released.
 * @throws {ConversionError} `not-convertible` (`malformed-column`) for a column whose buffers contradict each other.
 *   `out-of-range` (`batch-too-large`) if the rows of a column with int32 offsets add up to at least 2^31 values or bytes, or if
 *   a row of a column with int64 offsets ends at an offset of 2^32 or more.
 * @see tfx_bsl.arrow.table_util.RecordBatchTake
 */
export function gatherRows(
  batches: readonly RecordBatch[],
  schema: ArrowSchema,
  ranges: RowRanges,
): RecordBatch {
  assertArgument("batches", batches, aListOfRecordBatches);
  assertArgument("schema", schema, anArrowSchema);
  assertArgument("ranges", ranges, aRowRanges);
  assertRanges(batches, ranges);
  return gatherBatch(batches, schema, ranges);
}

/** Gathers every column, without checking the ranges. */
function gatherBatch(batches: readonly RecordBatch[], schema: ArrowSchema, ranges: RowRanges): RecordBatch {
  const numRows = totalLength(ranges);
  for (const { data } of batches) data.children.forEach(assertAttached);
  const children = schema.fields.map((field, column) =>
    gatherData(
      field.type,
      batches.map((batch) => batch.data.children[column]!),
      ranges,
      field.name,
    ),
  );
  return recordBatchOf(schema, numRows, children);
}

/**
 * Copies the rows of `batch` whose numbers are in `rows`, in that order. Rows may repeat. @see {@link gatherRows}
 * @throws {ArgumentError} `invalid-argument` (`row-number`) for a row number beyond the batch.
 */
export function takeRows(batch: RecordBatch, rows: Uint32Array): RecordBatch {
  assertArgument("batch", batch, aRecordBatch);
  assertArgument("rows", rows, aRowNumberArray);
  const { numRows } = batch;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row >= numRows) {
      throw new ArgumentError(
        "invalid-argument",
        `A row number must be below ${numRows}, the number of rows in the batch, found ${row}.`,
        {
          reason: "row-number",
          argument: "rows",
        },
      );
    }
  }
  return gatherBatch([batch], batch.schema, rangesOf(rows));
}

/** Checks that each range is within the rows of its batch. Also throws if an array has fewer than `count` elements. */
function assertRanges(batches: readonly RecordBatch[], { count, source, start, end }: RowRanges): void {
  for (let i = 0; i < count; i++) {
    const numRows = batches[source[i] ?? batches.length]?.numRows ?? -1;
    const [first, last] = [start[i]!, end[i]!];
    if (first <= last && last <= numRows) continue;
    const size = numRows === 1 ? "1 row" : `${numRows} rows`;
    throw new ArgumentError(
      "invalid-argument",
      i >= Math.min(source.length, start.length, end.length)
        ? `The source, start and end of ranges with the count ${count} must each have at least ${count} elements, ` +
            `found ${source.length}, ${start.length} and ${end.length}.`
        : numRows < 0
          ? `The source of a range must be below ${batches.length}, the number of batches, found ${source[i]}.`
          : `A range must be within its batch of ${size} and must not start after its end, ` +
            `found source ${source[i]}, start ${first} and end ${last}.`,
      { reason: "row-number", argument: "ranges" },
    );
  }
}

/** Converts row numbers to ranges. Consecutive rows form one range, which is faster to copy. */
function rangesOf(rows: Uint32Array): RowRanges {
  const start = new Uint32Array(rows.length);
  const end = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (count > 0 && end[count - 1] === row) end[count - 1] = row + 1;
    else {
      start[count] = row;
      end[count++] = row + 1;
    }
  }
  return { count, source: new Uint32Array(count), start, end };
}

/** Copies all rows of `batches` to one batch. The columns of every batch must match `schema`. @see {@link gatherRows} */
export function concatBatches(batches: readonly RecordBatch[], schema: ArrowSchema): RecordBatch {
  assertArgument("batches", batches, aListOfRecordBatches);
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

/**
 * Copies the rows in `ranges` of a single column of type `type`, as {@link gatherRows} does. `path` names the column in errors.
 */
export function gatherData(type: DataType, sources: readonly Data[], ranges: RowRanges, path: string): Data {
  const length = totalLength(ranges);
  if (DataType.isNull(type)) return nullTypeColumn(type, length);
  const validity = gatherValidity(sources, ranges, length);
  const make = (buffers: object): Data =>
    makeData({ type, length, ...validity, ...buffers } as Parameters<typeof makeData>[0]);
  if (DataType.isStruct(type)) {
    const children = type.children.map((field, index) =>
      gatherData(field.type, childrenOf(sources, index), ranges, `${path}.${field.name}`),
    );
    return make({ children });
  }
  if (DataType.isFixedSizeList(type)) {
    const scaled = scaledRanges(ranges, type.listSize);
    return make({ child: gatherData(type.valueType, childrenOf(sources, 0), scaled, path) });
  }
  if (DataType.isList(type) || DataType.isMap(type) || DataType.isLargeList(type)) {
    const item = type.children[0] as Field;
    const values = childrenOf(sources, 0);
    const numValues = values.map((data: Data | undefined) => data?.length ?? 0);
    const { offsets, inner } = gatherOffsets(type, sources, numValues, ranges);
    return make({ valueOffsets: offsets, child: gatherData(item.type, values, inner, path) });
  }
  if (isBytesType(type)) {
    const bytes = valuesOf(sources);
    const numBytes = bytes.map((values) => values.length);
    const { offsets, inner } = gatherOffsets(type, sources, numBytes, ranges);
    return make({ valueOffsets: offsets, data: gatherValues(type, bytes, 1, inner) });
  }
  if (DataType.isBool(type)) {
    return make({ data: gatherBits(sources, ranges, length, ({ values }) => values) });
  }
  if (DataType.isDictionary(type)) {
    const dictionary = sources[0]?.dictionary;
    if (sources.some((data) => data.dictionary !== dictionary)) {
      throw unsupported("rows with different dictionaries", path, type);
    }
    return make({ data: gatherValues(type, valuesOf(sources), 1, ranges), dictionary });
  }
  if (DataType.isUnion(type) || DataType.isBinaryView(type) || DataType.isUtf8View(type)) {
    throw unsupported("rows of this type", path, type);
  }
  const stride = sources[0]?.stride ?? 1;
  return make({ data: gatherValues(type, valuesOf(sources), stride, ranges) });
}

function childrenOf(sources: readonly Data[], index: number): readonly Data[] {
  return sources.map(({ children }) => children[index]!);
}

function valuesOf(sources: readonly Data[]): readonly ValueArray[] {
  return sources.map(({ values }) => values as ValueArray);
}

/** Converts ranges of fixed-size lists to ranges of their values. */
function scaledRanges(ranges: RowRanges, size: number): RowRanges {
  const scale = (rows: Uint32Array): Uint32Array => rows.map((row) => row * size);
  return { ...ranges, start: scale(ranges.start), end: scale(ranges.end) };
}

function unsupported(rows: string, path: string, type: DataType): UnsupportedError {
  return new UnsupportedError(
    `Gathering ${rows} is not supported, found column "${path}" of type ${String(type)}.`,
    { reason: "column-type", feature: `gathering ${rows}` },
  );
}
