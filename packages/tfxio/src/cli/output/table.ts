import CliTable from "cli-table3";
import stringWidth from "string-width";
import type { Output } from "../host.js";
import { printable } from "./printable.js";
import { styled } from "./styled.js";

/** The cells of a table. Each row has as many cells as `head`. */
export interface TableContent {
  readonly head: readonly string[];
  /** A second header line, such as the columns' types. It is dimmed. */
  readonly subhead?: readonly string[] | undefined;
  readonly rows: readonly (readonly string[])[];
}

/** Spaces between columns. */
const GAP = 2;
/** Minimum width of a shortened column, in characters. A narrower column would be unreadable. */
const MIN_WIDTH = 12;

/** Table options that replace all ruled lines with nothing. */
const NO_LINES = Object.fromEntries(
  ["top", "bottom", "mid", "left", "right"].flatMap((side) =>
    ["", "-mid", "-left", "-right"].map((part) => [`${side}${part}`, ""]),
  ),
);

/**
 * Formats a table without ruled lines, at most `columns` characters wide. Wide columns are shortened. If that is not enough, the
 * last columns are omitted and named below the table. An undefined `columns` means unlimited. Ends with a line break.
 */
export function tableText(
  given: TableContent,
  { columns, hasColour }: Pick<Output, "columns" | "hasColour">,
): string {
  const content = printableContent(given);
  const natural = content.head.map((_, column) => widthOfColumn(content, column));
  const widths = columns === undefined ? natural : fitted(natural, columns);
  const style = (format: "bold" | "dim", text: string): string => (hasColour ? styled(format, text) : text);
  const table = new CliTable({
    chars: { ...NO_LINES, middle: " ".repeat(GAP) },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    colWidths: [...widths],
  });
  const shown = (cells: readonly string[]): string[] => widths.map((_, column) => cells[column] ?? "");
  table.push(shown(content.head).map((text) => style("bold", text)));
  if (content.subhead) table.push(shown(content.subhead).map((text) => style("dim", text)));
  for (const row of content.rows)
    table.push(shown(row).map((text) => (text === "null" ? style("dim", text) : text)));
  const lines = table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd());
  const hidden = content.head.slice(widths.length);
  if (hidden.length > 0) lines.push(style("dim", hiddenText(hidden, columns as number)));
  return `${lines.join("\n")}\n`;
}

/** Escapes control characters in all cells, because the data may contain them. */
function printableContent({ head, subhead, rows }: TableContent): TableContent {
  return {
    head: head.map(printable),
    subhead: subhead?.map(printable),
    rows: rows.map((row) => row.map(printable)),
  };
}

/** Returns the width of the widest cell, in terminal columns. Wide characters count as two. */
function widthOfColumn({ head, subhead, rows }: TableContent, column: number): number {
  return [head, ...(subhead ? [subhead] : []), ...rows].reduce(
    (width, cells) => Math.max(width, stringWidth(cells[column] ?? "")),
    1,
  );
}

/** Returns the widths of as many leading columns as fit. Shortens the widest columns first. */
function fitted(natural: readonly number[], columns: number): readonly number[] {
  let shown = natural;
  const least = (widths: readonly number[]): number =>
    widths.reduce((sum, width) => sum + Math.min(width, MIN_WIDTH) + GAP, -GAP);
  while (shown.length > 1 && least(shown) > columns) shown = shown.slice(0, -1);
  const room = columns - GAP * (shown.length - 1);
  let cap = Math.max(...shown);
  const total = (limit: number): number => shown.reduce((sum, width) => sum + Math.min(width, limit), 0);
  while (cap > 1 && total(cap) > room) cap--;
  return shown.map((width) => Math.min(width, cap));
}

/** Names the omitted columns on one line, truncated to the width of the table. */
function hiddenText(names: readonly string[], columns: number): string {
  const count = `… ${names.length} more column${names.length === 1 ? "" : "s"}`;
  const all = `${count}: ${names.join(", ")}`;
  if (all.length <= columns) return all;
  return `${all.slice(0, Math.max(count.length, columns - 1))}…`;
}
