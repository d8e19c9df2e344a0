import { RecordError } from "@tfxio/wire";

/** Bytes of Avro data, and their place in the file for error messages. */
export interface AvroBytes {
  readonly uri: string;
  /** Uncompressed data. Borrowed. */
  readonly bytes: Uint8Array;
  /** Index of the first record to read, counted from 0 in the file. Undefined if unknown, as in a split after the first. */
  readonly recordIndex: number | undefined;
  /** Whether {@link byteOffset} is the start of a block or of a record. */
  readonly container: "block" | "record";
  /** Byte offset in the file at which the data starts, or at which the compressed block that contains it starts. */
  readonly byteOffset: number;
}

/** A cursor accepts at most this many values that take no bytes, such as nulls in an array. No other check limits them. */
const MAX_EMPTY_VALUES = 1_000_000;
/** Length in bytes of the longest varint: 64 bits, 7 in each byte. */
const MAX_VARINT_BYTES = 10;

/**
 * Reads the binary encoding of Avro, and checks every length and count against the remaining bytes. The cursor borrows the bytes.
 * Its methods throw {@link RecordError} `malformed-payload` (`truncated`, `varint`, `avro-value`, `left-over`) and
 * `limit-exceeded` (`empty-values`).
 * @see Avro 1.12 specification, "Binary Encoding"
 */
export class AvroCursor {
  /** Index in {@link bytes} of the next byte to read. */
  at: number;
  /** The current record's index in its file, for errors; undefined if it is unknown. The caller advances the index. */
  recordIndex: number | undefined;
  /** Signed 32-bit halves of the last integer that {@link readLong} read. */
  low = 0;
  high = 0;
  readonly bytes: Uint8Array;
  /** Index in {@link bytes} at which the data ends, exclusive. */
  readonly end: number;
  readonly #view: DataView;
  readonly #origin: AvroBytes;
  /** Index in {@link bytes} at which the data begins. */
  readonly #start: number;
  /** Number of values so far that take no bytes. */
  #numEmpty = 0;

  constructor(origin: AvroBytes, start = 0, end: number = origin.bytes.length) {
    this.#origin = origin;
    this.bytes = origin.bytes;
    this.recordIndex = origin.recordIndex;
    this.at = start;
    this.#start = start;
    this.end = end;
    this.#view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  }

  readByte(): number {
    if (this.at >= this.end) throw this.truncated();
    return this.bytes[this.at++] as number;
  }

  /** Reads a zigzag varint of up to 64 bits into {@link low} and {@link high}. Avoids BigInt, which is slower. */
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

  /** Reads a zigzag varint of up to 32 bits. */
  readInt(): number {
    // Most integers take one byte, which is decoded here without the two halves.
    const byte = this.bytes[this.at] as number;
    if (this.at < this.end && byte < 0x80) {
      this.at++;
      return (byte >>> 1) ^ -(byte & 1);
    }
    this.readLong();
    if (this.high !== this.low >> 31) throw this.malformed("an int of more than 32 bits", "varint");
    return this.low;
  }

  /** Reads the length of a byte string, and checks that at least that many bytes remain. */
  readLength(): number {
    const length = this.#readNumber();
    if (length < 0) throw this.malformed(`a length of ${length}`, "avro-value");
    if (length > this.end - this.at) throw this.truncated();
    return length;
  }

  /**
   * Reads the number of items in the next block of an array or map. Returns 0 after the last block. A negative count is followed
   * by the block's size in bytes, which is read and checked.
   * @param itemBytes Minimum size of an item in bytes.
   */
  readBlockCount(itemBytes: number): number {
    let count = this.#readNumber();
    if (count < 0) {
      count = -count;
      this.readLength();
    }
    this.takeItems(count, itemBytes);
    return count;
  }

  /**
   * Checks that the remaining bytes can hold `count` items of at least `itemBytes` bytes each. If items may take no bytes, limits
   * their total number instead.
   */
  takeItems(count: number, itemBytes: number): void {
    if (itemBytes > 0) {
      if (count * itemBytes > this.end - this.at) throw this.truncated();
      return;
    }
    this.#numEmpty += count;
    if (this.#numEmpty <= MAX_EMPTY_VALUES) return;
    const message = `${this.#subject()} has more than ${MAX_EMPTY_VALUES} values that take no bytes.`;
    throw new RecordError("limit-exceeded", message, { reason: "empty-values", ...this.#place() });
  }

  /** Skips `length` bytes. Returns the index in {@link bytes} of the first skipped byte. */
  take(length: number): number {
    const start = this.at;
    if (length > this.end - start) throw this.truncated();
    this.at += length;
    return start;
  }

  /** Reads a little-endian float32. */
  readFloat(): number {
    return this.#view.getFloat32(this.take(4), true);
  }

  /** Reads a little-endian float64. */
  readDouble(): number {
    return this.#view.getFloat64(this.take(8), true);
  }

  /** Checks that no bytes remain. */
  assertAtEnd(): void {
    if (this.at === this.end) return;
    const { uri, container, byteOffset } = this.#origin;
    const [data, last] =
      container === "record" ? [this.#subject(), "value"] : [`${uri}: the block`, "record"];
    const found = `${bytesText(this.end - this.at)} left over after its last ${last}`;
    const message = `${data} at byte ${byteOffset} has ${found}.`;
    throw new RecordError("malformed-payload", message, { reason: "left-over", ...this.#place() });
  }

  /** Returns the error for a column whose offsets would exceed int32. */
  tooLarge(): RecordError {
    const message = `${this.#subject()} makes a column contain 2^31 or more values or bytes.`;
    return new RecordError("limit-exceeded", message, { reason: "batch-too-large", ...this.#place() });
  }

  truncated(): RecordError {
    return this.malformed("a value that is cut off", "truncated");
  }

  /** Returns the error for malformed data. @param found Completes the sentence "record 3 has …". */
  malformed(found: string, reason = "avro-value"): RecordError {
    const { container, byteOffset } = this.#origin;
    const data = container === "block" ? "uncompressed data of the block" : "record";
    const position = `${bytesText(this.at - this.#start)} into the ${data} at byte ${byteOffset}`;
    const message = `${this.#subject()} has ${found}, ${position}.`;
    return new RecordError("malformed-payload", message, { reason, ...this.#place() });
  }

  /** Reads a zigzag varint of up to 64 bits. Exact up to 53 bits, and rounded beyond. */
  #readNumber(): number {
    const byte = this.bytes[this.at] as number;
    if (this.at < this.end && byte < 0x80) {
      this.at++;
      return (byte >>> 1) ^ -(byte & 1);
    }
    this.readLong();
    return this.high * 2 ** 32 + (this.low >>> 0);
  }

  /** Returns the start of an error message: the file, and the record if its index is known. */
  #subject(): string {
    const { uri } = this.#origin;
    return this.recordIndex === undefined ? `${uri}: a record` : `${uri}: record ${this.recordIndex}`;
  }

  #place(): {
    readonly uri: string;
    readonly recordIndex: number | undefined;
    readonly byteOffset: number;
  } {
    const { uri, byteOffset } = this.#origin;
    return { uri, recordIndex: this.recordIndex, byteOffset };
  }
}

function bytesText(count: number): string {
  return `${count} ${count === 1 ? "byte" : "bytes"}`;
}
