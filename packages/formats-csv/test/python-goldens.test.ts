import { describe, expect, test } from "@jest/globals";
import type { CsvOptions } from "@tfxio/formats-csv";
import { isTfxioError } from "@tfxio/wire";
import { type DialectGolden, dialectGoldens, goldenBytes, plainCell } from "./dialect-goldens.js";
import { readCsv } from "./read-csv.js";

/** Texts that we deliberately read differently from Python. docs/formats/csv.md gives the reasons. */
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

function optionsOf({ pythonDialect: dialect }: DialectGolden, numColumns: number): Partial<CsvOptions> {
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

/** Returns the cells that we read from a text, or the code and reason of our error. */
async function ourRows(
  golden: DialectGolden,
  numColumns: number,
): Promise<(string | undefined)[][] | string> {
  try {
    const rows = await readCsv(goldenBytes(golden), { options: optionsOf(golden, numColumns) });
    return rows.map((row) =>
      Object.values(row as Record<string, string[]>).map(([cell = ""]) => plainCell(cell)),
    );
  } catch (error) {
    if (!isTfxioError(error)) throw error;
    return `${error.code} ${error.reason ?? ""}`;
  }
}

(dialectGoldens.length > 0 ? describe : describe.skip)("the golden text", () => {
  test.each(dialectGoldens.map((golden) => [golden.id, golden] as const))(
    "%s is read as in Python, unless a difference is documented",
    async (id, golden) => {
      const rows = golden.python.rows?.filter(({ length }) => length > 0).map((row) => row.map(plainCell));
      const numColumns = rows?.[0]?.length ?? 2;
      const ours = await ourRows(golden, numColumns);
      const isRagged = rows?.some(({ length }) => length !== numColumns) === true;
      // Our reader removes a byte order mark. Python keeps it as text.
      if (rows?.[0]?.[0]?.startsWith("\uFEFF")) rows[0][0] = rows[0][0].slice(1).replace(/^"(.*)"$/, "$1");
      const theirs = isRagged ? "malformed-payload column-count" : rows;
      if (id in DECIDED) expect(ours).not.toEqual(theirs);
      else expect(ours).toEqual(theirs);
    },
  );
});
