import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

// Texts, and how Python's csv module and pyarrow read them.
const folder = path.resolve(import.meta.dirname, "../../../../shared/goldens/csv");

/** A text and two answers. */
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

/** The text of a cell; of a long one, its length and start. */
export type GoldenText = string | { readonly $length: number; readonly $start: string };

/** Fields of pyarrow's ReadOptions, ParseOptions and ConvertOptions that are not their defaults. */
export interface PyarrowOptions {
  readonly read?: Readonly<Record<string, unknown>>;
  readonly parse?: Readonly<Record<string, unknown>>;
  readonly convert?: Readonly<Record<string, unknown>>;
  readonly types?: Readonly<Record<string, string>>;
  readonly skip_invalid?: boolean;
}

/** All of them; empty if the folder is absent. */
export const dialectGoldens: readonly DialectGolden[] = existsSync(folder)
  ? (JSON.parse(readFileSync(path.join(folder, "dialects.json"), "utf8")) as { cases: DialectGolden[] }).cases
  : [];

/** The text as bytes: not all of them are UTF-8. */
export function goldenBytes({ text, text_b64, file }: DialectGolden): Uint8Array {
  if (file !== undefined) return readFileSync(path.join(folder, file));
  return text === undefined ? Buffer.from(text_b64 ?? "", "base64") : new TextEncoder().encode(text);
}

/** A cell by its text; a long one by its length and start; undefined for bytes that are not UTF-8. */
export function plainCell(cell: GoldenText | { readonly base64: string }): string | undefined {
  if (typeof cell !== "string" && "base64" in cell) return undefined;
  if (typeof cell !== "string") return `${cell.$length} ${cell.$start.slice(0, 10)}`;
  return cell.length <= 1000 ? cell : `${cell.length} ${cell.slice(0, 10)}`;
}
