import type { TemporalValue } from "@tfxio/arrow-encoding";
import { allocated, TextBytes } from "../parse/text-bytes.js";
import type { Declared, Kind } from "./declared.js";
import { type ColumnSelection, Fields } from "./fields.js";

const FIRST_VALUES = 64;
const noBytes = new Uint8Array(0);
const noOffsets = new Int32Array(1);

/**
 * Builder of a column. Values are in Arrow's layout, except that booleans and nulls take one byte each. The memory is reused for
 * the next batch. Without a schema, the first non-null value of each batch decides the kind, but later values may change it to
 * floats or text. `items` holds the values of lists, and `fields` the columns of structs. A column in `fields` may be shorter
 * than the struct column. Its missing values are null.
 */
export class Column {
  /** Path of the column, and the selection of the columns inside it. */
  readonly selection: ColumnSelection;
  /** True if a schema decides the type. */
  readonly isDeclared: boolean;
  /** Parses dates and times in a column of integers; undefined if text is an error there. */
  readonly integerOf: TemporalValue | undefined;
  kind: Kind = "null";
  length = 0;
  numNulls = 0;
  /** One byte per value, 1 for null. Bytes after the last value are 0, and missing bytes count as 0. */
  nullBytes: Uint8Array = noBytes;
  /** One byte per value, 0 or 1. */
  bools: Uint8Array = noBytes;
  doubles: Float64Array = new Float64Array(0);
  /** Halves of 64-bit integers, in the memory of `doubles`. */
  halves: Int32Array = new Int32Array(0);
  singles: Float32Array = new Float32Array(0);
  /** Offsets of text and lists: `length + 1` numbers. */
  offsets: Int32Array = noOffsets;
  #text: TextBytes | undefined;
  #items: Column | undefined;
  #fields: Fields<Column> | undefined;

  constructor(selection: ColumnSelection, declared?: Declared) {
    this.selection = selection;
    this.isDeclared = declared !== undefined;
    this.integerOf = declared?.integerOf;
    if (declared === undefined) return;
    const { kind, items, fields } = declared;
    this.#startAs(kind);
    if (items !== undefined) this.#items = new Column({ ...selection, isInList: true }, items);
    if (fields !== undefined) this.#fields = new Fields({ ...selection, listed: fields }, createColumn);
  }

  get text(): TextBytes {
    return (this.#text ??= new TextBytes());
  }

  get items(): Column {
    return (this.#items ??= new Column({ ...this.selection, isInList: true }));
  }

  get fields(): Fields<Column> {
    return (this.#fields ??= new Fields(this.selection, createColumn));
  }

  /** Empties the column for the next batch. */
  reset(): void {
    if (this.numNulls > 0) this.nullBytes.fill(0, 0, this.length);
    this.length = this.numNulls = 0;
    if (this.#text !== undefined) this.#text.length = 0;
    this.#items?.reset();
    this.#fields?.reset();
    if (!this.isDeclared) this.kind = "null";
  }

  /** Drops all values. Until the next {@link reset}, values of any kind are stored as text. */
  startText(): void {
    this.reset();
    this.#startAs("text");
  }

  /** Sets the kind of a column that holds only nulls so far. */
  start(kind: Kind): void {
    const { length } = this;
    this.#startAs(kind);
    this.#fillNulls(0, length);
  }

  appendNull(): void {
    this.appendNulls(1);
  }

  appendNulls(count: number): void {
    const start = this.length;
    const end = start + count;
    if (end > this.nullBytes.length) this.nullBytes = enlarged(Uint8Array, this.nullBytes, end);
    this.nullBytes.fill(1, start, end);
    this.numNulls += count;
    this.#fillNulls(start, end);
    this.length = end;
  }

  appendBool(value: 0 | 1): void {
    const at = this.length;
    if (at === this.bools.length) this.bools = enlarged(Uint8Array, this.bools, at + 1);
    this.bools[at] = value;
    this.length = at + 1;
  }

  appendInteger(low: number, high: number): void {
    const at = this.length;
    if (at === this.doubles.length) this.#growNumbers(at + 1);
    this.halves[2 * at] = low;
    this.halves[2 * at + 1] = high;
    this.length = at + 1;
  }

  appendDouble(value: number): void {
    const at = this.length;
    if (at === this.doubles.length) this.#growNumbers(at + 1);
    this.doubles[at] = value;
    this.length = at + 1;
  }

  appendSingle(value: number): void {
    const at = this.length;
    if (at === this.singles.length) this.singles = enlarged(Float32Array, this.singles, at + 1);
    this.singles[at] = value;
    this.length = at + 1;
  }

  /** Ends a text or list value whose content is in `text` or `items`. @param end Length of `text` or `items`. */
  endValue(end: number): void {
    const at = ++this.length;
    if (at >= this.offsets.length) this.offsets = enlarged(Int32Array, this.offsets, at + 1);
    this.offsets[at] = end;
  }

  /** Removes the values from `length` on. */
  truncate(length: number): void {
    if (this.numNulls > 0) {
      for (let at = length; at < this.length; at++) this.numNulls -= this.nullBytes[at] ?? 0;
      this.nullBytes.fill(0, length, this.length);
    }
    this.length = length;
    if (this.kind === "text") this.text.length = this.offsets[length]!;
    else if (this.kind === "list") this.items.truncate(this.offsets[length]!);
    else if (this.kind === "struct") this.fields.truncate(length);
  }

  /** Returns the first integer that float64 cannot hold exactly; undefined if there is none. */
  inexactInteger(): bigint | undefined {
    const { halves, length } = this;
    for (let at = 0; at < length; at++) {
      const value = valueOf(halves[2 * at]!, halves[2 * at + 1]!);
      if (Number.isSafeInteger(value)) continue;
      const exact = new BigInt64Array(halves.buffer, 8 * at, 1)[0]!;
      if (BigInt(value) !== exact) return exact;
    }
    return undefined;
  }

  /** Converts integers to float64, rounding if necessary. */
  toDoubles(): void {
    const { doubles, halves, length } = this;
    for (let at = 0; at < length; at++) doubles[at] = valueOf(halves[2 * at]!, halves[2 * at + 1]!);
    this.kind = "float";
  }

  #startAs(kind: Kind): void {
    this.kind = kind;
    if (kind !== "text" && kind !== "list") return;
    if (this.offsets === noOffsets) this.offsets = new Int32Array(FIRST_VALUES);
    this.offsets[0] = 0;
  }

  #fillNulls(start: number, end: number): void {
    switch (this.kind) {
      case "bool":
        if (end > this.bools.length) this.bools = enlarged(Uint8Array, this.bools, end);
        this.bools.fill(0, start, end);
        return;
      case "int":
      case "float":
        if (end > this.doubles.length) this.#growNumbers(end);
        this.doubles.fill(0, start, end);
        return;
      case "single":
        if (end > this.singles.length) this.singles = enlarged(Float32Array, this.singles, end);
        this.singles.fill(0, start, end);
        return;
      case "text":
      case "list":
        if (end >= this.offsets.length) this.offsets = enlarged(Int32Array, this.offsets, end + 1);
        this.offsets.fill(this.kind === "text" ? this.text.length : this.items.length, start + 1, end + 1);
    }
  }

  #growNumbers(needed: number): void {
    this.doubles = enlarged(Float64Array, this.doubles, needed);
    this.halves = new Int32Array(this.doubles.buffer);
  }
}

function createColumn(selection: ColumnSelection, declared?: Declared): Column {
  return new Column(selection, declared);
}

/** Returns the float64 nearest to a 64-bit integer. */
function valueOf(low: number, high: number): number {
  return high * 2 ** 32 + (low >>> 0);
}

type Numbers = Uint8Array | Int32Array | Float32Array | Float64Array;

/** Returns a larger copy of `from`, for at least `needed` values. New values are 0. */
function enlarged<Values extends Numbers>(
  kind: new (length: number) => Values,
  from: Values,
  needed: number,
): Values {
  const grown = allocated(kind, Math.max(needed, FIRST_VALUES, from.length * 2), needed);
  grown.set(from);
  return grown;
}
