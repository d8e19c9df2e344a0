import { ColumnPath, predicateColumns, type Predicate } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import type { Schema as ArrowSchema } from "apache-arrow";
import { closest } from "./closest.js";

/**
 * Checks that the data has all `columns`. Only the first step of each path is checked. The error suggests the most similar name,
 * or lists columns if no name is similar.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`).
 */
export function assertKnownColumns(columns: readonly ColumnPath[], { fields }: ArrowSchema): void {
  const names = fields.map(({ name }) => name);
  for (const { steps } of columns) {
    const [name = ""] = steps;
    if (names.includes(name)) continue;
    const suggestion = closest(name, names);
    // List at most 12 names, so that the message stays readable for wide data.
    const known =
      names.length > 12 ? `${names.slice(0, 12).join(", ")} and ${names.length - 12} more` : names.join(", ");
    const list = names.length === 0 ? "There are no columns." : `The columns are ${known}.`;
    const help = suggestion === undefined ? list : `Did you mean "${suggestion}"?`;
    throw new SchemaError("schema-mismatch", `Unknown column "${name}". ${help}`, {
      reason: "unknown-column",
      columnPath: name,
    });
  }
}

/** Returns the requested columns and the columns that the predicate reads. */
export function columnsInUse(
  columns: readonly ColumnPath[] | undefined,
  predicate: Predicate | undefined,
): readonly ColumnPath[] {
  return [...(columns ?? []), ...(predicate === undefined ? [] : predicateColumns(predicate))];
}
