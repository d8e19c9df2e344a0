import { RecordError, SchemaError } from "@tfxio/wire";
import { copyString, QUOTE } from "../parse/copy-string.js";
import type { JsonCursor } from "../parse/json-cursor.js";
import { peek } from "../parse/skip-value.js";
import type { Declared } from "./declared.js";
import type { WantedColumns } from "./wanted-columns.js";

/** Counts of the columns of a batch so far. */
export interface ColumnCount {
  /** All columns, including those in structs. */
  numColumns: number;
  /** Columns of structs that are in lists. */
  numInLists: number;
}

/** The column selection for the structs at one path. */
export interface ColumnSelection {
  /** Path of the structs, for errors; empty for the row. */
  readonly path: string;
  /** Columns of the schema by name; undefined without a schema. */
  readonly listed?: ReadonlyMap<string, Declared> | undefined;
  readonly wanted: WantedColumns;
  readonly unlisted: "drop" | "error";
  /** True if the structs are in lists, so that a row may have many. */
  readonly isInList: boolean;
  readonly count: ColumnCount;
}

/** The members of a column that {@link Fields} uses. */
export interface FieldColumn {
  readonly length: number;
  reset(): void;
  truncate(length: number): void;
}

/** A name that has occurred in objects at one path, or that the schema declares there. */
export interface FieldSlot<Column extends FieldColumn> {
  readonly name: string;
  /** The name as first written in a record, or a declared name as `JSON.stringify` writes it. Includes the closing quote. */
  readonly written: Uint8Array;
  /** Undefined if the values are skipped. */
  readonly column: Column | undefined;
  readonly index: number;
  /** True if the batch has a column for the name. */
  isPresent: boolean;
}

/** Maximum number of slots to try in order before a lookup by name. */
const MAX_TRIED = 6;
/** Names without a column in the batch are forgotten once they outnumber the batch's columns by this many. */
const FORGIVEN_NAMES = 1000;

const utf8Encoder = new TextEncoder();
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The fields of a struct column, or of the row. Most objects have the same names in the same order, so a name is first
 * compared with the expected one, byte by byte.
 */
export class Fields<Column extends FieldColumn> {
  readonly #selection: ColumnSelection;
  readonly #createColumn: (selection: ColumnSelection, declared?: Declared) => Column;
  readonly #listed: ReadonlyMap<string, Declared> | undefined;
  #slots: FieldSlot<Column>[] = [];
  #byName = new Map<string, FieldSlot<Column>>();
  #present: FieldSlot<Column>[] = [];

  constructor(
    selection: ColumnSelection,
    createColumn: (selection: ColumnSelection, declared?: Declared) => Column,
  ) {
    this.#selection = selection;
    this.#createColumn = createColumn;
    const { listed, wanted } = selection;
    this.#listed = listed;
    for (const [name, declared] of listed ?? []) {
      if (wanted?.has(name) ?? true) this.#addDeclared(name, declared);
    }
  }

  /** Fields with a column in the batch, in order of first occurrence or, with a schema, in the schema's order. */
  get present(): readonly FieldSlot<Column>[] {
    return this.#present;
  }

  /** Empties the columns for the next batch. Without a schema, the batch then has no columns until names occur in it. */
  reset(): void {
    for (const slot of this.#present) slot.column?.reset();
    if (this.#listed !== undefined) return;
    for (const slot of this.#present) slot.isPresent = false;
    this.#present = [];
  }

  /** Removes the values from `length` on. */
  truncate(length: number): void {
    for (const { column } of this.#present) if (column!.length > length) column!.truncate(length);
  }

  /**
   * Reads the name at the cursor, moves past it, and returns its slot.
   * @param expected Index of the slot to try first.
   * @throws {RecordError} `malformed-payload`; `limit-exceeded` (`column-count`).
   */
  next(cursor: JsonCursor, expected: number): FieldSlot<Column> {
    if (peek(cursor) !== QUOTE) throw cursor.malformed("a name in double quotes");
    const start = cursor.at++;
    const slots = this.#slots;
    const numTried = Math.min(slots.length, MAX_TRIED);
    for (let tried = 0, index = expected; tried < numTried; tried++, index++) {
      if (index >= slots.length) index = 0;
      const slot = slots[index]!;
      if (!isWritten(cursor, slot.written)) continue;
      cursor.at += slot.written.length;
      if (!slot.isPresent && slot.column !== undefined) this.#enter(slot, cursor, start);
      return slot;
    }
    return this.#lookUp(cursor, start);
  }

  #lookUp(cursor: JsonCursor, start: number): FieldSlot<Column> {
    const { scratch } = cursor;
    scratch.length = 0;
    copyString(cursor, scratch);
    const name = utf8.decode(scratch.bytes.subarray(0, scratch.length));
    let slot = this.#byName.get(name);
    if (slot === undefined) {
      this.#forgetAbsent();
      const written = cursor.bytes.slice(start + 1, cursor.at);
      slot = this.#add(name, written, this.#columnOf(name));
    }
    if (!slot.isPresent && slot.column !== undefined) this.#enter(slot, cursor, start);
    return slot;
  }

  /** Returns a column for a new name, or undefined if its values are skipped. */
  #columnOf(name: string): Column | undefined {
    const { wanted } = this.#selection;
    // A schema's columns already exist.
    if (this.#listed !== undefined) return undefined;
    return wanted === undefined || wanted.has(name) ? this.#createColumn(this.#below(name)) : undefined;
  }

  #addDeclared(name: string, declared: Declared): void {
    const written = utf8Encoder.encode(JSON.stringify(name)).subarray(1);
    const slot = this.#add(name, written, this.#createColumn(this.#below(name), declared));
    slot.isPresent = true;
    this.#present.push(slot);
    this.#countColumn();
  }

  #add(name: string, written: Uint8Array, column: Column | undefined): FieldSlot<Column> {
    const slot: FieldSlot<Column> = { name, written, column, index: this.#slots.length, isPresent: false };
    this.#slots.push(slot);
    this.#byName.set(name, slot);
    return slot;
  }

  /** Forgets absent names once there are many. Otherwise, they would accumulate if every record had new names. */
  #forgetAbsent(): void {
    if (this.#slots.length <= 2 * this.#present.length + FORGIVEN_NAMES) return;
    this.#slots = this.#present.map((slot, index) => ({ ...slot, index }));
    this.#present = [...this.#slots];
    this.#byName = new Map(this.#slots.map((slot) => [slot.name, slot]));
  }

  #enter(slot: FieldSlot<Column>, cursor: JsonCursor, at: number): void {
    const { maxColumns } = cursor.rules;
    if (this.#countColumn() > maxColumns) {
      throw new RecordError(
        "limit-exceeded",
        `${cursor.where(at)}: column "${slot.name}" exceeds the limit of ${maxColumns} columns per batch (maxColumns).`,
        { reason: "column-count", ...cursor.place(at) },
      );
    }
    slot.isPresent = true;
    this.#present.push(slot);
  }

  /** @returns the number of columns, including this one. */
  #countColumn(): number {
    const { count, isInList } = this.#selection;
    if (isInList) count.numInLists++;
    return ++count.numColumns;
  }

  #below(name: string): ColumnSelection {
    const { path, wanted } = this.#selection;
    const below = path === "" ? name : `${path}.${name}`;
    return { ...this.#selection, path: below, listed: undefined, wanted: wanted?.get(name) };
  }

  /**
   * Checks the name of a skipped value that is or contains a string, a number or a boolean. A name without such values is not an
   * error, because an inferred schema would not list it.
   * @param at Position of the name.
   * @throws {SchemaError} `schema-mismatch` (`unlisted-feature`) if the schema lacks the name and `unlisted` is `"error"`.
   */
  assertListed({ name }: FieldSlot<Column>, cursor: JsonCursor, at: number): void {
    if (this.#selection.unlisted !== "error" || (this.#listed?.has(name) ?? true)) return;
    const { path: columnPath } = this.#below(name);
    const message = `${cursor.where(at)}: column "${columnPath}" is not in the schema.`;
    throw new SchemaError("schema-mismatch", message, {
      reason: "unlisted-feature",
      columnPath,
      ...cursor.place(at),
    });
  }
}

/** Returns true if the record continues with this name, written in the same way. */
function isWritten({ bytes, at, end }: JsonCursor, written: Uint8Array): boolean {
  const { length } = written;
  if (at + length > end) return false;
  for (let index = 0; index < length; index++) if (bytes[at + index] !== written[index]) return false;
  return true;
}
