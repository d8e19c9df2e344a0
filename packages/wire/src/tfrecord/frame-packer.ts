import { aUint8Array, invalidArgument } from "../checks/index.js";
import { FOOTER_BYTES, HEADER_BYTES, writeFrame } from "./tfrecord-frame.js";

/**
 * Size in bytes at which a chunk is full: large enough that writing is efficient, and small enough that one chunk per shard fits
 * in memory.
 */
const CHUNK_BYTES = 1 << 18;

/** Frames records and packs them into chunks. */
export class FramePacker {
  #chunk: Uint8Array = new Uint8Array(0);
  /** Number of bytes in the chunk so far. */
  byteLength = 0;

  /**
   * Appends a framed copy of `record`.
   * @param index Index of the record among all records that the caller writes, for the error.
   * @throws {ArgumentError} `invalid-argument` (`record-type`) if `record` is not a Uint8Array.
   */
  add(record: Uint8Array, index: number): void {
    assertRecord(record, "records", `[${index}]`);
    const end = this.byteLength + HEADER_BYTES + record.length + FOOTER_BYTES;
    if (end > this.#chunk.length) {
      const grown = new Uint8Array(Math.max(end, this.#chunk.length * 2, 4096));
      grown.set(this.#chunk.subarray(0, this.byteLength));
      this.#chunk = grown;
    }
    this.byteLength = writeFrame(this.#chunk, this.byteLength, record);
  }

  get isFull(): boolean {
    return this.byteLength >= CHUNK_BYTES;
  }

  /** Returns the chunk and begins the next one. */
  take(): Uint8Array {
    const chunk = this.#chunk.subarray(0, this.byteLength);
    this.#chunk = new Uint8Array(0);
    this.byteLength = 0;
    return chunk;
  }
}

/**
 * Asserts that `record` is a Uint8Array.
 * @throws {ArgumentError} `invalid-argument` (`record-type`) if it is not. The message names `argument`.
 */
export function assertRecord(record: unknown, argument: string, at?: string): asserts record is Uint8Array {
  if (aUint8Array.holds(record)) return;
  throw invalidArgument(argument, aUint8Array.expected, record, { at, reason: "record-type" });
}

/** Asserts that `records` is an iterable or an async iterable. @throws {ArgumentError} `invalid-argument` (`record-type`). */
export function assertRecords(records: unknown): void {
  const { [Symbol.iterator]: one, [Symbol.asyncIterator]: other } = Object(records) as Partial<
    Iterable<unknown> & AsyncIterable<unknown>
  >;
  if (typeof one === "function" || typeof other === "function") return;
  throw invalidArgument("records", "an iterable of Uint8Arrays", records, { reason: "record-type" });
}
