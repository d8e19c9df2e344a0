import { type DataType, type List, Type } from "apache-arrow";
import { allocated, TextBytes } from "../parse/text-bytes.js";
import { type ColumnSelection, Fields } from "./fields.js";

/** What the values of a column are: nothing so far, or one kind of JSON. */
export type Kind = "null" | "bool" | "int" | "float" | "text" | "list" | "struct";

const FIRST_VALUES = 64;
const noBytes = new Uint8Array(0);
const noOffsets = new Int32Array(1);

/**
 * A column in the making: values as Arrow stores them, in memory that is kept from batch to batch. A column that no
 * schema declares takes the kind of its first value in each batch. Values of a list lie in `items`, those of a struct in
 * `fields`, which may be shorter: what is missing at the end is null.
 */
export class Column {
  /** Which names the structs below have, and of what kind. */
  readonly selection: ColumnSelection;
  /** A schema says what the values are. */
  readonly isDeclared: boolean;
  kind: Kind = "null";
  length = 0;
  numNulls = 0;
  /** A byte for each value, 1 where it is null; 0 behind the last one. */
  nullBytes: Uint8Array = noBytes;
  /** 0 or 1. */
  bools: Uint8Array = noBytes;
  doubles: Float64Array = new Float64Array(0);
  /** Halves of 64-bit integers, in the memory of `doubles`. */
  halves: Int32Array = new Int32Array(0);
  /** Of text and lists. */
  offsets: Int32Array = noOffsets;
  #text: TextBytes | undefined;
  #items: Column | undefined;
  #fields: Fields<Column> | undefined;

  constructor(selection: ColumnSelection, declared?: DataType) {
    this.selection = selection;
    this.isDeclared = declared !== undefined;
    if (declared === undefined) return;
    this.#startAs(kindOf(declared));
    if (declared.typeId === Type.List) {
      this.#items = new Column(selection, (declared as List).valueType);
    } else if (declared.typeId === Type.Struct) {
      this.#fields = new Fields({ ...selection, listed: declared.children }, createColumn);
    }
  }

  get text(): TextBytes {
    return (this.#text ??= new TextBytes());
  }

  get items(): Column {
    return (this.#items ??= new Column(this.selection));
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

  /** Drops all values, and from now on takes the text of whatever comes. */
  startText(): void {
    this.reset();
    this.#startAs("text");
  }

  /** Settles what the values are, all of which were null so far. */
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

  /** Ends a value of text or a list, all of which was put into `text` or `items`. */
  endValue(end: number): void {
    const at = ++this.length;
    if (at >= this.offsets.length) this.offsets = enlarged(Int32Array, this.offsets, at + 1);
    this.offsets[at] = end;
  }

  /** Takes back the values from `length` on. */
  truncate(length: number): void {
    if (this.numNulls > 0) {
      for (let at = length; at < this.length; at++) this.numNulls -= this.nullBytes[at]!;
      this.nullBytes.fill(0, length, this.length);
    }
    this.length = length;
    if (this.kind === "text") this.text.length = this.offsets[length]!;
    else if (this.kind === "list") this.items.truncate(this.offsets[length]!);
    else if (this.kind === "struct") this.fields.truncate(length);
  }

  /** The first of the integers that float64 cannot hold exactly. */
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

  /** Integers become float64, rounded where they have to be. */
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

function createColumn(selection: ColumnSelection, declared?: DataType): Column {
  return new Column(selection, declared);
}

function kindOf({ typeId }: DataType): Kind {
  switch (typeId) {
    case Type.Int:
      return "int";
    case Type.Float:
      return "float";
    case Type.List:
      return "list";
    case Type.Struct:
      return "struct";
    default:
      return "text";
  }
}

/** The float64 nearest to a 64-bit integer. */
function valueOf(low: number, high: number): number {
  return high * 2 ** 32 + (low >>> 0);
}

type Numbers = Uint8Array | Int32Array | Float64Array;

/** A copy of `from` with room for `needed` values and some more; what is new is 0. */
function enlarged<Values extends Numbers>(
  kind: new (length: number) => Values,
  from: Values,
  needed: number,
): Values {
  const grown = allocated(kind, Math.max(needed, FIRST_VALUES, from.length * 2), needed);
  grown.set(from);
  return grown;
}
