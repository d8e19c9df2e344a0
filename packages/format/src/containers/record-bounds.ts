import type { TfxioError } from "@tfxio/wire";
import type { FoundRecords } from "./record-blocks.js";

/** Collects the bounds of records. */
export class Bounds {
  #starts = new Uint32Array(1024);
  #ends = new Uint32Array(1024);
  #headers = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** @param headerBytes bytes of framing before `start`. */
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

  /** @param error the reason why no record can follow. */
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
