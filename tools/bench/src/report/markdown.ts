import { formatNumber } from "../table.js";

/** A table whose columns but the first are numbers. */
export function markdownTable(rows: readonly (readonly string[])[]): readonly string[] {
  const [header = [], ...body] = rows;
  const rule = header.map((_, index) => (index === 0 ? "---" : "--:"));
  return [header, rule, ...body].map((cells) => `| ${cells.join(" | ")} |`);
}

/** A number, or a dash for a missing one. */
export function cell(value: number | undefined, unit = ""): string {
  return value === undefined ? "–" : `${formatNumber(value)}${unit}`;
}

/** A median in the unit it is best read in. */
export function quantity(value: number, unit: string): { readonly text: string; readonly unit: string } {
  return unit === "bytes"
    ? { text: formatNumber(value / 1e6), unit: "MB" }
    : { text: formatNumber(value), unit };
}
