import { ArgumentError } from "../errors.js";
import { MAX_FIELD_NUMBER, type WireType } from "./protobuf-wire-type.js";

const utf8 = new TextEncoder();

/**
 * Writes protobuf messages into one growing buffer. It knows the wire encoding, but no schema.
 *
 * A field is a tag followed by a value. A nested message is written in place between `beginMessage` and `endMessage`, which
 * shifts it to make room for its length. Reusable: `finish` returns the bytes and empties the writer.
 */
export class ProtoWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #position = 0;

  /** @param capacity Initial size of the buffer in bytes; it grows by doubling. */
  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Bytes written so far. */
  get byteLength(): number {
    return this.#position;
  }

  /** Writes a tag. @throws {ArgumentError} `invalid-argument` for a field number outside 1 … 2^29 - 1. */
  tag(fieldNumber: number, wireType: WireType): this {
    if (!Number.isInteger(fieldNumber) || fieldNumber < 1 || fieldNumber > MAX_FIELD_NUMBER) {
      throw new ArgumentError(
        "invalid-argument",
        `Field number ${fieldNumber} is not in 1 … ${MAX_FIELD_NUMBER}.`,
        {
          argument: "fieldNumber",
        },
      );
    }
    return this.varint32((fieldNumber << 3) | wireType);
  }

  /** The low 32 bits of `value` as an unsigned varint, for tags, lengths, uint32 and bool. */
  varint32(value: number): this {
    this.#reserve(5);
    const bytes = this.#bytes;
    let position = this.#position;
    let rest = value >>> 0;
    while (rest >= 0x80) {
      bytes[position++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[position++] = rest;
    this.#position = position;
    return this;
  }

  /** A varint from the two halves of a 64-bit integer. Negative numbers take ten bytes. */
  varint64(low: number, high: number): this {
    this.#reserve(10);
    const bytes = this.#bytes;
    let position = this.#position;
    let lower = low >>> 0;
    let upper = high >>> 0;
    while (upper !== 0 || lower >= 0x80) {
      bytes[position++] = (lower & 0x7f) | 0x80;
      lower = ((lower >>> 7) | (upper << 25)) >>> 0;
      upper >>>= 7;
    }
    bytes[position++] = lower;
    this.#position = position;
    return this;
  }

  /** A varint of any 64-bit integer, signed or unsigned. Bits above the 64th are dropped. */
  int64(value: bigint): this {
    const bits = BigInt.asUintN(64, value);
    return this.varint64(Number(bits & 0xffffffffn), Number(bits >> 32n));
  }

  /** Four bytes, little-endian. */
  fixed32(value: number): this {
    this.#reserve(4);
    this.#view.setUint32(this.#position, value, true);
    this.#position += 4;
    return this;
  }

  /** Eight bytes, little-endian. */
  fixed64(value: bigint): this {
    this.#reserve(8);
    this.#view.setBigUint64(this.#position, BigInt.asUintN(64, value), true);
    this.#position += 8;
    return this;
  }

  /** A float: `value` rounded to 32 bits. */
  float(value: number): this {
    this.#reserve(4);
    this.#view.setFloat32(this.#position, value, true);
    this.#position += 4;
    return this;
  }

  /** A double. */
  double(value: number): this {
    this.#reserve(8);
    this.#view.setFloat64(this.#position, value, true);
    this.#position += 8;
    return this;
  }

  /** A length and a copy of `bytes`. */
  lengthDelimited(bytes: Uint8Array): this {
    return this.varint32(bytes.length).raw(bytes);
  }

  /** A length and the UTF-8 bytes of `text`. Unpaired surrogates become U+FFFD. */
  string(text: string): this {
    return this.lengthDelimited(utf8.encode(text));
  }

  /** A copy of bytes that are already encoded. */
  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#position);
    this.#position += bytes.length;
    return this;
  }

  /** Begins a length-delimited value, after its tag was written. Pass the result to {@link endMessage}. */
  beginMessage(): number {
    this.#reserve(1);
    return ++this.#position;
  }

  /** Ends the value that began at `mark`. End nested values before their parent. */
  endMessage(mark: number): this {
    const end = this.#position;
    const length = end - mark;
    let size = 1;
    for (let rest = length >>> 7; rest !== 0; rest >>>= 7) size++;
    if (size > 1) {
      this.#reserve(size - 1);
      this.#bytes.copyWithin(mark + size - 1, mark, end);
    }
    this.#position = mark - 1;
    this.varint32(length);
    this.#position = end + size - 1;
    return this;
  }

  /** A copy of the written bytes. The writer is then empty and keeps its buffer. */
  finish(): Uint8Array {
    const message = this.#bytes.slice(0, this.#position);
    this.#position = 0;
    return message;
  }

  #reserve(size: number): void {
    const needed = this.#position + size;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#position));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
