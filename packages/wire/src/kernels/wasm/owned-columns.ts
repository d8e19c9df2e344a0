import { type ColumnBuffers, FeatureKind } from "../kernels.js";
import type { ColumnRecord } from "./column-record.js";
import type { Engine } from "./engine.js";

/** Arrow asks for it. */
const ALIGNMENT = 64;

/** A column of an engine's batch, and its name. */
export interface NamedColumn {
  readonly name: string;
  readonly record: ColumnRecord;
}

/**
 * Copies columns of `numRows` rows out of an engine's memory, all into one buffer: a batch is then one allocation,
 * and one transfer to another thread.
 */
export function ownedColumns(
  engine: Engine,
  columns: readonly NamedColumn[],
  numRows: number,
): ColumnBuffers[] {
  let size = 0;
  for (const { record } of columns) size += ownedBytes(record, numRows);
  const packer = new BufferPacker(engine.bytes, new ArrayBuffer(size));
  return columns.map((column) => columnIn(packer, column, numRows));
}

/** The same columns where they lie: views of the engine's memory, good until the engine has other work. */
export function leasedColumns(
  engine: Engine,
  columns: readonly NamedColumn[],
  numRows: number,
): ColumnBuffers[] {
  // Nothing is ever laid at address 0, so that the one offset of no values is found there.
  const memory = { buffer: engine.bytes.buffer, add: addressOf };
  return columns.map((column) => columnIn(memory, column, numRows));
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

function ownedBytes(record: ColumnRecord, numRows: number): number {
  const { kind, numValues } = record;
  if (kind === FeatureKind.unset) return 0;
  const offsets = padded((numRows + 1) * 4) + (record.nullCount > 0 ? padded((numRows + 7) >> 3) : 0);
  return kind === FeatureKind.bytes
    ? offsets + padded(record.numBytes) + padded((numValues + 1) * 4)
    : offsets + padded(numValues * record.valueSize);
}

function columnIn(memory: ColumnMemory, { name, record }: NamedColumn, numRows: number): ColumnBuffers {
  const { kind, numValues, nullCount } = record;
  const { buffer } = memory;
  if (kind === FeatureKind.unset) {
    return { name, kind, nullCount: numRows, offsets: new Int32Array(0), values: new Uint8Array(0) };
  }
  const numBitmapBytes = (numRows + 7) >> 3;
  const validity =
    nullCount === 0
      ? undefined
      : new Uint8Array(buffer, memory.add(record.validity, numBitmapBytes), numBitmapBytes);
  const offsets = new Int32Array(buffer, memory.add(record.offsets, (numRows + 1) * 4), numRows + 1);
  const common = { name, kind, nullCount, validity, offsets };
  if (kind === FeatureKind.bytes) {
    const values = new Uint8Array(buffer, memory.add(record.values, record.numBytes), record.numBytes);
    // Without values there may be no memory for their offsets: the one that there is then is 0.
    const at = memory.add(record.valueOffsets, numValues === 0 ? 0 : (numValues + 1) * 4, 4);
    return { ...common, values, valueOffsets: new Int32Array(buffer, at, numValues + 1) };
  }
  const at = memory.add(record.values, numValues * record.valueSize);
  const values =
    kind === FeatureKind.float
      ? new Float32Array(buffer, at, numValues)
      : new BigInt64Array(buffer, at, numValues);
  return { ...common, values };
}

/** A column of no rows. */
export function emptyColumn(name: string, kind: FeatureKind): ColumnBuffers {
  const common = { name, kind, nullCount: 0, validity: undefined, offsets: new Int32Array(1) };
  if (kind === FeatureKind.bytes)
    return { ...common, values: new Uint8Array(0), valueOffsets: new Int32Array(1) };
  return { ...common, values: kind === FeatureKind.float ? new Float32Array(0) : new BigInt64Array(0) };
}

/** Lays copies one after the other, each aligned. */
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
    return at;
  }
}

function padded(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
