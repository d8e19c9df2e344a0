import { InvalidArgumentError } from "commander";

/**
 * Parses `full`, `first` or a number of rows, for the option `--infer`.
 * @throws {InvalidArgumentError} for other text. Commander reports it with the option's name.
 */
export function inferenceExtent(text: string): "full" | "first" | { readonly rows: number } {
  if (text === "full" || text === "first") return text;
  const rows = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(rows) && rows > 0) return { rows };
  throw new InvalidArgumentError('It must be "full", "first" or a positive number of rows.');
}
