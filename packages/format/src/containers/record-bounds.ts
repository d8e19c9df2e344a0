import type { TfxioError } from "@tfxio/wire";
import type { FoundRecords } from "./record-blocks.js";

/** Number of records for which memory is allocated even if fewer are expected. */
const LEAST_RECORDS = 64;

/** Collects the bounds of records. All positions count from the start of the piece that holds the records. */
export class Bounds {
  #starts: Uint32Array;
  #ends: Uint32Array;
  #headers: Uint8Array;
  #length = 0;

  /** @param expectedRecords Expected number of records. If there are many more, the memory grows. */
  constructor(expectedRecords: number) {
    // The expected number is usually an estimate from the mean length of earlier records, so allocate an eighth more.
    const capacity = Math.max(LEAST_RECORDS, Math.ceil(expectedRecords * 1.125));
    this.#starts = new Uint32Array(capacity);
    this.#ends = new Uint32Array(capacity);
    this.#headers = new Uint8Array(capacity);
  }

  /** Number of records added so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds a record from `start` to `end` (exclusive). @param headerBytes Number of framing bytes before `start`. */
  add(start: number, end: number, headerBytes: number): void {
    const index = this.#length++;
    if (index === this.#starts.length) {
      this.#starts = grown(this.#starts, new Uint32Array(index * 2));
      this.#ends = grown(this.#ends, new Uint32Array(index * 2));
      this.#headers = grown(this.#headers, new Uint8Array(index * 2));
    }
    this.#starts[index] = start;
    this.#ends[index] = end;
    this.#headers[index] = headerBytes;
  }

  /** Returns the records added so far, without copying the arrays. @param error The reason why no record can follow. */
  found(consumed: number, error?: TfxioError): FoundRecords {
    const numRecords = this.#length;
    return {
      numRecords,
      starts: this.#starts,
      ends: this.#ends,
      headerBytes: this.#headers,
      consumed,
      error,
    };
  }
}

function grown<Bytes extends Uint8Array | Uint32Array>(from: Bytes, to: Bytes): Bytes {
  to.set(from);
  return to;
}
