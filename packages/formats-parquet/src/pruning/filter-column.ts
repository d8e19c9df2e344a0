import type { ColumnPath, Predicate } from "@tfxio/schema";
import type { Field, Schema as ArrowSchema } from "apache-arrow";
import type { FileFooter } from "../footer/file-footer.js";
import type { StoredColumn, StoredLeaf } from "../footer/stored-columns.js";

/** A column in a predicate. It has a single leaf, so the leaf's statistics apply to the column. */
export interface FilterColumn {
  readonly leaf: StoredLeaf;
  /** Position of the leaf among the leaves of the file. */
  readonly leafIndex: number;
  readonly field: Field;
}

/**
 * Returns the column of a path. Returns undefined for a missing or ambiguous name and for a column with several leaves. Also
 * returns undefined for a nested path, because a struct field inherits the nulls of its struct.
 */
export function filterColumn(
  { steps }: ColumnPath,
  { columns }: FileFooter,
  { fields }: ArrowSchema,
): FilterColumn | undefined {
  const named = [...fields.entries()].filter(([, { name }]) => steps.length === 1 && name === steps[0]);
  const [[index, field] = []] = named;
  if (named.length !== 1 || index === undefined || field === undefined) return undefined;
  const { leaves, firstLeaf } = columns[index] as StoredColumn;
  const [leaf] = leaves;
  return leaves.length === 1 && leaf !== undefined ? { leaf, leafIndex: firstLeaf, field } : undefined;
}

/** A comparison or a null check inside a predicate. */
export type PredicateTest = Extract<Predicate, { readonly kind: "isNull" | "in" | "compare" }>;

/** Returns the tests that can rule out rows. Tests inside `not` cannot. */
export function testsOf(predicate: Predicate): readonly PredicateTest[] {
  switch (predicate.kind) {
    case "and":
    case "or":
      return predicate.operands.flatMap(testsOf);
    case "not":
      return [];
    default:
      return [predicate];
  }
}
