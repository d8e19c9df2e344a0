import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

// Texts, and their contents as read by Python's csv module and pyarrow.
const folder = path.resolve(import.meta.dirname, "../../../../shared/goldens/csv");

/** A text, and how Python's csv module and pyarrow read it. */
export interface DialectGolden {
  readonly id: string;
  readonly header: boolean;
  readonly text?: string;
  readonly text_b64?: string;
  readonly file?: string;
  readonly pythonDialect: Readonly<Record<string, unknown>>;
  readonly python: { readonly rows?: readonly (readonly GoldenText[])[]; readonly expect?: "error" };
  readonly pyarrowOptions: PyarrowOptions;
  readonly pyarrow: {
    readonly schema?: readonly { readonly name: string; readonly type: string }[];
    readonly rows?: readonly (readonly unknown[])[];
    readonly expect?: "error";
  };
}

/** The text of a cell. For a long cell, its length and start. */
export type GoldenText = string | { readonly $length: number; readonly $start: string };

/** Fields of pyarrow's ReadOptions, ParseOptions and ConvertOptions that differ from the defaults. */
export interface PyarrowOptions {
  readonly read?: Readonly<Record<string, unknown>>;
  readonly parse?: Readonly<Record<string, unknown>>;
  readonly convert?: Readonly<Record<string, unknown>>;
  readonly types?: Readonly<Record<string, string>>;
  readonly skip_invalid?: boolean;
}

/** All golden texts. Empty if the folder is absent. */
export const dialectGoldens: readonly DialectGolden[] = existsSync(folder)
  ? (JSON.parse(readFileSync(path.join(folder, "dialects.json"), "utf8")) as { cases: DialectGolden[] }).cases
  : [];

/** Returns the text as bytes, which are not always UTF-8. */
export function goldenBytes({ text, text_b64, file }: DialectGolden): Uint8Array {
  if (file !== undefined) return readFileSync(path.join(folder, file));
  return text === undefined ? Buffer.from(text_b64 ?? "", "base64") : new TextEncoder().encode(text);
}

/** Represents a cell by its text, or a long cell by its length and start. Undefined for bytes that are not UTF-8. */
export function plainCell(cell: GoldenText | { readonly base64: string }): string | undefined {
  if (typeof cell !== "string" && "base64" in cell) return undefined;
  if (typeof cell !== "string") return `${cell.$length} ${cell.$start.slice(0, 10)}`;
  return cell.length <= 1000 ? cell : `${cell.length} ${cell.slice(0, 10)}`;
}
