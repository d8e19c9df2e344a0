import { allocate, MAX_OFFSET, noBytes, noView, noWords, trimmed, withHeadroom } from "./column-memory.js";
import { type ColumnRole, ColumnRows } from "./column-rows.js";
import { type ColumnBuffers, FeatureKind } from "../kernels.js";

/** Number of bytes that a copy of whole words may overwrite after the used part of a bytes column. */
export const SLACK = 8;

/**
 * A column of values under construction, in growable buffers of Arrow layout. The initial capacity is what the previous batch
 * used plus an eighth, so that batches of steady size allocate only once.
 */
export class ExampleColumn extends ColumnRows {
  kind: FeatureKind = FeatureKind.unset;
  /** Used length of the data of a bytes column. */
  numBytes = 0;
  /** Values of a float or int64 column as 32-bit words. They are little-endian, as on every supported platform. */
  words: Int32Array<ArrayBuffer> = noWords;
  /** The same memory as `words`, or the data of a bytes column. */
  bytes: Uint8Array<ArrayBuffer> = noBytes;
  view: DataView<ArrayBuffer> = noView;
  valueOffsets: Int32Array<ArrayBuffer> = noWords;
  valueCapacity = 0;
  /** Row in which `kind` was found, or -1 if it was planned or is still unset. */
  private kindRow = -1;
  private valueHint = 0;
  private byteHint = 0;

  constructor(
    name: string,
    role: ColumnRole,
    private readonly plannedKind: FeatureKind = FeatureKind.unset,
  ) {
    super(name, role);
    this.kind = plannedKind;
  }

  discoverKind(kind: FeatureKind, row: number): void {
    this.kind = kind;
    this.kindRow = row;
  }

  /** Removes the values that were appended after the last finished row. */
  discard(): void {
    this.numValues = this.numCommitted;
    if (this.kind === FeatureKind.bytes)
      this.numBytes = this.numValues === 0 ? 0 : this.valueOffsets[this.numValues]!;
  }

  /** Removes the rows from `row` on, and also the kind if one of these rows introduced it. */
  clear(row: number): void {
    this.rewind(row);
    this.discard();
    if (this.kindRow >= row) this.dropKind();
  }

  /** Removes `row` as if its record had never been read. */
  forget(row: number): void {
    this.clear(row);
    if (this.firstRow === row && this.role !== "planned") this.firstRow = -1;
  }

  /** Makes room for `count` more values. Returns false if int32 offsets or memory do not suffice. */
  reserveValues(count: number): boolean {
    const needed = this.numValues + count;
    if (needed <= this.valueCapacity) return true;
    if (needed >= MAX_OFFSET) return false;
    const capacity = Math.min(Math.max(needed, this.valueCapacity * 2, this.valueHint, 8), MAX_OFFSET - 1);
    if (this.kind === FeatureKind.bytes) {
      const memory = allocate((capacity + 1) * 4);
      if (memory === null) return false;
      const grown = new Int32Array(memory);
      grown.set(this.valueOffsets.subarray(0, this.numValues + 1));
      this.valueOffsets = grown;
    } else if (!this.growBytes(capacity * this.valueSize, this.numValues * this.valueSize)) {
      return false;
    }
    this.valueCapacity = capacity;
    return true;
  }

  /** Makes room for `count` more bytes of data plus {@link SLACK}. Returns false if int32 offsets or memory do not suffice. */
  reserveBytes(count: number): boolean {
    const needed = this.numBytes + count;
    if (needed + SLACK <= this.bytes.length) return true;
    if (needed > MAX_OFFSET) return false;
    return this.growBytes(Math.max(needed, this.bytes.length * 2, this.byteHint, 64) + SLACK, this.numBytes);
  }

  /** Returns the size in bytes of the column if it has `numRows` rows. */
  sizeAt(numRows: number): number {
    if (this.firstRow < 0) return 0;
    const rows = this.rowsSize(numRows);
    return this.kind === FeatureKind.bytes
      ? rows + this.numValues * 4 + this.numBytes
      : rows + this.numValues * this.valueSize;
  }

  /** Returns the buffers of `numRows` rows, and empties the column. The caller owns the buffers. */
  take(numRows: number): ColumnBuffers {
    const { name, kind, numValues } = this;
    if (kind === FeatureKind.unset) {
      this.restart();
      return { name, kind, nullCount: numRows, offsets: noWords, values: noBytes };
    }
    const common = { name, kind, ...this.takeRows(numRows) };
    this.valueHint = withHeadroom(numValues);
    this.byteHint = withHeadroom(this.numBytes);
    let result: ColumnBuffers;
    if (kind === FeatureKind.bytes) {
      const valueOffsets = numValues === 0 ? new Int32Array(1) : trimmed(this.valueOffsets, numValues + 1);
      result = { ...common, values: trimmed(this.bytes, this.numBytes), valueOffsets };
    } else {
      const { buffer } = trimmed(this.bytes, numValues * this.valueSize);
      const values =
        kind === FeatureKind.float
          ? new Float32Array(buffer, 0, numValues)
          : new BigInt64Array(buffer, 0, numValues);
      result = { ...common, values };
    }
    this.dropMemory();
    this.restart();
    return result;
  }

  /** Empties the column for the next batch. */
  restart(): void {
    this.restartRows();
    this.numBytes = 0;
    if (this.kind !== this.plannedKind) this.dropKind();
  }

  /** Drops the kind of an unplanned column, with its values and memory, because the memory layout depends on the kind. */
  private dropKind(): void {
    this.kind = this.plannedKind;
    this.kindRow = -1;
    this.numValues = 0;
    this.numBytes = 0;
    this.dropMemory();
  }

  private dropMemory(): void {
    this.words = noWords;
    this.bytes = noBytes;
    this.view = noView;
    this.valueOffsets = noWords;
    this.valueCapacity = 0;
  }

  private get valueSize(): number {
    return this.kind === FeatureKind.int64 ? 8 : 4;
  }

  private growBytes(capacity: number, used: number): boolean {
    const memory = allocate(Math.ceil(capacity / 8) * 8);
    if (memory === null) return false;
    const bytes = new Uint8Array(memory);
    bytes.set(this.bytes.subarray(0, used));
    this.bytes = bytes;
    this.words = new Int32Array(memory);
    this.view = new DataView(memory);
    return true;
  }
}
