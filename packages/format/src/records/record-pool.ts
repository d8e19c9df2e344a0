import type { RecordBlock } from "@tfxio/wire";
import { leaveIdleMemory, takeIdleMemory } from "./idle-memory.js";
import { enlarged, RecordOrigins } from "./record-origins.js";

/** Number of bytes at the start of the memory that are reserved for the stage, which holds the records to decode next. */
export const STAGE_BYTES: number = 2 ** 18;
/** Initial number of bytes after the stage. */
const FIRST_BYTES: number = 2 ** 20;
/** When the buffer is full, it grows if records take more than this share of it. Otherwise the records are compacted. */
const MAX_LIVE_SHARE = 0.4;
/** When the memory grows, it makes room for all expected records, up to this many times the bytes of the records so far. */
const MAX_GROWTH = 8;
/** Bound on slot numbers. A uint32 start and a slot number below this bound can be packed into one float64 without rounding. */
const MAX_PACKED_SLOTS: number = 2 ** 21;

/**
 * A pool of record copies, from which any record can be taken. All records are in one buffer, so no record needs a view. The
 * start of the buffer is a stage for the records to decode next. When the pool is full, its buffer is usually a few times as
 * large as the records in it.
 */
export class RecordPool {
  readonly #maxRecords: number;
  /** The memory. Replaced when it grows; the offsets of staged records do not change. */
  bytes: Uint8Array = takeIdleMemory() ?? new Uint8Array(STAGE_BYTES + FIRST_BYTES);
  #end = STAGE_BYTES;
  /** Start of the record in each slot, in {@link bytes}. */
  starts: Uint32Array = new Uint32Array(1024);
  /** End of the record in each slot, exclusive. */
  ends: Uint32Array = new Uint32Array(1024);
  readonly origins: RecordOrigins = new RecordOrigins(1024);
  /** Number of records in the pool. Each slot from 0 to `length` (exclusive) holds one record. */
  length = 0;
  /** Total number of bytes of the records in the pool. */
  numBytes = 0;

  /** @param maxRecords Expected number of records, from which the memory is estimated. The pool may hold more. */
  constructor(maxRecords: number) {
    this.#maxRecords = maxRecords;
  }

  /** Number of bytes allocated, used or not. */
  get numBytesHeld(): number {
    return this.bytes.length;
  }

  /** Copies the records `first` to `end` (exclusive) of a block. @param source Index of the source, for the records' origins. */
  add(block: RecordBlock, first: number, end: number, source: number): void {
    const { bytes, byteOffset, firstRecordIndex, headerBytes = 0 } = block;
    const from = block.starts[first]!;
    const numCopied = Math.max(from, block.ends[end - 1]!) - from;
    this.#makeRoom(numCopied);
    const moved = this.#end - from;
    this.bytes.set(bytes.subarray(from, from + numCopied), this.#end);
    this.#end += numCopied;
    this.#growSlots(this.length + end - first);
    const { starts, ends, origins } = this;
    let { length: slot, numBytes } = this;
    for (let record = first; record < end; record++, slot++) {
      const start = block.starts[record]!;
      const length = Math.max(start, block.ends[record]!) - start;
      starts[slot] = start + moved;
      ends[slot] = start + moved + length;
      origins.sources[slot] = source;
      origins.recordIndices[slot] = firstRecordIndex + record;
      origins.byteOffsets[slot] = byteOffset + start;
      origins.headers[slot] = typeof headerBytes === "number" ? headerBytes : headerBytes[record]!;
      numBytes += length;
    }
    this.length = slot;
    this.numBytes = numBytes;
  }

  /**
   * Removes the record of a slot and moves the last record into that slot. The bytes of the removed record stay valid until the
   * next {@link add}.
   */
  remove(slot: number): void {
    const { starts, ends } = this;
    const last = --this.length;
    this.numBytes -= ends[slot]! - starts[slot]!;
    starts[slot] = starts[last]!;
    ends[slot] = ends[last]!;
    this.origins.copy(this.origins, last, slot);
  }

  /** Removes all records and keeps the memory for the next pool. */
  clear(): void {
    leaveIdleMemory(this.bytes);
    this.bytes = new Uint8Array(0);
    this.#end = STAGE_BYTES;
    this.length = this.numBytes = 0;
  }

  /** Makes room for `numBytes` at the end. If necessary, grows the memory or compacts the records. */
  #makeRoom(numBytes: number): void {
    if (this.#end + numBytes <= this.bytes.length) return;
    const live = this.numBytes + numBytes;
    if (live > MAX_LIVE_SHARE * (this.bytes.length - STAGE_BYTES)) {
      const expected = (live / Math.max(1, this.length)) * this.#maxRecords;
      const wanted = Math.max(1.25 * live, Math.min(1.1 * expected, MAX_GROWTH * live));
      const grown = new Uint8Array(STAGE_BYTES + Math.ceil(wanted / MAX_LIVE_SHARE));
      grown.set(this.bytes.subarray(0, this.#end));
      this.bytes = grown;
    }
    if (this.#end + numBytes > this.bytes.length) this.#moveTogether();
  }

  /** Moves the remaining records together, directly after the stage, and keeps their order in memory. */
  #moveTogether(): void {
    const { bytes, starts, ends } = this;
    let at = STAGE_BYTES;
    for (const slot of this.#slotsByStart()) {
      const start = starts[slot]!;
      const end = ends[slot]!;
      bytes.copyWithin(at, start, end);
      starts[slot] = at;
      at += end - start;
      ends[slot] = at;
    }
    this.#end = at;
  }

  /** Returns the slots in the order of their records in memory. */
  #slotsByStart(): Uint32Array | Float64Array {
    const { length, starts } = this;
    if (length > MAX_PACKED_SLOTS) {
      return Uint32Array.from({ length }, (_, slot) => slot).sort((a, b) => starts[a]! - starts[b]!);
    }
    // Sorting numbers without a compare function is several times faster.
    const packed = new Float64Array(length);
    for (let slot = 0; slot < length; slot++) packed[slot] = starts[slot]! * MAX_PACKED_SLOTS + slot;
    packed.sort();
    for (let index = 0; index < length; index++) packed[index] = packed[index]! % MAX_PACKED_SLOTS;
    return packed;
  }

  #growSlots(length: number): void {
    this.origins.growTo(length);
    if (length <= this.starts.length) return;
    const size = Math.max(length, this.starts.length * 2);
    this.starts = enlarged(this.starts, new Uint32Array(size));
    this.ends = enlarged(this.ends, new Uint32Array(size));
  }
}
