import { formatNumber } from "../table.js";

/** Returns the lines of a table. The first row is the header. All columns except the first are right-aligned, for numbers. */
export function markdownTable(rows: readonly (readonly string[])[]): readonly string[] {
  const [header = [], ...body] = rows;
  const rule = header.map((_, index) => (index === 0 ? "---" : "--:"));
  return [header, rule, ...body].map((cells) => `| ${cells.join(" | ")} |`);
}

/** Formats a number with its unit. Returns a dash if the number is undefined. */
export function cell(value: number | undefined, unit = ""): string {
  return value === undefined ? "–" : `${formatNumber(value)}${unit}`;
}

/** Formats a median in a readable unit: MB instead of bytes, otherwise `unit` itself. */
export function quantity(value: number, unit: string): { readonly text: string; readonly unit: string } {
  return unit === "bytes"
    ? { text: formatNumber(value / 1e6), unit: "MB" }
    : { text: formatNumber(value), unit };
}
