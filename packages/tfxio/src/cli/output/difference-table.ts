import type { SchemaDifference } from "@tfxio/schema";
import type { TableContent } from "./table.js";

/** Returns the differences between two schemas as a table. An element that one schema lacks is shown as `(absent)`. */
export function differenceTable(differences: readonly SchemaDifference[]): TableContent {
  const text = (value: unknown): string =>
    value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
  return {
    head: ["element", "name", "field", "left", "right"],
    rows: differences.map(({ element, name, field, left, right }) =>
      field === undefined
        ? [
            element,
            name,
            "",
            left === undefined ? "(absent)" : "present",
            right === undefined ? "(absent)" : "present",
          ]
        : [element, name, field, text(left), text(right)],
    ),
  };
}
