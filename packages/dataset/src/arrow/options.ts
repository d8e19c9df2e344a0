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
  /** Columns by index or name, in this order; one may come several times. Default: all. */
  readonly columns?: readonly (number | string)[] | undefined;
  /** Rows of a batch. Default: an element is a row, or with `batchMode: "auto"` a record batch. */
  readonly batchSize?: number | undefined;
  /**
   * `"keep_remainder"` (default): the last batch may be smaller; `"drop_remainder"`: it is left out; `"auto"`: each record
   * batch is an element, whatever `batchSize` says.
   */
  readonly batchMode?: "keep_remainder" | "drop_remainder" | "auto" | undefined;
  /** The dtypes that the columns must have, in their order; another one is `schema-mismatch` (`type-mismatch`). */
  readonly outputTypes?: readonly DType[] | undefined;
  /**
   * The shapes of one row of the columns, in their order: `[]` for flat values, `[n]` for lists of that length, `[null]` for
   * lists of any. Flat values for lists, and the reverse, are `schema-mismatch` (`type-mismatch`); a list of another length
   * is `shape-mismatch` (`row-shape`).
   */
  readonly outputShapes?: readonly (readonly (number | null)[])[] | undefined;
  /**
   * Default `"tuple"`: components in the order of columns, as tensorflow-io has them; `"dict"`: by name; `"recordBatch"`:
   * record batches, of one row each without `batchSize`; `"columns"`: the columns of such a record batch by name, as Arrow
   * vectors. In both, values stay as they are, nulls too.
   */
  readonly as?: ElementForm | undefined;
  /**
   * `"error"` (default): a null fails the element that holds it; `{ fill }`: a value for each column by name, or one for
   * all; `"mask"`: a component `<name>_mask` beside each column, true where there is a value.
   */
  readonly nulls?:
    | "error"
    | "mask"
    | { readonly fill: PaddingValue | Readonly<Record<string, PaddingValue>> }
    | undefined;
  /**
   * Lists of unequal length in one batch: `"error"` (default), `shape-mismatch` (`ragged-lists`); `"ragged"`: such a column is
   * always ragged; `{ pad }`: lists are filled up to the longest of their batch, with that value. Elements of one row are
   * vectors in any case.
   */
  readonly lists?: "error" | "ragged" | { readonly pad: PaddingValue } | undefined;
  /** Schema of the record batches, where it is known beforehand: what does not fit it is then refused at the call. */
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
