import type { DType } from "@tfxio/tensor-adapter";
import {
  aListOf,
  anInteger,
  aPositiveInteger,
  membersOf,
  oneOf,
  type OptionRules,
  type Rule,
  rule,
} from "@tfxio/wire/checks";
import type { Schema as ArrowSchema } from "apache-arrow";
import { aPaddingValue, type PaddingValue } from "../batchers/padding-value.js";

/** Form of the elements of an Arrow dataset: see {@link ArrowDatasetOptions.as}. */
export type ElementForm = "tuple" | "dict" | "recordBatch" | "columns";

/** Options of every Arrow dataset. */
export interface ArrowDatasetOptions {
  /**
   * Columns to read, by name or by index from 0. The components of an element are in this order. With `as: "tuple"` or
   * `"recordBatch"`, a column may be repeated. Default: all columns.
   */
  readonly columns?: readonly (number | string)[] | undefined;
  /** Number of rows per batch. Default: each element is one row without a batch dimension. */
  readonly batchSize?: number | undefined;
  /**
   * `"keep_remainder"` (default) keeps a smaller last batch; `"drop_remainder"` drops it. `"auto"` makes each non-empty
   * record batch an element and ignores `batchSize`.
   */
  readonly batchMode?: "keep_remainder" | "drop_remainder" | "auto" | undefined;
  /** Expected dtype of each column, in order. A column with a different dtype throws `schema-mismatch` (`type-mismatch`). */
  readonly outputTypes?: readonly DType[] | undefined;
  /**
   * Expected row shape of each column, in order: `[]` for flat values, `[n]` for lists of length n, `[null]` for lists of
   * any length. Lists instead of flat values, or the reverse, throw `schema-mismatch` (`type-mismatch`). A list whose length is
   * not n throws `shape-mismatch` (`row-shape`).
   */
  readonly outputShapes?: readonly (readonly (number | null)[])[] | undefined;
  /**
   * `"tuple"` (default): components in column order, as in tensorflow-io. `"dict"`: components by name. `"recordBatch"`:
   * record batches, with one row each unless `batchSize` or `batchMode: "auto"` is set. `"columns"`: the Arrow vectors of such a
   * record batch, by name. `"recordBatch"` and `"columns"` keep values and nulls unchanged.
   */
  readonly as?: ElementForm | undefined;
  /**
   * `"error"` (default): a null makes its element fail. `{ fill }`: nulls become this value, given once for all columns or by
   * column name. `"mask"`: nulls become 0, false or empty text, and each column is followed by a bool component `<name>_mask`,
   * which is true for rows with a value.
   */
  readonly nulls?:
    | "error"
    | "mask"
    | { readonly fill: PaddingValue | Readonly<Record<string, PaddingValue>> }
    | undefined;
  /**
   * Form of list columns in a batch. `"error"` (default) makes them dense, and throws `shape-mismatch` (`ragged-lists`) for lists
   * of unequal length. `"ragged"` makes them ragged. `{ pad }` makes them dense, and pads each list with that value to the length
   * of the longest list in the batch. If elements are single rows, each list is a vector.
   */
  readonly lists?: "error" | "ragged" | { readonly pad: PaddingValue } | undefined;
  /** Schema of the record batches, if known. Options that contradict it then fail at the call, not at the first batch. */
  readonly arrowSchema?: ArrowSchema | undefined;
}

const someColumns: Rule = rule("a non-empty list of column names or indices", (value) => {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((column) => typeof column === "string" || (Number.isInteger(column) && column >= 0));
});
const aNullPolicy: Rule = rule('"error", "mask" or { fill }', (value) => {
  return value === "error" || value === "mask" || membersOf(value)["fill"] !== undefined;
});

const aListPolicy: Rule = rule('"error", "ragged" or { pad }', (value) => {
  return value === "error" || value === "ragged" || aPaddingValue.holds(membersOf(value)["pad"]);
});
const aRowShape: Rule = rule("[], [null] or [n]", (value) => {
  if (!Array.isArray(value) || value.length > 1) return false;
  return value.every((size) => size === null || anInteger(0).holds(size));
});

/** Rules for the options of all Arrow datasets. */
export const ARROW_RULES: OptionRules<ArrowDatasetOptions> = {
  columns: someColumns,
  batchSize: aPositiveInteger,
  batchMode: oneOf("keep_remainder", "drop_remainder", "auto"),
  outputTypes: rule("a list of dtypes", Array.isArray),
  outputShapes: aListOf("a list of shapes, each [], [null] or [n]", aRowShape),
  as: oneOf("tuple", "dict", "recordBatch", "columns"),
  nulls: aNullPolicy,
  lists: aListPolicy,
  arrowSchema: rule("an Arrow schema", (value) => Array.isArray(membersOf(value)["fields"])),
};
