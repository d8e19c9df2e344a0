import { formatNumber } from "../table.js";

/** The lines of a table whose first row is the header and whose columns, except the first, contain numbers. */
export function markdownTable(rows: readonly (readonly string[])[]): readonly string[] {
  const [header = [], ...body] = rows;
  const rule = header.map((_, index) => (index === 0 ? "---" : "--:"));
  return [header, rule, ...body].map((cells) => `| ${cells.join(" | ")} |`);
}

/** A number with its unit, or a dash if it is missing. */
export function cell(value: number | undefined, unit = ""): string {
  return value === undefined ? "–" : `${formatNumber(value)}${unit}`;
}

/** A median in a readable unit: MB for bytes, otherwise its own unit. */
export function quantity(value: number, unit: string): { readonly text: string; readonly unit: string } {
  return unit === "bytes"
    ? { text: formatNumber(value / 1e6), unit: "MB" }
    : { text: formatNumber(value), unit };
}
