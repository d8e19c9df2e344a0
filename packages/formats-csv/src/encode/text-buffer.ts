const ZERO = 0x30;

/** Byte sequences that need a prefix within a quoted cell, such as the quote itself, and their prefixes. */
export type QuoteEscapes = readonly { readonly mark: Uint8Array; readonly prefix: Uint8Array }[];

/** Bytes that are not yet written to the target, in one growing buffer that is reused. */
export class TextBuffer {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The appended bytes, as a view that is valid until the next append. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  byteAt(position: number): number {
    return this.#bytes[position] as number;
  }

  /** Removes the bytes from `length` on. */
  truncate(length: number): void {
    this.#length = length;
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    const target = this.#bytes;
    let at = this.#length;
    // Below some length, a loop is faster than a view and a call.
    if (end - start > 64) target.set(bytes.subarray(start, end), at);
    else for (let from = start; from < end; from++) target[at++] = bytes[from] as number;
    this.#length += end - start;
  }

  appendAll(bytes: Uint8Array): void {
    this.append(bytes, 0, bytes.length);
  }

  appendByte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Appends an integer from 0 to 2^31 - 1, with leading zeros up to `minDigits` digits. */
  appendDigits(value: number, minDigits: number): void {
    let numDigits = minDigits;
    for (let limit = 10 ** minDigits; limit <= value; limit *= 10) numDigits++;
    this.#reserve(numDigits);
    const bytes = this.#bytes;
    let rest = value | 0;
    for (let at = this.#length + numDigits - 1; at >= this.#length; at--) {
      const tenth = (rest / 10) | 0;
      bytes[at] = ZERO + rest - 10 * tenth;
      rest = tenth;
    }
    this.#length += numDigits;
  }

  /** @param text ASCII. */
  appendAscii(text: string): void {
    this.#reserve(text.length);
    const target = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < text.length; index++) target[at++] = text.charCodeAt(index);
    this.#length = at;
  }

  /** True if a byte from `start` on is marked with 1 in `marks`, which has 256 entries. */
  hasMarked(start: number, marks: Uint8Array): boolean {
    const bytes = this.#bytes;
    for (let at = start; at < this.#length; at++) if (marks[bytes[at] as number] === 1) return true;
    return false;
  }

  equals(start: number, text: Uint8Array): boolean {
    if (this.#length - start !== text.length) return false;
    return text.every((byte, index) => byte === this.#bytes[start + index]);
  }

  /** True if the bytes from `start` on contain `mark`. */
  includes(start: number, mark: Uint8Array): boolean {
    for (let at = start; at <= this.#length - mark.length; at++) if (this.#isAt(at, mark)) return true;
    return false;
  }

  /** True if the text from `start` on, followed by `mark`, contains a `mark` that begins before the end of the text. */
  runsInto(start: number, mark: Uint8Array): boolean {
    const end = this.#length;
    const byteOf = (at: number): number | undefined => (at < end ? this.#bytes[at] : mark[at - end]);
    for (let at = start; at < end; at++) {
      if (mark.every((byte, index) => byte === byteOf(at + index))) return true;
    }
    return false;
  }

  /** Puts `quote` before and after the text from `start` on, and inserts a prefix before each mark that needs one. */
  quoteFrom(start: number, quote: Uint8Array, escapes: QuoteEscapes): void {
    const text = this.#bytes.slice(start, this.#length);
    const isFirst = new Uint8Array(256);
    for (const { mark } of escapes) if (mark[0] !== undefined) isFirst[mark[0]] = 1;
    this.#length = start;
    this.appendAll(quote);
    let copied = 0;
    for (let at = 0; at < text.length; at++) {
      if (isFirst[text[at] as number] === 0) continue;
      const found = escapes.find(({ mark }) => mark.every((byte, index) => byte === text[at + index]));
      if (found === undefined) continue;
      this.append(text, copied, at);
      this.appendAll(found.prefix);
      copied = at;
      at += found.mark.length - 1;
    }
    this.append(text, copied, text.length);
    this.appendAll(quote);
  }

  #isAt(position: number, mark: Uint8Array): boolean {
    return mark.every((byte, index) => byte === this.#bytes[position + index]);
  }

  #reserve(numBytes: number): void {
    const needed = this.#length + numBytes;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
