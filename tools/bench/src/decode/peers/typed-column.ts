import { type Data, makeData } from "apache-arrow";
import type { ColumnSpec } from "../../sets/bench-set.js";
import { batchRows } from "../subject.js";
import { itemTypeOf, listTypeOf } from "./arrow-fields.js";
import type { ColumnInProgress, CreateColumn, Int64Objects } from "./object-decoder.js";

/** The row splits and validity bitmap of a column. */
class RowSplits {
  /** Row splits of the rows so far. The first is 0. */
  readonly offsets = new Int32Array(batchRows + 1);
  readonly #validity = new Uint8Array(batchRows >> 3);
  #numRows = 0;
  #nullCount = 0;

  /** Ends a row. `numValues` is the total number of values in all rows so far. */
  close(numValues: number, present: boolean): void {
    if (present)
      this.#validity[this.#numRows >> 3] =
        (this.#validity[this.#numRows >> 3] as number) | (1 << (this.#numRows & 7));
    else this.#nullCount++;
    this.offsets[++this.#numRows] = numValues;
  }

  /** Returns a list column with `child` as its values, and resets the rows. */
  finish(column: ColumnSpec, child: Data): Data {
    const data = makeData({
      type: listTypeOf(column.kind),
      length: this.#numRows,
      nullCount: this.#nullCount,
      nullBitmap: this.#nullCount === 0 ? null : this.#validity.slice(0, (this.#numRows + 7) >> 3),
      valueOffsets: this.offsets.slice(0, this.#numRows + 1),
      // makeData requires an explicit type argument for the child, although the list's type determines it.
      child: child as never,
    });
    this.#validity.fill(0);
    this.#numRows = 0;
    this.#nullCount = 0;
    return data;
  }
}

/** Returns `values` if it has at least `length` elements, otherwise a copy of at least twice the size. */
function grown<T extends Float32Array | Uint8Array | Int32Array | BigInt64Array>(
  values: T,
  length: number,
): T {
  if (length <= values.length) return values;
  const larger = new (values.constructor as new (length: number) => T)(Math.max(length, values.length * 2));
  larger.set(values as never);
  return larger;
}

/**
 * Creates a list column with the code that a careful user of a protobuf library would write. Values go into growing typed arrays
 * that all batches reuse. `finish` copies the filled part.
 */
export const typedColumn: CreateColumn = (column, int64) => {
  if (column.kind === "float") return floatColumn(column);
  return column.kind === "int64" ? int64Column(column, int64) : bytesColumn(column);
};

function floatColumn(column: ColumnSpec): ColumnInProgress {
  const rows = new RowSplits();
  let floats = new Float32Array(batchRows);
  let length = 0;
  return {
    append: (list) => {
      if (list !== null) {
        floats = grown(floats, length + list.length);
        for (let i = 0; i < list.length; i++) floats[length++] = list[i] as number;
      }
      rows.close(length, list !== null);
    },
    finish: () => {
      const type = itemTypeOf(column.kind);
      const data = rows.finish(
        column,
        makeData({ type, length, nullCount: 0, data: floats.slice(0, length) } as never),
      );
      length = 0;
      return data;
    },
  };
}

function int64Column(column: ColumnSpec, int64: Int64Objects): ColumnInProgress {
  const rows = new RowSplits();
  let int64s = new BigInt64Array(batchRows);
  let halves = new Int32Array(int64s.buffer);
  let length = 0;
  return {
    append: (list) => {
      if (list !== null) {
        if (length + list.length > int64s.length) {
          int64s = grown(int64s, length + list.length);
          halves = new Int32Array(int64s.buffer);
        }
        for (let i = 0; i < list.length; i++) int64.store(int64s, halves, length++, list[i]);
      }
      rows.close(length, list !== null);
    },
    finish: () => {
      const type = itemTypeOf(column.kind);
      const data = rows.finish(
        column,
        makeData({ type, length, nullCount: 0, data: int64s.slice(0, length) } as never),
      );
      length = 0;
      return data;
    },
  };
}

function bytesColumn(column: ColumnSpec): ColumnInProgress {
  const rows = new RowSplits();
  let bytes = new Uint8Array(16 * batchRows);
  let ends = new Int32Array(batchRows + 1);
  let length = 0;
  return {
    append: (list) => {
      if (list !== null) {
        ends = grown(ends, length + list.length + 1);
        for (let i = 0; i < list.length; i++) {
          const value = list[i] as Uint8Array;
          let at = ends[length] as number;
          bytes = grown(bytes, at + value.length);
          // Calling `set` costs more than copying a short value byte by byte.
          if (value.length > 32) bytes.set(value, at);
          else for (let j = 0; j < value.length; j++) bytes[at + j] = value[j] as number;
          at += value.length;
          ends[++length] = at;
        }
      }
      rows.close(length, list !== null);
    },
    finish: () => {
      const type = itemTypeOf(column.kind);
      const valueOffsets = ends.slice(0, length + 1);
      const data = bytes.slice(0, ends[length]);
      const result = rows.finish(
        column,
        makeData({ type, length, nullCount: 0, valueOffsets, data } as never),
      );
      length = 0;
      return result;
    },
  };
}
