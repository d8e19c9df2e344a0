import { ArgumentError } from "@tfxio/wire";
import { describeValue, membersOf } from "@tfxio/wire/checks";
import { aPaddingValue, type PaddingValue, paddingOf } from "../batchers/padding-value.js";
import type { ArrowDatasetOptions } from "./options.js";
import type { SelectedColumn } from "./selected-columns.js";

/** The `nulls` option of an Arrow dataset. */
export type NullPolicy = NonNullable<ArrowDatasetOptions["nulls"]>;

/**
 * Checks the fill values against the columns. A value given by name must belong to a selected column and fit its dtype. A value
 * for all columns must fit at least one of them. A column that no value fits is rejected later, and only if it has nulls.
 * @throws {ArgumentError} `invalid-argument` for a value that breaks these rules.
 */
export function assertFill(nulls: NullPolicy, columns: readonly SelectedColumn[]): void {
  if (typeof nulls !== "object") return;
  const { fill } = nulls;
  if (aPaddingValue.holds(fill)) {
    if (columns.length === 0 || columns.some((column) => suits(fill as PaddingValue, column))) return;
    const dtypes = [...new Set(columns.map(({ dtype }) => dtype))].join(", ");
    throw unusableFill(
      `must fit at least one dtype of the selected columns (${dtypes}), found ${describeValue(fill)}`,
    );
  }
  for (const [name, value] of Object.entries(membersOf(fill))) {
    const named = columns.filter((column) => column.name === name);
    if (named.length === 0) {
      throw unusableFill(
        `must name only selected columns (${columns.map((one) => one.name).join(", ") || "none"}), found "${name}"`,
      );
    }
    if (!aPaddingValue.holds(value)) {
      throw unusableFill(
        `for column "${name}" must be ${aPaddingValue.expected}, found ${describeValue(value)}`,
      );
    }
    for (const column of named) fillValue(value as PaddingValue, column);
  }
}

/**
 * Returns the value that replaces the nulls of a column, in the form in which an array of the column's dtype stores it. With
 * `"mask"`, it is 0, false or empty bytes.
 * @throws {ArgumentError} `invalid-argument` if the column has no fill value, or one that its dtype cannot hold.
 */
export function fillFor(nulls: NullPolicy, column: SelectedColumn): number | bigint | Uint8Array {
  if (typeof nulls !== "object") return paddingOf(undefined, column.dtype, "nulls: fill", "nulls");
  const { fill } = nulls;
  if (aPaddingValue.holds(fill)) return fillValue(fill as PaddingValue, column);
  const value = membersOf(fill)[column.name];
  if (value !== undefined) return fillValue(value as PaddingValue, column);
  throw unusableFill(`must have a value for column "${column.name}", which has nulls`);
}

function fillValue(value: PaddingValue, { name, dtype }: SelectedColumn): number | bigint | Uint8Array {
  return paddingOf(value, dtype, `nulls: fill for column "${name}"`, "nulls");
}

function suits(value: PaddingValue, { dtype }: SelectedColumn): boolean {
  try {
    paddingOf(value, dtype, "nulls: fill", "nulls");
    return true;
  } catch {
    return false;
  }
}

function unusableFill(problem: string): ArgumentError {
  return new ArgumentError("invalid-argument", `nulls: fill ${problem}.`, { argument: "nulls" });
}
