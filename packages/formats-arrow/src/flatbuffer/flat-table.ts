import { RecordError } from "@tfxio/wire/errors";

/** A location in a source, for errors: usually the start of the message or footer being read. */
export interface FlatPlace {
  readonly uri: string;
  /** Offset in the uncompressed bytes of the source. */
  readonly byteOffset: number;
}

const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** State that the tables of one flatbuffer share. */
class FlatBuffer {
  readonly view: DataView;
  readonly #strings = new Map<number, string>();
  /**
   * Bounds the work, because offsets may lead to the same table many times. Its initial value is the largest
   * number of tables that the bytes can hold, at four bytes or more per table.
   */
  #numTablesLeft: number;

  constructor(
    readonly bytes: Uint8Array,
    readonly place: FlatPlace,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#numTablesLeft = bytes.length >> 2;
  }

  /** Returns `offset` after checking that `numBytes` bytes exist there. */
  at(offset: number, numBytes: number): number {
    if (offset >= 0 && numBytes >= 0 && offset + numBytes <= this.bytes.length) return offset;
    throw this.malformed(
      `${numBytes} bytes are needed at offset ${offset}, but the metadata ends after ${this.bytes.length} bytes`,
    );
  }

  /** Returns the target position of the unsigned offset at `at`. */
  follow(at: number): number {
    return at + this.view.getUint32(this.at(at, 4), true);
  }

  countTable(): void {
    if (--this.#numTablesLeft < 0)
      throw this.malformed("its offsets lead to more tables than its bytes can hold");
  }

  string(at: number): string {
    const known = this.#strings.get(at);
    if (known !== undefined) return known;
    const numBytes = this.view.getUint32(this.at(at, 4), true);
    const start = this.at(at + 4, numBytes);
    try {
      const value = text.decode(this.bytes.subarray(start, start + numBytes));
      this.#strings.set(at, value);
      return value;
    } catch (cause) {
      throw this.malformed("a string is not UTF-8", cause);
    }
  }

  malformed(problem: string, cause?: unknown): RecordError {
    const { uri, byteOffset } = this.place;
    return new RecordError(
      "malformed-payload",
      `The metadata at byte ${byteOffset} of ${uri} is damaged: ${problem}.`,
      { uri, byteOffset, reason: "metadata", cause },
    );
  }
}

/**
 * A table of an unverified flatbuffer. Every offset and length is checked against the bytes, so a hostile buffer causes an
 * error, never a read outside its bytes or an endless loop. Fields are addressed by their number in the `.fbs` file. An absent
 * field has its default.
 * @throws {RecordError} `malformed-payload` (`metadata`) from every method that reads.
 */
export class FlatTable {
  readonly #buffer: FlatBuffer;
  readonly #start: number;
  readonly #vtable: number;
  readonly #vtableBytes: number;

  private constructor(buffer: FlatBuffer, start: number) {
    buffer.countTable();
    this.#buffer = buffer;
    this.#start = start;
    this.#vtable = start - buffer.view.getInt32(buffer.at(start, 4), true);
    this.#vtableBytes = buffer.view.getUint16(buffer.at(this.#vtable, 2), true);
    buffer.at(this.#vtable, this.#vtableBytes);
  }

  /** Returns the root table of `bytes`, which it borrows. */
  static root(bytes: Uint8Array, place: FlatPlace): FlatTable {
    const buffer = new FlatBuffer(bytes, place);
    return new FlatTable(buffer, buffer.follow(0));
  }

  get place(): FlatPlace {
    return this.#buffer.place;
  }

  malformed(problem: string): RecordError {
    return this.#buffer.malformed(problem);
  }

  #field(field: number, numBytes: number): number | undefined {
    const slot = 4 + 2 * field;
    if (slot + 2 > this.#vtableBytes) return undefined;
    const offset = this.#buffer.view.getUint16(this.#vtable + slot, true);
    return offset === 0 ? undefined : this.#buffer.at(this.#start + offset, numBytes);
  }

  int8(field: number, absent = 0): number {
    const at = this.#field(field, 1);
    return at === undefined ? absent : this.#buffer.view.getInt8(at);
  }

  bool(field: number): boolean {
    return this.int8(field) !== 0;
  }

  int16(field: number, absent = 0): number {
    const at = this.#field(field, 2);
    return at === undefined ? absent : this.#buffer.view.getInt16(at, true);
  }

  int32(field: number, absent = 0): number {
    const at = this.#field(field, 4);
    return at === undefined ? absent : this.#buffer.view.getInt32(at, true);
  }

  /** Returns an int64 as a number. Beyond 2^53 the number is inexact, but a length that large exceeds every limit anyway. */
  int64(field: number): number {
    const at = this.#field(field, 8);
    return at === undefined ? 0 : Number(this.#buffer.view.getBigInt64(at, true));
  }

  /** Returns the id of a dictionary. Rejects ids beyond 2^53 - 1: arrow-js holds ids as numbers, so two could look equal. */
  dictionaryId(field: number): number {
    const id = this.int64(field);
    if (Number.isSafeInteger(id)) return id;
    throw this.malformed(`its dictionary id must be from -(2^53 - 1) to 2^53 - 1, found about ${id}`);
  }

  string(field: number): string | undefined {
    const at = this.#field(field, 4);
    return at === undefined ? undefined : this.#buffer.string(this.#buffer.follow(at));
  }

  table(field: number): FlatTable | undefined {
    const at = this.#field(field, 4);
    return at === undefined ? undefined : new FlatTable(this.#buffer, this.#buffer.follow(at));
  }

  /** Returns a required table. @param name for the error. */
  required(field: number, name: string): FlatTable {
    const found = this.table(field);
    if (found === undefined) throw this.malformed(`it has no ${name}`);
    return found;
  }

  tables(field: number): FlatTable[] {
    const { first, length } = this.#vector(field, 4);
    return Array.from({ length }, (_, index) => {
      return new FlatTable(this.#buffer, this.#buffer.follow(first + 4 * index));
    });
  }

  int32s(field: number): number[] {
    const { first, length } = this.#vector(field, 4);
    return Array.from({ length }, (_, index) => this.#buffer.view.getInt32(first + 4 * index, true));
  }

  int64s(field: number): number[] {
    const { first, length } = this.#vector(field, 8);
    return Array.from({ length }, (_, index) => this.#int64At(first + 8 * index));
  }

  /**
   * Returns the structs of a vector, each of `numBytes` bytes. `read` builds one struct. Its arguments are functions that read an
   * integer at a byte offset in the struct.
   */
  structs<Struct>(
    field: number,
    numBytes: number,
    read: (int64At: (offset: number) => number, int32At: (offset: number) => number) => Struct,
  ): Struct[] {
    const { first, length } = this.#vector(field, numBytes);
    const { view } = this.#buffer;
    return Array.from({ length }, (_, index) => {
      const start = first + numBytes * index;
      return read(
        (offset) => this.#int64At(start + offset),
        (offset) => view.getInt32(start + offset, true),
      );
    });
  }

  #int64At(at: number): number {
    return Number(this.#buffer.view.getBigInt64(at, true));
  }

  #vector(field: number, elementBytes: number): { readonly first: number; readonly length: number } {
    const at = this.#field(field, 4);
    if (at === undefined) return { first: 0, length: 0 };
    const start = this.#buffer.follow(at);
    const length = this.#buffer.view.getUint32(this.#buffer.at(start, 4), true);
    this.#buffer.at(start + 4, length * elementBytes);
    return { first: start + 4, length };
  }
}
