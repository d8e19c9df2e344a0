import { type Data, Float32, Int64, makeData } from "apache-arrow";
import type { CsvColumn } from "./columns.js";
import { bytesData } from "./cell-values.js";
import { listTypeOf } from "./csv-plan.js";
import { numberOfCell } from "./number-of-cell.js";

/** Values of one multivalent column, row by row. */
export interface ItemLists {
  /** Appends a list of the items, or a null. Returns false and appends nothing if an item does not fit the column's type. */
  add(items: readonly Uint8Array[] | null): boolean;
  finish(): Data;
}

/**
 * Collects lists of any length. An empty item is an empty string in a text column, and is invalid in a number column. A column of
 * type `"null"` accepts only empty items, and all its rows become null.
 */
export function createItemLists(column: CsvColumn): ItemLists {
  const { type } = column;
  let offsets: number[] = [0];
  let values: (bigint | number | Uint8Array)[] = [];
  let isValid: boolean[] = [];
  const valueOf = (item: Uint8Array): bigint | number | Uint8Array | undefined => {
    return type === "bytes" ? item : numberOfCell(item, column);
  };
  const childData = (): Data => {
    const shape = { length: values.length, nullCount: 0 };
    if (type === "bytes") return bytesData(values as Uint8Array[]);
    if (type === "float") {
      return makeData({ type: new Float32(), ...shape, data: Float32Array.from(values as number[]) });
    }
    return makeData({ type: new Int64(), ...shape, data: BigInt64Array.from(values as bigint[]) });
  };
  return {
    add(items) {
      const found = (items ?? []).map(valueOf);
      if (
        type === "null" ? !found.every((_, index) => items?.[index]?.length === 0) : found.includes(undefined)
      ) {
        return false;
      }
      if (type !== "null") for (const value of found) values.push(value as bigint | number | Uint8Array);
      offsets.push(values.length);
      isValid.push(items !== null);
      return true;
    },
    finish() {
      const length = isValid.length;
      const list = listTypeOf(type);
      const nullCount = isValid.filter((one) => !one).length;
      const nullBitmap = new Uint8Array(Math.ceil(length / 8));
      isValid.forEach((one, row) => {
        if (one) nullBitmap[row >> 3] = (nullBitmap[row >> 3] as number) | (1 << (row & 7));
      });
      const data =
        type === "null"
          ? makeData({ type: list as never, length, nullCount: length })
          : makeData({
              type: list as never,
              length,
              nullCount,
              ...(nullCount > 0 && { nullBitmap }),
              valueOffsets: Int32Array.from(offsets),
              child: childData(),
            });
      [offsets, values, isValid] = [[0], [], []];
      return data;
    },
  };
}
