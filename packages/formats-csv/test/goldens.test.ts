import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import type { CsvOptions } from "@tfxio/formats-csv";
import { isTfxioError } from "@tfxio/wire";
import { readCsv } from "./read-csv.js";

// Texts, and what Python's csv module and pyarrow make of them.
const folder = path.resolve(import.meta.dirname, "../../../../shared/goldens/csv");

interface Golden {
  readonly id: string;
  readonly text?: string;
  readonly text_b64?: string;
  readonly file?: string;
  readonly pythonDialect: Readonly<Record<string, unknown>>;
  readonly python: { readonly rows?: readonly (readonly Cell[])[]; readonly expect?: "error" };
  readonly pyarrow: { readonly numRows?: number; readonly expect?: "error" };
}
type Cell = string | { readonly $length: number; readonly $start: string };

const goldens: readonly Golden[] = existsSync(folder)
  ? (JSON.parse(readFileSync(path.join(folder, "dialects.json"), "utf8")) as { cases: Golden[] }).cases
  : [];

/** Texts of which we differ from Python on purpose; docs/formats/csv.md says why. */
const DECIDED: Readonly<Record<string, string>> = {
  quote_unclosed: "unclosed quote",
  quote_unclosed_last: "unclosed quote",
  quote_lone_quote: "unclosed quote",
  quote_unclosed_then_rows: "unclosed quote",
  strict_unclosed: "unclosed quote",
  strict_text_after_quote: "no strict mode",
  skip_initial_space: "no trimming",
  quote_nonnumeric: "types come from all cells of a column",
  delim_quote: "one character in two roles",
  delim_newline: "a line break as delimiter",
  delim_empty: "no delimiter",
  cell_200k: "no limit on cells",
  invalid_utf8_cell: "bytes stay as they are",
  invalid_utf8_late: "bytes stay as they are",
  latin1: "bytes stay as they are",
  latin1_declared: "bytes stay as they are",
  utf8_surrogate: "bytes stay as they are",
};

function bytesOf({ text, text_b64, file }: Golden): Uint8Array {
  if (file !== undefined) return readFileSync(path.join(folder, file));
  return text === undefined ? Buffer.from(text_b64 ?? "", "base64") : new TextEncoder().encode(text);
}

function optionsOf({ pythonDialect: dialect }: Golden, numColumns: number): Partial<CsvOptions> {
  const names = Array.from({ length: numColumns }, (_, index) => `c${index}`);
  return {
    columnNames: names,
    types: Object.fromEntries(names.map((name) => [name, "bytes"])),
    nullMarkers: [],
    ...("delimiter" in dialect && { delimiter: dialect["delimiter"] as string }),
    ...("quotechar" in dialect && { quote: dialect["quotechar"] as string }),
    ...(dialect["quoting"] === "QUOTE_NONE" && { quote: null }),
    ...("doublequote" in dialect && { doubledQuote: dialect["doublequote"] as boolean }),
    ...("escapechar" in dialect && { escape: dialect["escapechar"] as string }),
  };
}

/** Cells by their text; those of long cells by their length and start. */
function plainCell(cell: Cell): string {
  return typeof cell === "string" && cell.length <= 1000
    ? cell
    : typeof cell === "string"
      ? `${cell.length} ${cell.slice(0, 10)}`
      : `${cell.$length} ${cell.$start}`;
}

/** What we make of a text: its cells, or the code of the error. */
async function ourRows(golden: Golden, numColumns: number): Promise<string[][] | string> {
  try {
    const rows = await readCsv(bytesOf(golden), { options: optionsOf(golden, numColumns) });
    return rows.map((row) =>
      Object.values(row as Record<string, string[]>).map(([cell = ""]) => plainCell(cell)),
    );
  } catch (error) {
    if (!isTfxioError(error)) throw error;
    return `${error.code} ${error.reason ?? ""}`;
  }
}

(goldens.length > 0 ? describe : describe.skip)("texts and the answers of Python's csv", () => {
  test.each(goldens.map((golden) => [golden.id, golden] as const))("%s", async (id, golden) => {
    const rows = golden.python.rows?.filter(({ length }) => length > 0).map((row) => row.map(plainCell));
    const numColumns = rows?.[0]?.length ?? 2;
    const ours = await ourRows(golden, numColumns);
    const isRagged = rows?.some(({ length }) => length !== numColumns) === true;
    // A byte order mark is no text of ours.
    if (rows?.[0]?.[0]?.startsWith("\uFEFF")) rows[0][0] = rows[0][0].slice(1).replace(/^"(.*)"$/, "$1");
    const theirs = isRagged ? "malformed-payload column-count" : rows;
    if (id in DECIDED) expect(ours).not.toEqual(theirs);
    else expect(ours).toEqual(theirs);
  });
});
