import { type Dialect } from "../../dialect.js";
import { CsvStatus } from "../csv-kernel.js";

export const LF = 10;
export const CR = 13;
/** More bytes are needed to tell where a cell or a record ends. */
export const INCOMPLETE = -1;

/**
 * Finds one cell after the other. As in Python's `csv`, a quote is special at the start of a cell; what follows the closing
 * quote belongs to the cell, and quotes in it to its text.
 */
export class CellScanner {
  readonly #dialect: Dialect;
  /** Bytes that end the search for the end of a plain cell: delimiter, line breaks, escape. */
  readonly #endsPlain = new Uint8Array(256);
  /** The same within quotes: quote, escape, and line breaks where there must be none. */
  readonly #endsQuoted = new Uint8Array(256);
  #scratch: Uint8Array = new Uint8Array(64);
  #numScratch = 0;

  bytes: Uint8Array = new Uint8Array(0);
  length = 0;
  isLast = false;

  /** The cell that was found: bytes `start` to `end` of `text`. */
  text: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  isQuoted = false;
  /** Behind the cell: a delimiter, a line break, or the end of the input. */
  next = 0;

  constructor(dialect: Dialect) {
    const { delimiter, quote, escape, multiline } = dialect;
    this.#dialect = dialect;
    for (const byte of [delimiter, LF, CR, escape]) if (byte >= 0) this.#endsPlain[byte] = 1;
    for (const byte of [quote, escape]) if (byte >= 0) this.#endsQuoted[byte] = 1;
    if (!multiline) this.#endsQuoted[LF] = this.#endsQuoted[CR] = 1;
  }

  /** Finds the cell at `at`. */
  scan(at: number): CsvStatus | typeof INCOMPLETE {
    const { bytes, length } = this;
    const { quote, escape } = this.#dialect;
    this.isQuoted = at < length && bytes[at] === quote;
    if (this.isQuoted) return this.#scanQuoted(at);
    let to = at;
    while (to < length && this.#endsPlain[bytes[to] as number] === 0) to++;
    if (to === length && !this.isLast) return INCOMPLETE;
    if (to < length && bytes[to] === escape) return this.#scanCopying(at);
    this.#found(bytes, at, to, to);
    return CsvStatus.ok;
  }

  /** Most quoted cells are one run of bytes, with nothing between closing quote and delimiter. */
  #scanQuoted(at: number): CsvStatus | typeof INCOMPLETE {
    const { bytes, length } = this;
    const { quote } = this.#dialect;
    let to = at + 1;
    while (to < length && this.#endsQuoted[bytes[to] as number] === 0) to++;
    if (to === length) return this.isLast ? CsvStatus.unclosed : INCOMPLETE;
    if (bytes[to] === quote) {
      const next = to + 1;
      if (next === length && !this.isLast) return INCOMPLETE;
      if (next === length || this.#endsRecordOrCell(bytes[next] as number)) {
        this.#found(bytes, at + 1, to, next);
        return CsvStatus.ok;
      }
    }
    return this.#scanCopying(at);
  }

  /** Cells whose text is not one run of bytes. */
  #scanCopying(start: number): CsvStatus | typeof INCOMPLETE {
    const { bytes, length, isLast } = this;
    const { quote, escape, doubledQuote, multiline } = this.#dialect;
    const missing = isLast ? CsvStatus.unclosed : INCOMPLETE;
    let isWithin = this.isQuoted;
    let at = isWithin ? start + 1 : start;
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
      } else if (isWithin && byte === quote) {
        if (at + 1 === length && !isLast) return INCOMPLETE;
        isWithin = doubledQuote && at + 1 < length && bytes[at + 1] === quote;
        if (isWithin) this.#keep(quote);
        at += isWithin ? 2 : 1;
      } else if (isWithin) {
        if (!multiline && isLineBreak(byte)) return CsvStatus.lineBreak;
        this.#keep(byte);
        at++;
      } else if (this.#endsRecordOrCell(byte)) {
        break;
      } else {
        this.#keep(byte);
        at++;
      }
    }
    this.#found(this.#scratch, 0, this.#numScratch, at);
    return CsvStatus.ok;
  }

  #endsRecordOrCell(byte: number): boolean {
    return byte === this.#dialect.delimiter || isLineBreak(byte);
  }

  #keep(byte: number): void {
    if (this.#numScratch === this.#scratch.length) {
      const grown = new Uint8Array(this.#numScratch * 2);
      grown.set(this.#scratch);
      this.#scratch = grown;
    }
    this.#scratch[this.#numScratch++] = byte;
  }

  #found(text: Uint8Array, start: number, end: number, next: number): void {
    this.text = text;
    this.start = start;
    this.end = end;
    this.next = next;
  }
}

export function isLineBreak(byte: number): boolean {
  return byte === LF || byte === CR;
}
