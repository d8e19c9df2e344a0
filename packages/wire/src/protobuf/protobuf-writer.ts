import { ArgumentError } from "../errors.js";
import { MAX_FIELD_NUMBER, type WireType } from "./protobuf-wire-type.js";

const utf8 = new TextEncoder();

/**
 * Writes protobuf messages into one growing buffer. It knows the wire encoding, but no schema.
 *
 * Write a field as a tag followed by a value. Write a nested message between `beginMessage` and `endMessage`. If its length takes
 * more than one byte, `endMessage` shifts the message to make room. `finish` returns the bytes and empties the writer for reuse.
 */
export class ProtoWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #position = 0;

  /** @param capacity Initial size of the buffer in bytes. The buffer at least doubles whenever it grows. */
  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Number of bytes written so far. */
  get byteLength(): number {
    return this.#position;
  }

  /** Writes a tag. @throws {ArgumentError} `invalid-argument` if the field number is not an integer from 1 to 2^29 - 1. */
  tag(fieldNumber: number, wireType: WireType): this {
    if (!Number.isInteger(fieldNumber) || fieldNumber < 1 || fieldNumber > MAX_FIELD_NUMBER) {
      throw new ArgumentError(
        "invalid-argument",
        `A field number must be an integer from 1 to ${MAX_FIELD_NUMBER}, found ${fieldNumber}.`,
        {
          argument: "fieldNumber",
        },
      );
    }
    return this.varint32((fieldNumber << 3) | wireType);
  }

  /** Writes the low 32 bits of `value` as an unsigned varint, for tags, lengths, uint32 and bool. */
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

  /** Writes a varint from the two 32-bit halves of a 64-bit integer. Negative numbers take ten bytes. */
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

  /** Writes a 64-bit integer, signed or unsigned, as a varint. Drops all bits above the 64th. */
  int64(value: bigint): this {
    const bits = BigInt.asUintN(64, value);
    return this.varint64(Number(bits & 0xffffffffn), Number(bits >> 32n));
  }

  /** Writes an unsigned integer as four little-endian bytes. */
  fixed32(value: number): this {
    this.#reserve(4);
    this.#view.setUint32(this.#position, value, true);
    this.#position += 4;
    return this;
  }

  /** Writes an integer as eight little-endian bytes. */
  fixed64(value: bigint): this {
    this.#reserve(8);
    this.#view.setBigUint64(this.#position, BigInt.asUintN(64, value), true);
    this.#position += 8;
    return this;
  }

  /** Writes `value` as a float, rounded to 32 bits. */
  float(value: number): this {
    this.#reserve(4);
    this.#view.setFloat32(this.#position, value, true);
    this.#position += 4;
    return this;
  }

  double(value: number): this {
    this.#reserve(8);
    this.#view.setFloat64(this.#position, value, true);
    this.#position += 8;
    return this;
  }

  /** Writes the length of `bytes`, then a copy of `bytes`. */
  lengthDelimited(bytes: Uint8Array): this {
    return this.varint32(bytes.length).raw(bytes);
  }

  /** Writes `text` as UTF-8, preceded by its length in bytes. Unpaired surrogates become U+FFFD. */
  string(text: string): this {
    return this.lengthDelimited(utf8.encode(text));
  }

  /** Writes a copy of bytes that are already encoded. */
  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#position);
    this.#position += bytes.length;
    return this;
  }

  /** Begins a length-delimited value. Write its tag before this call. Pass the result to {@link endMessage}. */
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

  /** Returns a copy of the written bytes and empties the writer, which keeps its buffer. */
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
