import { type ColumnBuffers, FeatureKind } from "./kernels.js";

/** Arrow's int32 offsets end here. */
const MAX_OFFSET = 0x7fffffff;
/** Bytes past the used part of a bytes column that a copy of whole words may overwrite. */
export const SLACK = 8;

const noWords: Int32Array<ArrayBuffer> = new Int32Array(0);
const noBytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
const noView: DataView<ArrayBuffer> = new DataView(noBytes.buffer);

/** What may become of a column's values. */
export type ColumnRole =
  /** Listed with a kind; always in the batch. */
  | "planned"
  /** Wanted by name; in the batch when the name occurred. Stays known from batch to batch. */
  | "wanted"
  /** Like `wanted`, found in the data; forgotten when a batch lacks it. */
  | "discovered"
  /** Never in the batch. */
  | "ignored";

/**
 * One column in the making: growable buffers in Arrow layout. Capacities are taken from the last batch plus an
 * eighth, so that a steady stream allocates once. Rows are filled lazily: `row` rows are done,
 * what lies between them and a later row becomes null when that row comes.
 */
export class ExampleColumn {
  // Every field has an initial value of its final type: V8 then knows the type where the field is read.
  kind: FeatureKind = FeatureKind.unset;
  /** Row that first held this name in the batch, -1 while none did; 0 for a planned column. */
  firstRow = -1;
  row = 0;
  nullCount = 0;
  numValues = 0;
  /** bytes: used length of the data. */
  numBytes = 0;
  /** float and int64: values as 32-bit words, little-endian like every platform that runs JavaScript. */
  words: Int32Array<ArrayBuffer> = noWords;
  /** The same memory as `words`, or the data of a bytes column. */
  bytes: Uint8Array<ArrayBuffer> = noBytes;
  view: DataView<ArrayBuffer> = noView;
  valueOffsets: Int32Array<ArrayBuffer> = noWords;
  valueCapacity = 0;
  /** Rows that fit without a call of {@link seek}. */
  rowCapacity = 0;
  private offsets: Int32Array<ArrayBuffer> = noWords;
  /** All zero until the first null. */
  private validity: Uint8Array<ArrayBuffer> = noBytes;
  /** Row in which `kind` was found, -1 when it was planned. */
  private kindRow = -1;
  private rowHint = 0;
  private valueHint = 0;
  private byteHint = 0;

  /** The name in UTF-8. */
  readonly key: Uint8Array<ArrayBuffer> = noBytes;
  readonly keyLength: number = 0;
  /** Its whole little-endian words from the start; none for fewer than four bytes. */
  readonly keyWords: Int32Array<ArrayBuffer> = noWords;
  /** Its last word. */
  readonly keyTail: number = 0;

  constructor(
    readonly name: string,
    readonly role: ColumnRole,
    private readonly plannedKind: FeatureKind = FeatureKind.unset,
  ) {
    this.kind = plannedKind;
    this.firstRow = role === "planned" ? 0 : -1;
    this.key = new TextEncoder().encode(name);
    this.keyLength = this.key.length;
    const view = new DataView(this.key.buffer, this.key.byteOffset, this.keyLength);
    this.keyWords = Int32Array.from({ length: this.keyLength >> 2 }, (_, i) => view.getInt32(i * 4, true));
    this.keyTail = this.keyLength < 4 ? 0 : view.getInt32(this.keyLength - 4, true);
  }

  /** Gives an unplanned column its kind. */
  discoverKind(kind: FeatureKind, row: number): void {
    this.kind = kind;
    this.kindRow = row;
  }

  /** Makes nulls of the rows before `row`, and room for `row`. */
  seek(row: number): void {
    if (row >= this.rowCapacity) this.reserveRows(row);
    if (this.row === row) return;
    if (this.nullCount === 0) setBits(this.validity, this.row);
    this.nullCount += row - this.row;
    this.offsets.fill(this.numValues, this.row + 1, row + 1);
    this.row = row;
  }

  /** Ends the row that was sought, with the values appended since the last one. */
  commit(): void {
    const { row } = this;
    if (this.nullCount > 0) this.validity[row >> 3]! |= 1 << (row & 7);
    this.offsets[row + 1] = this.numValues;
    this.row = row + 1;
  }

  /** Takes back what was appended since the last row ended. */
  discard(): void {
    this.numValues = this.row === 0 ? 0 : this.offsets[this.row]!;
    if (this.kind === FeatureKind.bytes)
      this.numBytes = this.numValues === 0 ? 0 : this.valueOffsets[this.numValues]!;
  }

  /** Takes `row` back, if it was the last to end, and a kind that was found in it. */
  clear(row: number): void {
    if (this.row > row) {
      this.row = row;
      if (this.nullCount > 0) this.validity[row >> 3]! &= ~(1 << (row & 7));
      this.discard();
    }
    if (this.kindRow === row) this.dropKind();
  }

  /** Takes back every trace of `row`. */
  forget(row: number): void {
    this.clear(row);
    if (this.firstRow === row && this.role !== "planned") this.firstRow = -1;
  }

  /** Room for `count` more values. */
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

  /** Room for `count` more bytes of data, and for whole words at their end. */
  reserveBytes(count: number): boolean {
    const needed = this.numBytes + count;
    if (needed + SLACK <= this.bytes.length) return true;
    if (needed > MAX_OFFSET) return false;
    return this.growBytes(Math.max(needed, this.bytes.length * 2, this.byteHint, 64) + SLACK, this.numBytes);
  }

  /** Bytes that the column will have at `numRows` rows. */
  sizeAt(numRows: number): number {
    if (this.firstRow < 0) return 0;
    const rows = numRows * 4 + (numRows >> 3);
    return this.kind === FeatureKind.bytes
      ? rows + this.numValues * 4 + this.numBytes
      : rows + this.numValues * this.valueSize;
  }

  /** Hands out the buffers of `numRows` rows. */
  take(numRows: number): ColumnBuffers {
    const { name, kind, numValues } = this;
    if (kind === FeatureKind.unset) {
      this.restart();
      return { name, kind, nullCount: numRows, offsets: noWords, values: noBytes };
    }
    this.seek(numRows);
    const { nullCount } = this;
    const validity = nullCount === 0 ? undefined : trimmed(this.validity, (numRows + 7) >> 3);
    const offsets = trimmed(this.offsets, numRows + 1);
    const common = { name, kind, nullCount, validity, offsets };
    this.rowHint = withHeadroom(numRows);
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
    this.offsets = noWords;
    this.validity = noBytes;
    this.rowCapacity = 0;
    this.restart();
    return result;
  }

  /** Empties the column for the next batch. */
  restart(): void {
    this.validity.fill(0);
    this.firstRow = this.role === "planned" ? 0 : -1;
    this.row = 0;
    this.nullCount = 0;
    this.numValues = 0;
    this.numBytes = 0;
    if (this.kind !== this.plannedKind) this.dropKind();
  }

  /** An unplanned column's kind and its values; memory of one kind is laid out for that kind alone. */
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

  private reserveRows(row: number): void {
    const capacity = Math.ceil((Math.max(row, this.rowCapacity * 2, this.rowHint) + 1) / 64) * 64;
    const offsets = new Int32Array(capacity + 1);
    offsets.set(this.offsets);
    const validity = new Uint8Array(capacity / 8);
    validity.set(this.validity);
    this.offsets = offsets;
    this.validity = validity;
    this.rowCapacity = capacity;
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

function withHeadroom(used: number): number {
  return used + (used >> 3);
}

/** Null where the runtime refuses: the caller reports it as a batch too large. */
function allocate(byteLength: number): ArrayBuffer | null {
  try {
    return new ArrayBuffer(byteLength);
  } catch {
    return null;
  }
}

/** A view of the first `length` elements, or a copy of them where the memory behind is more than twice as large. */
function trimmed<T extends Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer>>(array: T, length: number): T {
  const view = array.length > 2 * length + 64 ? array.slice(0, length) : array.subarray(0, length);
  return view as T;
}

/** Sets the first `count` bits. */
function setBits(bitmap: Uint8Array, count: number): void {
  bitmap.fill(0xff, 0, count >> 3);
  if ((count & 7) > 0) bitmap[count >> 3] = (1 << (count & 7)) - 1;
}
