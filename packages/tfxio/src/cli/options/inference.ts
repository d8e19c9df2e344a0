import { InvalidArgumentError } from "commander";

/** `full`, `first` or a number of rows, as the parser of an option. */
export function inferenceExtent(text: string): "full" | "first" | { readonly rows: number } {
  if (text === "full" || text === "first") return text;
  const rows = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(rows) && rows > 0) return { rows };
  throw new InvalidArgumentError('It must be "full", "first" or a number of rows.');
}
