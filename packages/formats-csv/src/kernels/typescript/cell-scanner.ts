import type { Dialect } from "../../dialect.js";
import { CsvStatus } from "../csv-kernel.js";

export const LF = 10;
export const CR = 13;
/** Result if more bytes are needed to find the end of a cell or record. */
export const INCOMPLETE = -1;

/** True if a quote, a delimiter or a cell's end is at the given position. `INCOMPLETE` if the input ends too early to decide. */
type Match = boolean | typeof INCOMPLETE;

/**
 * Finds one cell after another. As in Python's `csv`, a quote opens quoted text only at the start of a cell. Text after the
 * closing quote belongs to the cell, and quotes in it are literal. Delimiters and quotes may have several bytes. If two
 * occurrences overlap, only the first counts.
 */
export class CellScanner {
  readonly #dialect: Dialect;
  /** Bytes that stop the scan of an unquoted cell: the delimiter's first byte, line breaks, the escape. */
  readonly #endsPlain = new Uint8Array(256);
  /** Bytes that stop the scan of a quoted cell: the quote's first byte, the escape, and line breaks if they are forbidden. */
  readonly #endsQuoted = new Uint8Array(256);
  #scratch: Uint8Array = new Uint8Array(64);
  #numScratch = 0;

  bytes: Uint8Array = new Uint8Array(0);
  length = 0;
  isLast = false;

  /** The last cell found: bytes `start` to `end` of `text`. */
  text: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  isQuoted = false;
  /** Position in the input at which the cell ends: that of a delimiter, of a line break, or of the end of the input. */
  next = 0;
  /** Start of the next cell of the record; -1 after the last cell. */
  nextCell = -1;

  constructor(dialect: Dialect) {
    const { delimiter, quote, escape, multiline } = dialect;
    this.#dialect = dialect;
    for (const byte of [delimiter[0], LF, CR, escape]) {
      if (byte !== undefined && byte >= 0) this.#endsPlain[byte] = 1;
    }
    for (const byte of [quote[0], escape]) {
      if (byte !== undefined && byte >= 0) this.#endsQuoted[byte] = 1;
    }
    if (!multiline) this.#endsQuoted[LF] = this.#endsQuoted[CR] = 1;
  }

  /** Finds the cell that begins at `at` and describes it in the public members. */
  scan(at: number): CsvStatus | typeof INCOMPLETE {
    const { bytes, length } = this;
    const { quote, escape } = this.#dialect;
    const begins = this.#matches(quote, at);
    if (begins === INCOMPLETE) return INCOMPLETE;
    this.isQuoted = begins;
    if (begins) return this.#scanQuoted(at);
    for (let to = at; ; to++) {
      while (to < length && this.#endsPlain[bytes[to] as number] === 0) to++;
      if (to === length && !this.isLast) return INCOMPLETE;
      if (to < length && bytes[to] === escape) return this.#scanCopying(at);
      const ends = this.#endsCell(to);
      if (ends === INCOMPLETE) return INCOMPLETE;
      if (ends) return this.#found(bytes, at, to, to);
    }
  }

  /**
   * Scans a quoted cell on the fast path. Uses the slow path instead if an escape or a forbidden line break comes before the next
   * quote, or if the cell continues after that quote.
   */
  #scanQuoted(at: number): CsvStatus | typeof INCOMPLETE {
    const { bytes, length } = this;
    const { quote } = this.#dialect;
    for (let to = at + quote.length; ; to++) {
      while (to < length && this.#endsQuoted[bytes[to] as number] === 0) to++;
      if (to === length) return this.isLast ? CsvStatus.unclosed : INCOMPLETE;
      if (bytes[to] !== quote[0]) return this.#scanCopying(at);
      const closes = this.#matches(quote, to);
      if (closes === INCOMPLETE) return INCOMPLETE;
      if (!closes) continue;
      const next = to + quote.length;
      if (next === length && !this.isLast) return INCOMPLETE;
      const ends = this.#endsCell(next);
      if (ends === INCOMPLETE) return INCOMPLETE;
      return ends ? this.#found(bytes, at + quote.length, to, next) : this.#scanCopying(at);
    }
  }

  /** Scans a cell, quoted or not, on the slow path, which copies the text. */
  #scanCopying(start: number): CsvStatus | typeof INCOMPLETE {
    const { bytes, length, isLast } = this;
    const { quote, escape, doubledQuote, multiline } = this.#dialect;
    const missing = isLast ? CsvStatus.unclosed : INCOMPLETE;
    let isWithin = this.isQuoted;
    let at = isWithin ? start + quote.length : start;
    this.#numScratch = 0;
    for (;;) {
      if (at === length) {
        if (isWithin || !isLast) return missing;
        break;
      }
      const byte = bytes[at] as number;
      if (byte === escape) {
        if (at + 1 === length) return missing;
        const escaped = bytes[at + 1] as number;
        if (!multiline && isLineBreak(escaped)) return CsvStatus.lineBreak;
        this.#keep(escaped);
        at += 2;
        continue;
      }
      const isMark = isWithin ? this.#matches(quote, at) : this.#endsCell(at);
      if (isMark === INCOMPLETE) return INCOMPLETE;
      if (isMark && !isWithin) break;
      if (isMark) {
        const next = at + quote.length;
        const isDoubled = doubledQuote && (next < length || isLast) ? this.#matches(quote, next) : false;
        if (isDoubled === INCOMPLETE || (next === length && !isLast)) return INCOMPLETE;
        isWithin = isDoubled;
        if (isDoubled) for (const part of quote) this.#keep(part);
        at = isDoubled ? next + quote.length : next;
        continue;
      }
      if (isWithin && !multiline && isLineBreak(byte)) return CsvStatus.lineBreak;
      this.#keep(byte);
      at++;
    }
    return this.#found(this.#scratch, 0, this.#numScratch, at);
  }

  /** True if a delimiter, a line break or the end of the data is at position `at`. */
  #endsCell(at: number): Match {
    if (at === this.length) return this.isLast || INCOMPLETE;
    return isLineBreak(this.bytes[at] as number) || this.#matches(this.#dialect.delimiter, at);
  }

  #matches(mark: Uint8Array, at: number): Match {
    const { bytes, length } = this;
    const numBytes = mark.length;
    for (let index = 0; index < numBytes; index++) {
      if (at + index >= length) return this.isLast || index === 0 ? false : INCOMPLETE;
      if (bytes[at + index] !== mark[index]) return false;
    }
    return numBytes > 0;
  }

  #keep(byte: number): void {
    if (this.#numScratch === this.#scratch.length) {
      const grown = new Uint8Array(this.#numScratch * 2);
      grown.set(this.#scratch);
      this.#scratch = grown;
    }
    this.#scratch[this.#numScratch++] = byte;
  }

  #found(text: Uint8Array, start: number, end: number, next: number): CsvStatus {
    this.text = text;
    this.start = start;
    this.end = end;
    this.next = next;
    const isDelimited = next < this.length && !isLineBreak(this.bytes[next] as number);
    this.nextCell = isDelimited ? next + this.#dialect.delimiter.length : -1;
    return CsvStatus.ok;
  }
}

/** True for LF and for CR, so CRLF is two such bytes. */
export function isLineBreak(byte: number): boolean {
  return byte === LF || byte === CR;
}
