import { columnElements, flatValues, listElements, nullMask } from "@tfxio/arrow-encoding";
import type { Data, RecordBatch } from "apache-arrow";
import type { ColumnSpec } from "../sets/bench-set.js";

/** A column for encoders that need an object for each row. Floats are in typed arrays, all other values in plain arrays. */
export interface RowValues extends Pick<ColumnSpec, "name" | "kind"> {
  isNull(this: void, row: number): boolean;
  /**
   * Row splits, one more than there are rows. The values of `row` start at `rowSplits[row]` and end before `rowSplits[row + 1]`.
   */
  readonly rowSplits: Int32Array;
  /** Returns values `start` to `end` (exclusive) in the form that the encoder's objects need. Floats are borrowed. */
  slice(this: void, start: number, end: number): ArrayLike<unknown>;
}

/**
 * Returns the columns of `batch` that have the names in `columns`, in the same order.
 * @param int64 Creates the encoder's representation of an int64 from its signed 32-bit halves.
 */
export function rowValues(
  batch: RecordBatch,
  columns: readonly ColumnSpec[],
  int64: (low: number, high: number) => unknown,
): readonly RowValues[] {
  return columns.map(({ name, kind }) => {
    const index = batch.schema.fields.findIndex((field) => field.name === name);
    const rows = columnElements(batch.data.children[index] as Data);
    const mask = nullMask(rows);
    const { rowSplits, elements } = listElements(rows);
    const { values } = flatValues(elements);
    const common = { name, kind, isNull: (row: number) => mask?.[row] === 1, rowSplits };
    if ("get" in values) {
      const slice = (start: number, end: number): unknown[] => {
        const result: unknown[] = [];
        for (let i = start; i < end; i++) result.push(values.get(i));
        return result;
      };
      return { ...common, slice };
    }
    if (kind === "float") return { ...common, slice: (start, end) => values.subarray(start, end) };
    const halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
    const slice = (start: number, end: number): unknown[] => {
      const result: unknown[] = [];
      for (let i = start; i < end; i++) {
        result.push(int64(halves[2 * i] as number, halves[2 * i + 1] as number));
      }
      return result;
    };
    return { ...common, slice };
  });
}
