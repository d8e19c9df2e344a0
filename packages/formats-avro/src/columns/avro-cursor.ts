import { RecordError } from "@tfxio/wire";

/** Bytes of Avro data, and their place in the file. */
export interface AvroBytes {
  readonly uri: string;
  readonly bytes: Uint8Array;
  /** Index of the first record. */
  readonly recordIndex: number;
  /** Byte offset in the file of the bytes, or of the compressed block that contains them. */
  readonly byteOffset: number;
}

/** Maximum number of values without bytes, such as nulls in an array, per block or record. No other check limits them. */
const MAX_EMPTY_VALUES = 1_000_000;
const MAX_VARINT_BYTES = 10;

/**
 * Reads the binary encoding of Avro. It checks every length and count against the remaining bytes.
 * Its methods throw {@link RecordError} `malformed-payload` (`truncated`, `varint`, `avro-value`) and `limit-exceeded`
 * (`empty-values`).
 * @see Avro 1.12 specification, "Binary Encoding"
 */
export class AvroCursor {
  at: number;
  recordIndex: number;
  /** The two 32-bit halves of the last integer that {@link readLong} read. */
  low = 0;
  high = 0;
  readonly bytes: Uint8Array;
  readonly end: number;
  readonly #view: DataView;
  readonly #origin: AvroBytes;
  #numEmpty = 0;

  constructor(origin: AvroBytes, start = 0, end: number = origin.bytes.length) {
    this.#origin = origin;
    this.bytes = origin.bytes;
    this.recordIndex = origin.recordIndex;
    this.at = start;
    this.end = end;
    this.#view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  }

  readByte(): number {
    if (this.at >= this.end) throw this.truncated();
    return this.bytes[this.at++] as number;
  }

  /** Reads a zigzag varint of up to 64 bits into {@link low} and {@link high}, which are signed 32-bit halves. */
  readLong(): void {
    let [low, high] = [0, 0];
    for (let index = 0; index < MAX_VARINT_BYTES; index++) {
      const byte = this.readByte();
      const bits = byte & 0x7f;
      if (index < 4) low |= bits << (7 * index);
      else if (index === 4) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (7 * index - 32);
      if (byte < 0x80) {
        if (index === MAX_VARINT_BYTES - 1 && byte > 1) break;
        const sign = -(low & 1);
        this.low = ((low >>> 1) | (high << 31)) ^ sign;
        this.high = (high >>> 1) ^ sign;
        return;
      }
    }
    throw this.malformed("an integer of more than 64 bits", "varint");
  }

  readInt(): number {
    // Most integers are short: one byte is read without halves.
    const byte = this.bytes[this.at] as number;
    if (this.at < this.end && byte < 0x80) {
      this.at++;
      return (byte >>> 1) ^ -(byte & 1);
    }
    this.readLong();
    if (this.high !== this.low >> 31) throw this.malformed("an int of more than 32 bits", "varint");
    return this.low;
  }

  /** Reads the length of a byte string. At least as many bytes remain. */
  readLength(): number {
    const length = this.#readNumber();
    if (length < 0) throw this.malformed(`a length of ${length}`, "avro-value");
    if (length > this.end - this.at) throw this.truncated();
    return length;
  }

  /** Reads the count of the next block of an array or map, whose items take at least `itemBytes` each. 0 after the last block. */
  readBlockCount(itemBytes: number): number {
    let count = this.#readNumber();
    if (count < 0) {
      count = -count;
      this.readLength();
    }
    this.takeItems(count, itemBytes);
    return count;
  }

  /** Checks that the remaining bytes can hold this many items. */
  takeItems(count: number, itemBytes: number): void {
    if (itemBytes > 0) {
      if (count * itemBytes > this.end - this.at) throw this.truncated();
      return;
    }
    this.#numEmpty += count;
    if (this.#numEmpty <= MAX_EMPTY_VALUES) return;
    const { uri } = this.#origin;
    const message = `${uri}: record ${this.recordIndex} has more than ${MAX_EMPTY_VALUES} values that take no bytes.`;
    throw new RecordError("limit-exceeded", message, { reason: "empty-values", ...this.#place() });
  }

  /** Skips `length` bytes. Returns the index of the first one. */
  take(length: number): number {
    const start = this.at;
    if (length > this.end - start) throw this.truncated();
    this.at += length;
    return start;
  }

  readFloat(): number {
    return this.#view.getFloat32(this.take(4), true);
  }

  readDouble(): number {
    return this.#view.getFloat64(this.take(8), true);
  }

  /** Checks that no bytes remain. @param owner Name of the block or record, for the error. */
  assertAtEnd(owner: string): void {
    if (this.at !== this.end)
      throw this.malformed(`${this.end - this.at} unread bytes at the end of ${owner}`, "left-over");
  }

  tooLarge(): RecordError {
    const { uri } = this.#origin;
    const message = `${uri}: record ${this.recordIndex} creates a column of more than 2^31 values or bytes.`;
    return new RecordError("limit-exceeded", message, { reason: "batch-too-large", ...this.#place() });
  }

  truncated(): RecordError {
    return this.malformed("a value that is cut off", "truncated");
  }

  /** The error for malformed data. @param found Completes the sentence "record 3 has …". */
  malformed(found: string, reason = "avro-value"): RecordError {
    const { uri } = this.#origin;
    const message = `${uri}: record ${this.recordIndex} has ${found}, ${this.at} bytes after byte ${this.#origin.byteOffset}.`;
    return new RecordError("malformed-payload", message, { reason, ...this.#place() });
  }

  #readNumber(): number {
    const byte = this.bytes[this.at] as number;
    if (this.at < this.end && byte < 0x80) {
      this.at++;
      return (byte >>> 1) ^ -(byte & 1);
    }
    this.readLong();
    return this.high * 2 ** 32 + (this.low >>> 0);
  }

  #place(): { readonly uri: string; readonly recordIndex: number; readonly byteOffset: number } {
    const { uri, byteOffset } = this.#origin;
    return { uri, recordIndex: this.recordIndex, byteOffset };
  }
}
