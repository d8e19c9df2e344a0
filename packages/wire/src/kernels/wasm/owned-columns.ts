import {
  type ColumnBuffers,
  FeatureKind,
  type FeatureListBuffers,
  type SequenceExampleBatch,
} from "../kernels.js";
import type { ColumnRecord } from "./column-record.js";
import type { Engine } from "./engine.js";
import { unclearedBuffer } from "./uncleared-buffer.js";

/** Arrow asks for it. */
const ALIGNMENT = 64;

/** A column of an engine's batch, and its name. */
export interface NamedColumn {
  readonly name: string;
  readonly record: ColumnRecord;
}

/** What an engine's batch is made of. */
export interface BatchRecords {
  readonly columns: readonly NamedColumn[];
  readonly lists: readonly NamedColumn[];
  /** The records themselves, as a column of one value in each row; null when they are not kept. */
  readonly raw: ColumnRecord | null;
}

/** The same in buffers. */
export interface BatchBuffers extends Pick<SequenceExampleBatch, "columns" | "rawRecords"> {
  readonly featureLists: readonly FeatureListBuffers[];
}

/**
 * Copies a batch of `numRows` rows out of an engine's memory, all into one buffer: a batch is then one allocation,
 * and one transfer to another thread.
 */
export function ownedColumns(engine: Engine, batch: BatchRecords, numRows: number): BatchBuffers {
  let size = batch.raw === null ? 0 : valueBytes(batch.raw);
  for (const { record } of batch.columns) size += columnBytes(record, numRows);
  for (const { record } of batch.lists) {
    size += rowBytes(record, numRows) + columnBytes(record.steps, record.numValues);
  }
  return batchIn(new BufferPacker(engine.bytes, unclearedBuffer(size)), batch, numRows);
}

/** The same batch where it lies: views of the engine's memory, good until the engine has other work. */
export function leasedColumns(engine: Engine, batch: BatchRecords, numRows: number): BatchBuffers {
  // Nothing is ever laid at address 0, so that the one offset of no values is found there.
  return batchIn({ buffer: engine.bytes.buffer, add: addressOf }, batch, numRows);
}

function addressOf(address: number, length: number): number {
  return length === 0 ? 0 : address;
}

/** Where the buffers of columns are. */
interface ColumnMemory {
  readonly buffer: ArrayBufferLike;
  /** Where in `buffer` the `length` bytes at `address` of the engine are, or `least` zeros, when that is more. */
  add(address: number, length: number, least?: number): number;
}

/** Size of a copy of the row's bitmap and offsets. */
function rowBytes({ nullCount }: ColumnRecord, numRows: number): number {
  return padded((numRows + 1) * 4) + (nullCount > 0 ? padded((numRows + 7) >> 3) : 0);
}

function valueBytes({ kind, numBytes, numValues, valueSize }: ColumnRecord): number {
  if (kind === FeatureKind.bytes) return padded(numBytes) + padded((numValues + 1) * 4);
  return padded(numValues * valueSize);
}

function columnBytes(record: ColumnRecord, numRows: number): number {
  return record.kind === FeatureKind.unset ? 0 : rowBytes(record, numRows) + valueBytes(record);
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
  const { buffer } = memory;
  if (kind === FeatureKind.unset) {
    return { name, kind, nullCount: numRows, offsets: new Int32Array(0), values: new Uint8Array(0) };
  }
  const rows = { name, kind, ...rowsIn(memory, record, numRows) };
  if (kind === FeatureKind.bytes) return { ...rows, ...bytesIn(memory, record) };
  const at = memory.add(record.values, numValues * record.valueSize);
  const values =
    kind === FeatureKind.float
      ? new Float32Array(buffer, at, numValues)
      : new BigInt64Array(buffer, at, numValues);
  return { ...rows, values };
}

function rowsIn(
  memory: ColumnMemory,
  { nullCount, validity: bitmapAt, offsets: offsetsAt }: ColumnRecord,
  numRows: number,
): Pick<ColumnBuffers, "nullCount" | "validity" | "offsets"> {
  const { buffer } = memory;
  const numBitmapBytes = (numRows + 7) >> 3;
  const validity =
    nullCount === 0
      ? undefined
      : new Uint8Array(buffer, memory.add(bitmapAt, numBitmapBytes), numBitmapBytes);
  const offsets = new Int32Array(buffer, memory.add(offsetsAt, (numRows + 1) * 4), numRows + 1);
  return { nullCount, validity, offsets };
}

function bytesIn(
  memory: ColumnMemory,
  { values: at, valueOffsets: offsetsAt, numValues, numBytes }: ColumnRecord,
): { readonly values: Uint8Array; readonly valueOffsets: Int32Array } {
  const { buffer } = memory;
  const values = new Uint8Array(buffer, memory.add(at, numBytes), numBytes);
  // Without values there may be no memory for their offsets: the one that there is then is 0.
  const start = memory.add(offsetsAt, numValues === 0 ? 0 : (numValues + 1) * 4, 4);
  return { values, valueOffsets: new Int32Array(buffer, start, numValues + 1) };
}

/** Feature lists of no rows. */
export function emptyList(name: string, kind: FeatureKind): FeatureListBuffers {
  return {
    name,
    nullCount: 0,
    validity: undefined,
    offsets: new Int32Array(1),
    steps: emptyColumn(name, kind),
  };
}

/** A column of no rows. */
export function emptyColumn(name: string, kind: FeatureKind): ColumnBuffers {
  const common = { name, kind, nullCount: 0, validity: undefined, offsets: new Int32Array(1) };
  if (kind === FeatureKind.bytes)
    return { ...common, values: new Uint8Array(0), valueOffsets: new Int32Array(1) };
  return { ...common, values: kind === FeatureKind.float ? new Float32Array(0) : new BigInt64Array(0) };
}

/** Lays copies one after the other, each aligned, with zeros between them. */
class BufferPacker implements ColumnMemory {
  readonly #source: Uint8Array;
  readonly #target: Uint8Array;
  #end = 0;

  constructor(
    source: Uint8Array,
    readonly buffer: ArrayBuffer,
  ) {
    this.#source = source;
    this.#target = new Uint8Array(buffer);
  }

  /** Copies `length` bytes from `address`, and takes `least` bytes at least. Returns where the copy starts. */
  add(address: number, length: number, least = 0): number {
    const at = this.#end;
    if (length > 0) this.#target.set(this.#source.subarray(address, address + length), at);
    this.#end = at + padded(Math.max(length, least));
    this.#target.fill(0, at + length, this.#end);
    return at;
  }
}

function padded(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
