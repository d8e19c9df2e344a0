import {
  type ColumnBuffers,
  FeatureKind,
  type FeatureListBuffers,
  type SequenceExampleBatch,
} from "../kernels.js";
import type { ColumnRecord } from "./column-record.js";
import type { KernelInstance } from "./kernel-instance.js";
import { unclearedBuffer } from "./uncleared-buffer.js";

/** Alignment of buffers in bytes, as Arrow recommends. */
const ALIGNMENT = 64;
/**
 * Size in bytes of the buffers that smaller arrays share. malloc can reuse freed blocks of this size even if no free block is
 * large enough for a whole batch. ADR 9 has the measurements.
 */
const BUFFER_BYTES: number = 2 ** 20;

/** A column in an instance's batch, with its name. */
export interface NamedColumn {
  readonly name: string;
  readonly record: ColumnRecord;
}

/** The contents of an instance's batch. */
export interface BatchRecords {
  readonly columns: readonly NamedColumn[];
  readonly lists: readonly NamedColumn[];
  /** The raw records, as a bytes column with one value per row, or null if they are not kept. */
  readonly raw: ColumnRecord | null;
}

/** The columns, feature lists and raw records of a batch, as buffers. */
export interface BatchBuffers extends Pick<SequenceExampleBatch, "columns" | "rawRecords"> {
  readonly featureLists: readonly FeatureListBuffers[];
}

/**
 * Copies a batch of `numRows` rows out of an instance's memory, into shared buffers of at most {@link BUFFER_BYTES}. A larger
 * array gets its own buffer.
 */
export function ownedColumns(instance: KernelInstance, batch: BatchRecords, numRows: number): BatchBuffers {
  let size = batch.raw === null ? 0 : valueBytes(batch.raw);
  for (const { record } of batch.columns) size += columnBytes(record, numRows);
  for (const { record } of batch.lists) {
    size += rowBytes(record, numRows) + columnBytes(record.steps, record.numValues);
  }
  return batchIn(new BufferPacker(instance.bytes, size), batch, numRows);
}

/** Returns the batch as views of the instance's memory, without a copy. They are valid until the instance starts other work. */
export function leasedColumns(instance: KernelInstance, batch: BatchRecords, numRows: number): BatchBuffers {
  const { buffer } = instance.bytes;
  // Address 0 always holds zeros, so the single offset of a column without values can be read there.
  return batchIn(
    { place: (address, length) => ({ buffer, at: length === 0 ? 0 : address }) },
    batch,
    numRows,
  );
}

/** Locates the buffers of columns. */
interface ColumnMemory {
  /**
   * Returns the location of the `length` bytes at the instance's `address`. If `least` is greater, zeros follow, up to `least`
   * bytes in total.
   */
  place(address: number, length: number, least?: number): Place;
}

interface Place {
  readonly buffer: ArrayBufferLike;
  readonly at: number;
}

/** Returns the number of bytes that the copies of a column's bitmap and offsets take in shared buffers. */
function rowBytes({ nullCount }: ColumnRecord, numRows: number): number {
  return shared((numRows + 1) * 4) + (nullCount > 0 ? shared((numRows + 7) >> 3) : 0);
}

function valueBytes({ kind, numBytes, numValues, valueSize }: ColumnRecord): number {
  if (kind === FeatureKind.bytes) return shared(numBytes) + shared((numValues + 1) * 4);
  return shared(numValues * valueSize);
}

function columnBytes(record: ColumnRecord, numRows: number): number {
  return record.kind === FeatureKind.unset ? 0 : rowBytes(record, numRows) + valueBytes(record);
}

/** Returns the number of bytes that an array takes in shared buffers, or 0 if it gets its own buffer. */
function shared(length: number): number {
  const size = padded(length);
  return size > BUFFER_BYTES ? 0 : size;
}

function batchIn(memory: ColumnMemory, { columns, lists, raw }: BatchRecords, numRows: number): BatchBuffers {
  return {
    columns: columns.map((column) => columnIn(memory, column, numRows)),
    featureLists: lists.map((list) => listIn(memory, list, numRows)),
    rawRecords: raw === null ? undefined : bytesIn(memory, raw),
  };
}

function listIn(memory: ColumnMemory, { name, record }: NamedColumn, numRows: number): FeatureListBuffers {
  const rows = rowsIn(memory, record, numRows);
  return { name, ...rows, steps: columnIn(memory, { name, record: record.steps }, record.numValues) };
}

function columnIn(memory: ColumnMemory, { name, record }: NamedColumn, numRows: number): ColumnBuffers {
  const { kind, numValues } = record;
  if (kind === FeatureKind.unset) {
    return { name, kind, nullCount: numRows, offsets: new Int32Array(0), values: new Uint8Array(0) };
  }
  const { nullCount, validity, offsets } = rowsIn(memory, record, numRows);
  // Properties are listed, because objects created with spread syntax would survive two scavenges here, and V8 would promote
  // every column to the old generation.
  if (kind === FeatureKind.bytes) {
    const { values, valueOffsets } = bytesIn(memory, record);
    return { name, kind, nullCount, validity, offsets, values, valueOffsets };
  }
  const { buffer, at } = memory.place(record.values, numValues * record.valueSize);
  const values =
    kind === FeatureKind.float
      ? new Float32Array(buffer, at, numValues)
      : new BigInt64Array(buffer, at, numValues);
  return { name, kind, nullCount, validity, offsets, values };
}

function rowsIn(
  memory: ColumnMemory,
  { nullCount, validity: bitmapAt, offsets: offsetsAt }: ColumnRecord,
  numRows: number,
): Pick<ColumnBuffers, "nullCount" | "validity" | "offsets"> {
  const numBitmapBytes = (numRows + 7) >> 3;
  const bitmap = nullCount === 0 ? undefined : memory.place(bitmapAt, numBitmapBytes);
  const validity = bitmap && new Uint8Array(bitmap.buffer, bitmap.at, numBitmapBytes);
  const { buffer, at } = memory.place(offsetsAt, (numRows + 1) * 4);
  return { nullCount, validity, offsets: new Int32Array(buffer, at, numRows + 1) };
}

function bytesIn(
  memory: ColumnMemory,
  { values: dataAt, valueOffsets: offsetsAt, numValues, numBytes }: ColumnRecord,
): { readonly values: Uint8Array; readonly valueOffsets: Int32Array } {
  const data = memory.place(dataAt, numBytes);
  const values = new Uint8Array(data.buffer, data.at, numBytes);
  // The value offsets of a column without values may be missing. The single offset is then 0.
  const { buffer, at } = memory.place(offsetsAt, numValues === 0 ? 0 : (numValues + 1) * 4, 4);
  return { values, valueOffsets: new Int32Array(buffer, at, numValues + 1) };
}

/** Returns a column of feature lists without rows. */
export function emptyList(name: string, kind: FeatureKind): FeatureListBuffers {
  return {
    name,
    nullCount: 0,
    validity: undefined,
    offsets: new Int32Array(1),
    steps: emptyColumn(name, kind),
  };
}

/** Returns a column without rows. */
export function emptyColumn(name: string, kind: FeatureKind): ColumnBuffers {
  const common = { name, kind, nullCount: 0, validity: undefined, offsets: new Int32Array(1) };
  if (kind === FeatureKind.bytes)
    return { ...common, values: new Uint8Array(0), valueOffsets: new Int32Array(1) };
  return { ...common, values: kind === FeatureKind.float ? new Float32Array(0) : new BigInt64Array(0) };
}

/** Packs copies of arrays into shared buffers. Each copy is aligned, and gaps are filled with zeros. */
class BufferPacker implements ColumnMemory {
  readonly #source: Uint8Array;
  #target: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #end = 0;
  #numLeft: number;

  /** @param size Total size in bytes of the copies that share buffers. */
  constructor(source: Uint8Array, size: number) {
    this.#source = source;
    this.#numLeft = size;
  }

  /** Copies `length` bytes from `address`, and reserves at least `least` bytes. */
  place(address: number, length: number, least = 0): Place {
    const size = padded(Math.max(length, least));
    if (size > BUFFER_BYTES) {
      const target = new Uint8Array(unclearedBuffer(size));
      return this.#copy(target, 0, address, length, size);
    }
    if (this.#end + size > this.#target.length) {
      this.#target.fill(0, this.#end);
      this.#target = new Uint8Array(unclearedBuffer(Math.min(this.#numLeft, BUFFER_BYTES)));
      this.#end = 0;
    }
    const at = this.#end;
    this.#end += size;
    this.#numLeft -= size;
    return this.#copy(this.#target, at, address, length, size);
  }

  #copy(target: Uint8Array<ArrayBuffer>, at: number, address: number, length: number, size: number): Place {
    if (length > 0) target.set(this.#source.subarray(address, address + length), at);
    target.fill(0, at + length, at + size);
    return { buffer: target.buffer, at };
  }
}

function padded(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
