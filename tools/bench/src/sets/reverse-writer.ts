/**
 * Writes protobuf messages from their last byte to their first, so every length is known when it is written. To write a
 * length-delimited field, save `position`, write the contents, and call `close(tag, savedPosition)`. The capacity is fixed.
 */
export class ReverseWriter {
  #bytes: Uint8Array;
  #view: DataView;
  readonly #septets = new Uint8Array(10);
  /** Index of the first byte of the message so far, which extends to the end of the buffer. */
  position: number;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
    this.position = capacity;
  }

  /** Returns the message so far. It is borrowed: writing after `clear` overwrites it. */
  message(): Uint8Array {
    return this.#bytes.subarray(this.position);
  }

  /** Discards all written bytes, to start the next message. */
  clear(): void {
    this.position = this.#bytes.length;
  }

  /** Completes a length-delimited field whose contents end at `end`. Writes the length of the contents and the one-byte tag. */
  close(tag: number, end: number): void {
    this.varint(end - this.position);
    this.#bytes[--this.position] = tag;
  }

  bytes(value: Uint8Array): void {
    this.position -= value.length;
    this.#bytes.set(value, this.position);
  }

  float(value: number): void {
    this.position -= 4;
    this.#view.setFloat32(this.position, value, true);
  }

  /** Writes an integer from 0 to 2^53 - 1. */
  varint(value: number): void {
    let length = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
    this.position -= length;
    let at = this.position;
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes[at++] = (rest % 0x80) | 0x80;
    this.#bytes[at] = rest;
  }

  /** Writes a 64-bit integer, given as the upper and the lower 32 bits of its two's complement. */
  varint64(high: number, low: number): void {
    if (high >>> 0 < 0x20_0000) {
      this.varint((high >>> 0) * 0x1_0000_0000 + (low >>> 0));
      return;
    }
    const septets = this.#septets;
    let length = 0;
    for (let upper = high >>> 0, lower = low >>> 0; upper !== 0 || lower !== 0; upper >>>= 7) {
      septets[length++] = (lower & 0x7f) | 0x80;
      lower = ((lower >>> 7) | (upper << 25)) >>> 0;
    }
    septets[length - 1] = (septets[length - 1] as number) & 0x7f;
    this.position -= length;
    for (let i = 0; i < length; i++) this.#bytes[this.position + i] = septets[i] as number;
  }
}
