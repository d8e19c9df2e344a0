const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_BYTES: number = 2 ** 16;
/** Up to this length in bytes, a loop is faster than `set`. */
const SHORT = 64;
/** Size in bytes of the longest escapes, such as `\u001f`. */
const MAX_ESCAPE = 6;

/** Escapes of bytes in a string; undefined for bytes that need none. */
const ESCAPES: readonly (string | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) return undefined;
  return JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
});
const IS_ESCAPED: Uint8Array = Uint8Array.from(ESCAPES, (escape) => (escape === undefined ? 0 : 1));

/** Builds JSON in one buffer, which grows and is reused. */
export class JsonBuffer {
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The appended bytes. Borrowed: valid until the next append. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Removes the bytes from `length` on. */
  truncate(length: number): void {
    this.#length = length;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    if (bytes.length > SHORT) this.#bytes.set(bytes, this.#length);
    else for (let at = 0; at < bytes.length; at++) this.#bytes[this.#length + at] = bytes[at]!;
    this.#length += bytes.length;
  }

  appendByte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  /** @param text ASCII. */
  appendAscii(text: string): void {
    this.#reserve(text.length);
    const target = this.#bytes;
    let { length } = this;
    for (let at = 0; at < text.length; at++) target[length++] = text.charCodeAt(at);
    this.#length = length;
  }

  /** Appends the UTF-8 text from `start` to `end` (exclusive) as a JSON string. */
  appendString(text: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start + 2);
    let { length } = this;
    let target = this.#bytes;
    target[length++] = QUOTE;
    for (let at = start; at < end; at++) {
      const byte = text[at]!;
      if (IS_ESCAPED[byte] === 0) {
        target[length++] = byte;
        continue;
      }
      this.#length = length;
      this.#reserve(end - at + MAX_ESCAPE);
      target = this.#bytes;
      this.appendAscii(ESCAPES[byte]!);
      ({ length } = this);
    }
    target[length++] = QUOTE;
    this.#length = length;
  }

  #reserve(numBytes: number): void {
    const needed = this.#length + numBytes;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}
