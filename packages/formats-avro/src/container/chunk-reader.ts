import { RecordError } from "@tfxio/wire";

/** Reads pieces of any length from a stream of chunks. */
export class ChunkReader {
  /** Offset of the next byte in the file. */
  byteOffset: number;
  #chunk: Uint8Array = new Uint8Array(0);
  readonly #chunks: AsyncIterator<Uint8Array>;

  constructor(
    readonly uri: string,
    chunks: AsyncIterable<Uint8Array>,
    byteOffset: number,
  ) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.byteOffset = byteOffset;
  }

  /** Returns true if no bytes are left. Reads the next chunk if the current one is used up. */
  async isAtEnd(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done === true) return true;
      this.#chunk = value;
    }
    return false;
  }

  /**
   * Reads the next `length` bytes. The result is a view of the current chunk if that has enough bytes, otherwise a copy.
   * @param part Name of the bytes, for the error message.
   * @throws {RecordError} `truncated-record` (`record-end`) if the stream ends first.
   */
  async take(length: number, part: string): Promise<Uint8Array> {
    if (this.#chunk.length >= length) return this.#pass(length);
    const start = this.byteOffset;
    const pieces: Uint8Array[] = [];
    for (let missing = length; missing > 0; ) {
      if (await this.isAtEnd()) throw this.#truncated(part, start);
      const piece = this.#pass(Math.min(missing, this.#chunk.length));
      pieces.push(piece);
      missing -= piece.length;
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  /** Reads a zigzag varint. For more than 53 bits, returns `Infinity`, which exceeds every limit. */
  async takeLong(part: string): Promise<number> {
    let [value, unit] = [0, 1];
    for (let index = 0; index < 10; index++, unit *= 128) {
      const [byte = 0] = await this.take(1, part);
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) {
        if (value >= Number.MAX_SAFE_INTEGER) return Number.POSITIVE_INFINITY;
        return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      }
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Skips all bytes up to and including the next `marker`. Returns false if the stream ends without one. */
  async passMarker(marker: Uint8Array): Promise<boolean> {
    // The last bytes of the chunks passed so far. They are kept because a marker may span several chunks.
    let tail = new Uint8Array(0);
    while (!(await this.isAtEnd())) {
      const window = new Uint8Array(tail.length + this.#chunk.length);
      window.set(tail);
      window.set(this.#chunk, tail.length);
      const at = indexOf(window, marker);
      if (at >= 0) {
        this.#pass(at + marker.length - tail.length);
        return true;
      }
      this.#pass(this.#chunk.length);
      tail = window.slice(Math.max(0, window.length - marker.length + 1));
    }
    return false;
  }

  /** Ends the stream early and releases its source. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Takes the next `length` bytes of the current chunk as a view. The chunk must have that many. */
  #pass(length: number): Uint8Array {
    const bytes = this.#chunk.subarray(0, length);
    this.#chunk = this.#chunk.subarray(length);
    this.byteOffset += length;
    return bytes;
  }

  #truncated(part: string, byteOffset: number): RecordError {
    const { uri } = this;
    const message = `${uri} ends within ${part}: the data at byte ${byteOffset} is missing or incomplete.`;
    return new RecordError("truncated-record", message, { reason: "record-end", uri, byteOffset });
  }
}

/** Returns the index of the first occurrence of `marker` in `bytes`, or -1. */
function indexOf(bytes: Uint8Array, marker: Uint8Array): number {
  const first = marker[0] as number;
  const last = bytes.length - marker.length;
  for (let at = bytes.indexOf(first); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1)) {
    if (marker.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}
