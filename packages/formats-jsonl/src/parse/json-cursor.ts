import { RecordError, type RecordBlock } from "@tfxio/wire";
import type { Limits } from "@tfxio/format";
import type { JsonRowOptions } from "../options.js";
import { ScannedNumber } from "./scanned-number.js";
import { TextBytes } from "./text-bytes.js";

/** Options and limits that affect parsing. */
export type ParseRules = Pick<JsonRowOptions, "onMixed" | "nonFinite" | "maxDepth"> &
  Pick<Limits, "maxColumns">;

/** Position of a parser in a record. One cursor serves many records. */
export class JsonCursor<Column = unknown> {
  readonly rules: ParseRules;
  /** The block's bytes, of which the record is a part. */
  bytes: Uint8Array = new Uint8Array(0);
  /** Position of the next byte. */
  at = 0;
  /** End of the record, exclusive. The bytes after it may be another record. */
  end = 0;
  /** The last scanned number. */
  readonly number: ScannedNumber = new ScannedNumber();
  /** Buffer for text that no column holds, such as names. */
  readonly scratch: TextBytes = new TextBytes();
  /** Columns of the batch that mix kinds and must be parsed again as text. */
  readonly mixed: Set<Column> = new Set();
  uri = "";
  recordIndex = 0;
  #blockOffset = 0;

  constructor(rules: ParseRules) {
    this.rules = rules;
  }

  /** Moves to the start of a record of the block. */
  enter(block: RecordBlock, index: number): void {
    this.bytes = block.bytes;
    this.at = block.starts[index]!;
    this.end = block.ends[index]!;
    this.uri = block.uri;
    this.recordIndex = block.firstRecordIndex + index;
    this.#blockOffset = block.byteOffset;
  }

  skipSpace(): void {
    const { bytes, end } = this;
    let { at } = this;
    while (at < end && isSpace(bytes[at]!)) at++;
    this.at = at;
  }

  /** Returns the location for an error. */
  place(at: number): { uri: string; recordIndex: number; byteOffset: number } {
    return { uri: this.uri, recordIndex: this.recordIndex, byteOffset: this.#blockOffset + at };
  }

  /** Returns the location as text, for the start of an error message. */
  where(at: number): string {
    return `${this.uri}, record ${this.recordIndex} at byte ${this.#blockOffset + at}`;
  }

  /** Creates the error for malformed bytes. @param expected Describes what may be at this position. */
  malformed(
    expected: string,
    reason = "json-syntax",
    at: number = this.at,
    found: string = this.#found(at),
  ): RecordError {
    const message = `${this.where(at)}: expected ${expected}, found ${found}.`;
    return new RecordError("malformed-payload", message, { reason, ...this.place(at) });
  }

  #found(at: number): string {
    return at >= this.end ? "the end of the record" : byteText(this.bytes[at]!);
  }
}

/** Returns the text of a byte for an error message: a quoted character if it is visible ASCII, otherwise a hexadecimal number. */
export function byteText(byte: number): string {
  const isPrintable = byte > 0x20 && byte < 0x7f;
  return isPrintable ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16).padStart(2, "0")}`;
}

/** Returns true for the white space of RFC 8259: space, tab, line feed and carriage return. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
