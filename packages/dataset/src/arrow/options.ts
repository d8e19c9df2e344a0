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

/** Form of the elements of an Arrow dataset. */
export type ElementForm = "tuple" | "dict" | "recordBatch" | "columns";

/** Options of every Arrow dataset. */
export interface ArrowDatasetOptions {
  /** Columns by index or name, in this order. A column may be repeated. Default: all. */
  readonly columns?: readonly (number | string)[] | undefined;
  /** Rows per batch. Default: each element is one row, or with `batchMode: "auto"` one record batch. */
  readonly batchSize?: number | undefined;
  /**
   * `"keep_remainder"` (default) keeps a smaller last batch; `"drop_remainder"` drops it. `"auto"` makes each record batch
   * an element and ignores `batchSize`.
   */
  readonly batchMode?: "keep_remainder" | "drop_remainder" | "auto" | undefined;
  /** Expected dtypes of the columns, in order. Any other dtype throws `schema-mismatch` (`type-mismatch`). */
  readonly outputTypes?: readonly DType[] | undefined;
  /**
   * Expected row shape of each column, in order: `[]` for flat values, `[n]` for lists of length n, `[null]` for lists of
   * any length. Lists instead of flat values, or the reverse, throw `schema-mismatch` (`type-mismatch`). A list of another
   * length throws `shape-mismatch` (`row-shape`).
   */
  readonly outputShapes?: readonly (readonly (number | null)[])[] | undefined;
  /**
   * `"tuple"` (default): components in column order, as in tensorflow-io. `"dict"`: components by name. `"recordBatch"`:
   * record batches, with one row each unless `batchSize` is set. `"columns"`: the Arrow vectors of such a record batch, by
   * name. The last two keep values and nulls unchanged.
   */
  readonly as?: ElementForm | undefined;
  /**
   * `"error"` (default): a null fails its element. `{ fill }`: nulls become this value, given once for all columns or by
   * column name. `"mask"`: each column gets a second component `<name>_mask`, true for rows with a value.
   */
  readonly nulls?:
    | "error"
    | "mask"
    | { readonly fill: PaddingValue | Readonly<Record<string, PaddingValue>> }
    | undefined;
  /**
   * Handling of lists of unequal length in one batch. `"error"` (default) throws `shape-mismatch` (`ragged-lists`).
   * `"ragged"` makes every list column ragged. `{ pad }` pads each list to the longest of its batch with that value.
   * Unbatched rows hold vectors in every case.
   */
  readonly lists?: "error" | "ragged" | { readonly pad: PaddingValue } | undefined;
  /** Schema of the record batches, if known. Options that contradict it then fail at the call, not with the first batch. */
  readonly arrowSchema?: ArrowSchema | undefined;
}

const someColumns: Rule = rule("a list of at least one index or name of a column", (value) => {
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

/** Rules for the options of an Arrow dataset. */
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
