import type { ColumnPath } from "@tfxio/schema";
import { assertArgument } from "@tfxio/wire/checks";
import { DataType, type RecordBatch } from "apache-arrow";
import { aListOfColumnPaths, aRecordBatch } from "../argument-rules.js";
import { columnElements } from "../column/column-access.js";
import { BytesColumn } from "../column/column-access-bytes.js";
import type { FlatValues } from "../column/column-access-values.js";
import { columnAtPath } from "../column/columns-by-path.js";
import { distinctValues } from "../array/distinct-values.js";
import { flattenElements, iota } from "../array/flatten-nested.js";
import { valueCodes } from "../array/value-codes.js";

/**
 * A feature value. Byte strings and text are Uint8Arrays, 64-bit integers are bigints, and float16 values are numbers that hold
 * their 16 bits.
 */
export type GroupValue = Uint8Array | number | bigint;

/** A group of rows that share a value in each requested column. */
export interface RowGroup {
  /** One value per requested column, in the order of the request. Copied from the batch. */
  readonly values: readonly GroupValue[];
  /** Row numbers in the batch, ascending and distinct, as {@link takeRows} accepts them. */
  readonly rows: Uint32Array;
}

/**
 * Groups rows by the values of features. There is one group for each combination of values that occurs, in order of first
 * occurrence. A row with several values in a column belongs to the group of each value. A row that is null or empty in one of the
 * columns belongs to no group. Without columns, one group has all rows. Dictionary columns are grouped by their entries.
 * @throws {SchemaError} `schema-mismatch` (`path-not-found`) for a missing column. `schema-mismatch` (`not-flat`) for values that
 *   are neither numbers nor bytes.
 * @see tfx_bsl `SlicingSpec.feature_keys`
 */
export function groupRows(batch: RecordBatch, columns: readonly ColumnPath[]): readonly RowGroup[] {
  assertArgument("batch", batch, aRecordBatch);
  assertArgument("columns", columns, aListOfColumnPaths);
  let grouped: GroupedRows = {
    rows: iota(batch.numRows),
    groups: new Int32Array(batch.numRows),
    values: [[]],
  };
  for (const path of columns) grouped = divide(grouped, featureValues(batch, path));
  return collect(grouped);
}

/** Pairs of a row and a group that contains it, ordered by row. A row may be in several groups. */
interface GroupedRows {
  /** Row of each pair, never decreasing. */
  readonly rows: Int32Array;
  /** Group of each pair: an index into `values`. */
  readonly groups: Int32Array;
  readonly values: readonly (readonly GroupValue[])[];
}

/** Ids of the values in each row. Row `r` has the ids from `ids[splits[r]]` to `ids[splits[r + 1]]` (exclusive). */
interface FeatureValueIds {
  /** int32, length `numRows + 1`. A null row has no ids, like an empty row. */
  readonly splits: Int32Array;
  /** int32, each from 0 to `numDistinct - 1`. Equal values have equal ids. */
  readonly ids: Int32Array;
  readonly valueOf: (id: number) => GroupValue;
  readonly numDistinct: number;
}

/** Assigns an id to each distinct value of a column. Null values are left out. */
function featureValues(batch: RecordBatch, path: ColumnPath): FeatureValueIds {
  const column = columnAtPath(batch, path);
  const { elements, rows } = flattenElements(columnElements(column.data), column.rows);
  if (DataType.isNull(elements.data.type)) return noValues(batch.numRows);
  const { values, positions } = valueCodes(elements);
  const distinct = distinctValues(values);
  const firstOf: number[] = [];
  const ids = new Int32Array(elements.length);
  const splits = new Int32Array(batch.numRows + 1);
  let count = 0;
  for (let index = 0; index < elements.length; index++) {
    const position = positions[index] as number;
    if (position < 0) continue;
    const id = distinct.add(values, position);
    if (id === firstOf.length) firstOf.push(position);
    ids[count++] = id;
    splits[(rows[index] as number) + 1] = count;
  }
  for (let row = 0; row < batch.numRows; row++) {
    splits[row + 1] = Math.max(splits[row] as number, splits[row + 1] as number);
  }
  const valueOf = (id: number): GroupValue => valueAt(values, firstOf[id] as number);
  return { splits, ids, valueOf, numDistinct: firstOf.length };
}

/** Returns no ids for any row. Used for columns of type Null. */
function noValues(numRows: number): FeatureValueIds {
  const valueOf = (id: number): GroupValue => id;
  return { splits: new Int32Array(numRows + 1), ids: new Int32Array(0), valueOf, numDistinct: 0 };
}

function valueAt(values: FlatValues, index: number): GroupValue {
  return values instanceof BytesColumn ? values.get(index).slice() : (values[index] as number | bigint);
}

/** Splits every group by the values of one more feature. */
function divide(before: GroupedRows, { splits, ids, valueOf, numDistinct }: FeatureValueIds): GroupedRows {
  const rows: number[] = [];
  const groups: number[] = [];
  const values: (readonly GroupValue[])[] = [];
  const numbers = new Map<number, number>();
  /**
   * For each value id, 1 plus the index of the last pair whose row had the value, or 0 if there is none yet. Ensures that a value
   * repeated within a row is used only once.
   */
  const seenFor = new Int32Array(numDistinct);
  for (const [pair, row] of before.rows.entries()) {
    const group = before.groups[pair] as number;
    for (let at = splits[row] as number; at < (splits[row + 1] as number); at++) {
      const id = ids[at] as number;
      if (seenFor[id] === pair + 1) continue;
      seenFor[id] = pair + 1;
      const key = group * numDistinct + id;
      let number = numbers.get(key);
      if (number === undefined) {
        number = values.length;
        numbers.set(key, number);
        values.push([...(before.values[group] as readonly GroupValue[]), valueOf(id)]);
      }
      rows.push(row);
      groups.push(number);
    }
  }
  return { rows: Int32Array.from(rows), groups: Int32Array.from(groups), values };
}

function collect({ rows, groups, values }: GroupedRows): RowGroup[] {
  const sizes = new Uint32Array(values.length);
  for (const group of groups) sizes[group] = (sizes[group] as number) + 1;
  const result = values.map((groupValues, group) => ({
    values: groupValues,
    rows: new Uint32Array(sizes[group] as number),
  }));
  sizes.fill(0);
  for (const [pair, group] of groups.entries()) {
    const at = sizes[group] as number;
    (result[group] as RowGroup).rows[at] = rows[pair] as number;
    sizes[group] = at + 1;
  }
  return result;
}
