import { ArgumentError, UnsupportedError } from "@tfxio/wire";
import { type Data, DataType, type RecordBatch } from "apache-arrow";
import type { BufferGathering, RangeKind } from "./transferable-buffers.js";

/**
 * Memory layout of an array. The array's type is in the schema. `validity`, `offsets` and `values` are indices in
 * `TransferableLayout.ranges`.
 */
export interface ArrayLayout {
  readonly length: number;
  /** -1 if the nulls have not been counted. */
  readonly nullCount: number;
  /** The null bitmap. Absent if the array is empty or has no bitmap. */
  readonly validity?: number;
  /** Offsets of lists, strings and bytes, starting with 0. Absent if the array is empty. */
  readonly offsets?: number;
  readonly values?: number;
  readonly children?: readonly ArrayLayout[];
  /** Chunks of a dictionary. */
  readonly dictionary?: readonly ArrayLayout[];
}

/** Returns the layouts of the batch's columns, and adds their memory to `gathering`. Throws the errors of `toTransferable`. */
export function layoutColumns(batch: RecordBatch, gathering: BufferGathering): readonly ArrayLayout[] {
  return batch.data.children.map((data, index) =>
    layoutRows(data, 0, batch.numRows, {
      gathering,
      columnPath: batch.schema.fields[index]?.name ?? "",
      isShared: false,
    }),
  );
}

/** The place where memory is collected, and the column that contains the array. */
interface Context {
  readonly gathering: BufferGathering;
  readonly columnPath: string;
  /** True inside a dictionary, which other batches may share. */
  readonly isShared: boolean;
}

/** Returns the layout of the rows `start` to `start + length` (exclusive) of `data`. */
function layoutRows(data: Data, start: number, length: number, context: Context): ArrayLayout {
  const { type } = data;
  if (DataType.isUnion(type) || DataType.isBinaryView(type) || DataType.isUtf8View(type)) {
    throw new UnsupportedError(
      `The column "${context.columnPath}" has the type ${type}, which cannot be sent to another thread.`,
      {
        feature: `transfer of ${type}`,
        reason: "column-type",
      },
    );
  }
  if (length === 0 || DataType.isNull(type)) return emptyLayout(data, length, context);
  const layout = {
    length,
    nullCount: data.nullCount === 0 ? 0 : start === 0 && length === data.length ? data.nullCount : -1,
    ...layoutValidity(data, start, length, context),
  };
  if (DataType.isStruct(type)) {
    return { ...layout, children: data.children.map((child) => layoutRows(child, start, length, context)) };
  }
  if (DataType.isFixedSizeList(type)) {
    const [child] = data.children as [Data];
    const size = type.listSize;
    return { ...layout, children: [layoutRows(child, start * size, length * size, context)] };
  }
  if (data.valueOffsets !== undefined) {
    const { offsets, first, last } = offsetsFromZero(data, start, length, context);
    const [child] = data.children;
    const inner =
      child === undefined
        ? { values: add(data.values as Uint8Array, first, last, context) }
        : { children: [layoutRows(child, first, last - first, context)] };
    return { ...layout, offsets: addRange(offsets, "elements", context), ...inner };
  }
  if (DataType.isBool(type)) {
    return { ...layout, values: addBits(data.values as Uint8Array, data.offset + start, length, context) };
  }
  const { stride } = data;
  const values = add(data.values as Uint8Array, start * stride, (start + length) * stride, context);
  return { ...layout, values, ...layoutDictionary(data, context) };
}

/** Returns the layout of an array without memory: an array without elements, or one of type Null. */
function emptyLayout(data: Data, length: number, context: Context): ArrayLayout {
  const children = data.children.map((child) => layoutRows(child, 0, 0, context));
  return {
    length,
    nullCount: length,
    ...(children.length > 0 && { children }),
    ...layoutDictionary(data, context),
  };
}

function layoutValidity(data: Data, start: number, length: number, context: Context): { validity?: number } {
  const { nullBitmap } = data;
  if (nullBitmap === undefined || nullBitmap === null || nullBitmap.length === 0) return {};
  return { validity: addBits(nullBitmap, data.offset + start, length, context) };
}

/** Returns the layout of a dictionary. A dictionary is always copied, because the batches of a stream share dictionaries. */
function layoutDictionary(data: Data, context: Context): { dictionary?: readonly ArrayLayout[] } {
  if (!DataType.isDictionary(data.type)) return {};
  const chunks: readonly Data[] = data.dictionary?.data ?? [];
  return {
    dictionary: chunks.map((chunk) => layoutRows(chunk, 0, chunk.length, { ...context, isShared: true })),
  };
}

/**
 * Returns the offsets of the rows, starting with 0. If their first offset in `data` is above 0, as in a slice, returns a shifted
 * copy.
 */
function offsetsFromZero(
  data: Data,
  start: number,
  length: number,
  context: Context,
): { offsets: Int32Array | BigInt64Array; first: number; last: number } {
  const all = data.valueOffsets as Int32Array | BigInt64Array;
  assertPresent(all.length, start + length + 1, context);
  const offsets = all.subarray(start, start + length + 1);
  const first = Number(offsets[0]);
  const last = Number(offsets[length]);
  if (first === 0) return { offsets, first, last };
  context.gathering.markAsSlice();
  const rebased =
    offsets[Symbol.toStringTag] === "BigInt64Array"
      ? (offsets as BigInt64Array).map((offset) => offset - BigInt(first))
      : (offsets as Int32Array).map((offset) => offset - first);
  return { offsets: rebased, first, last };
}

/** Adds the elements `start` to `end` (exclusive) of `values`. Returns the index of their range. */
function add(values: Uint8Array, start: number, end: number, context: Context): number {
  assertPresent(values.length, end, context);
  return addRange(values.subarray(start, end), "elements", context);
}

function addRange(view: ArrayBufferView, kind: RangeKind, { gathering, isShared }: Context): number {
  return gathering.add(view, isShared ? "copied" : kind);
}

/** Adds the bits `start` to `start + length` (exclusive). Copies and shifts them if they do not start at a byte boundary. */
function addBits(bits: Uint8Array, start: number, length: number, context: Context): number {
  const firstByte = start >> 3;
  const numBytes = (length + 7) >> 3;
  const shift = start & 7;
  assertPresent(bits.length, (start + length + 7) >> 3, context);
  if (shift === 0) return addRange(bits.subarray(firstByte, firstByte + numBytes), "bits", context);
  context.gathering.markAsSlice();
  const shifted = new Uint8Array(numBytes);
  for (let i = 0; i < numBytes; i++) {
    const low = (bits[firstByte + i] as number) >> shift;
    shifted[i] = low | ((bits[firstByte + i + 1] ?? 0) << (8 - shift));
  }
  return addRange(shifted, "bits", context);
}

/** Checks that a buffer still has its elements. A transferred buffer has none. */
function assertPresent(found: number, expected: number, { columnPath }: Context): void {
  if (found >= expected) return;
  throw new ArgumentError(
    "invalid-argument",
    `A buffer of column "${columnPath}" must have at least ${expected} elements, found ${found}; ` +
      "the batch was probably released or transferred.",
    { argument: "batch", reason: "detached-buffer" },
  );
}
