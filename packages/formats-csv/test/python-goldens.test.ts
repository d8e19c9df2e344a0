import { describe, expect, test } from "@jest/globals";
import type { CsvOptions } from "@tfxio/formats-csv";
import { isTfxioError } from "@tfxio/wire";
import { type DialectGolden, dialectGoldens, goldenBytes, plainCell } from "./dialect-goldens.js";
import { readCsv } from "./read-csv.js";

/** The result of a read: either rows of cells (undefined for bytes that are not UTF-8), or the code and reason of an error. */
type Answer = (string | undefined)[][] | string;

const UNCLOSED = "truncated-record unclosed-quote";

/** Texts that we deliberately read differently from Python, and our results. docs/formats/csv.md gives the reasons. */
const DECIDED: Readonly<Record<string, Answer>> = {
  quote_unclosed: UNCLOSED,
  quote_unclosed_last: UNCLOSED,
  quote_lone_quote: UNCLOSED,
  quote_unclosed_then_rows: UNCLOSED,
  strict_unclosed: UNCLOSED,
  // There is no strict mode.
  strict_text_after_quote: [
    ["a", "b"],
    ["xy", "z"],
  ],
  // Spaces are not trimmed, so a quote after a space is text, and the comma after that quote ends a cell.
  skip_initial_space: "malformed-payload column-count",
  // Types come from all cells of a column, not from quotes.
  quote_nonnumeric: [
    ["a", "b"],
    ["x", "1.5"],
    ["2", "3"],
  ],
  // A character must not have two roles, and a delimiter must be neither a line break nor empty.
  delim_quote: "invalid-argument ",
  delim_newline: "invalid-argument ",
  delim_empty: "invalid-argument ",
  // Cells are limited only by the size of a record.
  cell_200k: [
    ["a", "b"],
    ["140000 xxxxxxxxxx", "1"],
  ],
  // Bytes stay as they are, whatever their encoding.
  invalid_utf8_cell: [
    ["a", "b"],
    [undefined, "1"],
  ],
  invalid_utf8_late: [
    ["a", "b"],
    ["1", "x"],
    ["2", undefined],
  ],
  latin1: [
    ["a", "b"],
    [undefined, "1"],
  ],
  latin1_declared: [
    ["a", "b"],
    [undefined, "1"],
  ],
  utf8_surrogate: [
    ["a", "b"],
    [undefined, "1"],
  ],
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
async function ourRows(golden: DialectGolden, numColumns: number): Promise<Answer> {
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
      expect(ours).toEqual(DECIDED[id] ?? theirs);
      if (id in DECIDED) expect(ours).not.toEqual(theirs);
    },
  );
});
