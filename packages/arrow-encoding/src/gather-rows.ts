import { ArgumentError, UnsupportedError } from "@tfxio/wire";
import { type Data, DataType, makeData, RecordBatch, type Schema as ArrowSchema, Struct } from "apache-arrow";

/**
 * Consecutive rows of several batches: `count` ranges, range `i` being rows `start[i]` (inclusive) to `end[i]`
 * (exclusive) of batch `source[i]`.
 */
export interface RowRanges {
  readonly count: number;
  readonly source: Uint32Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
}

/**
 * The rows of `ranges`, in that order, as one batch with buffers of its own: take, filter and concat in one.
 * Rows may repeat. Copies, range by range, whatever the nesting; slices are honoured, and what lies hidden under a
 * null row stays hidden.
 * @param batches batches of one schema; the result has the first one's.
 * @throws {UnsupportedError} `unsupported` for unions, view types, and dictionaries that differ between batches.
 * @see tfx_bsl.arrow.table_util.RecordBatchTake
 */
export function gatherRows(
  batches: readonly RecordBatch[],
  schema: ArrowSchema,
  ranges: RowRanges,
): RecordBatch {
  const numRows = totalLength(ranges);
  const children = schema.fields.map((field, column) =>
    gatherData(
      field.type,
      batches.map((batch) => batch.data.children[column] as Data),
      ranges,
      field.name,
    ),
  );
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: numRows, nullCount: 0, children }));
}

/**
 * Rows `rows[i]` of `batch`, in that order. @see {@link gatherRows}
 * @throws {ArgumentError} `invalid-argument` (`row-number`) for a row that the batch does not have.
 */
export function takeRows(batch: RecordBatch, rows: Uint32Array): RecordBatch {
  for (const row of rows) {
    if (row >= batch.numRows) {
      throw new ArgumentError(
        "invalid-argument",
        `Row ${row} of a batch of ${batch.numRows} rows was asked for.`,
        {
          reason: "row-number",
          argument: "rows",
        },
      );
    }
  }
  return gatherRows([batch], batch.schema, rangesOf(rows));
}

/** Rows that follow each other are one range, which copies faster. */
function rangesOf(rows: Uint32Array): RowRanges {
  const start = new Uint32Array(rows.length);
  const end = new Uint32Array(rows.length);
  let count = 0;
  for (const row of rows) {
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
  const end = Uint32Array.from(batches, (batch) => batch.numRows);
  const source = Uint32Array.from(batches, (_, index) => index);
  return gatherRows(batches, schema, {
    count: batches.length,
    source,
    start: new Uint32Array(batches.length),
    end,
  });
}

function totalLength({ count, start, end }: RowRanges): number {
  let total = 0;
  for (let i = 0; i < count; i++) total += (end[i] as number) - (start[i] as number);
  return total;
}

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
    const { offsets, inner } = gatherOffsets(sources, ranges, length, DataType.isLargeList(type));
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
    const isLarge = DataType.isLargeBinary(type) || DataType.isLargeUtf8(type);
    const { offsets, inner } = gatherOffsets(sources, ranges, length, isLarge);
    const data = gatherValues(
      sources.map((source) => source.values as Uint8Array),
      1,
      inner,
    );
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
    const data = gatherValues(
      sources.map((source) => source.values as Values),
      1,
      ranges,
    );
    return makeData({ type, length, ...validity, data, dictionary } as Parameters<typeof makeData>[0]);
  }
  if (DataType.isUnion(type) || DataType.isBinaryView(type) || DataType.isUtf8View(type)) {
    throw unsupported("gathering rows of this type", path, type);
  }
  const stride = sources[0]?.stride ?? 1;
  const empty = new type.ArrayType(0) as Values;
  const data = gatherValues(
    sources.map((source) => source.values as Values),
    stride,
    ranges,
    empty,
  );
  return makeData({ type, length, ...validity, data } as Parameters<typeof makeData>[0]);
}

function unsupported(feature: string, path: string, type: DataType): UnsupportedError {
  return new UnsupportedError(`${feature} is not supported: column "${path}" is ${String(type)}`, {
    feature,
  });
}

type Values = Uint8Array | Int32Array | BigInt64Array | Float64Array;

/** Copies ranges of fixed-width values; `stride` array elements make one value. */
function gatherValues(sources: readonly Values[], stride: number, ranges: RowRanges, empty?: Values): Values {
  const like = sources[0] ?? empty ?? new Uint8Array(0);
  const out = new (like.constructor as new (length: number) => Values)(totalLength(ranges) * stride);
  const width = out.BYTES_PER_ELEMENT * stride;
  // Words and bytes alone: a loop that sees every kind of typed array is several times slower.
  if (width % 4 === 0) copyRanges(sources.map(asWords), asWords(out), width / 4, ranges);
  else copyRanges(sources.map(asBytes), asBytes(out), width, ranges);
  return out;
}

const asWords = (values: Values): Int32Array =>
  new Int32Array(values.buffer, values.byteOffset, values.byteLength / 4);
const asBytes = (values: Values): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** Up to here a loop beats a call of `set`. */
const SHORT_COPY = 24;

function copyRanges(
  sources: readonly (Int32Array | Uint8Array)[],
  out: Int32Array | Uint8Array,
  scale: number,
  ranges: RowRanges,
): void {
  let at = 0;
  for (let i = 0; i < ranges.count; i++) {
    const values = sources[ranges.source[i] as number] as Int32Array | Uint8Array;
    const start = (ranges.start[i] as number) * scale;
    const end = (ranges.end[i] as number) * scale;
    if (end - start > SHORT_COPY) out.set(values.subarray(start, end), at);
    else for (let from = start, to = at; from < end; from++, to++) out[to] = values[from] as number;
    at += end - start;
  }
}

/** New offsets from 0, and the ranges that the rows cover in the child. */
function gatherOffsets(
  sources: readonly Data[],
  ranges: RowRanges,
  length: number,
  isLarge: boolean,
): { offsets: Int32Array | BigInt64Array; inner: RowRanges } {
  const offsets = isLarge ? new BigInt64Array(length + 1) : new Int32Array(length + 1);
  const start = new Uint32Array(ranges.count);
  const end = new Uint32Array(ranges.count);
  let at = 0;
  let row = 0;
  for (let i = 0; i < ranges.count; i++) {
    const from = sources[ranges.source[i] as number]?.valueOffsets as Int32Array | BigInt64Array;
    const first = ranges.start[i] as number;
    const last = ranges.end[i] as number;
    start[i] = Number(from[first] ?? 0);
    end[i] = Number(from[last] ?? 0);
    for (let r = first; r < last; r++) {
      at += Number(from[r + 1]) - Number(from[r]);
      row++;
      offsets[row] = (isLarge ? BigInt(at) : at) as never;
    }
  }
  return { offsets, inner: { count: ranges.count, source: ranges.source, start, end } };
}

function gatherValidity(
  sources: readonly Data[],
  ranges: RowRanges,
  length: number,
): { nullCount: number; nullBitmap?: Uint8Array } {
  if (sources.every((data) => data.nullCount === 0)) return { nullCount: 0 };
  const bitmapOf = (data: Data): Uint8Array | undefined =>
    data.nullCount === 0 ? undefined : data.nullBitmap;
  const nullBitmap = gatherBits(sources, ranges, length, bitmapOf);
  let nullCount = length;
  for (const byte of nullBitmap) for (let bits = byte; bits !== 0; bits &= bits - 1) nullCount--;
  return { nullCount, nullBitmap };
}

/** Copies bits, LSB first; no bitmap stands for all ones. */
function gatherBits(
  sources: readonly Data[],
  ranges: RowRanges,
  length: number,
  bitmapOf: (data: Data) => Uint8Array | undefined,
): Uint8Array {
  const out = new Uint8Array((length + 7) >> 3);
  let at = 0;
  for (let i = 0; i < ranges.count; i++) {
    const data = sources[ranges.source[i] as number] as Data;
    const bitmap = bitmapOf(data);
    for (let row = ranges.start[i] as number; row < (ranges.end[i] as number); row++, at++) {
      const bit = data.offset + row;
      const isSet = bitmap === undefined || (((bitmap[bit >> 3] as number) >> (bit & 7)) & 1) === 1;
      if (isSet) out[at >> 3] = (out[at >> 3] as number) | (1 << (at & 7));
    }
  }
  return out;
}
