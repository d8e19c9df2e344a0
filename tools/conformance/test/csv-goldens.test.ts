import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { runCases } from "../src/run.js";
import { readCases } from "../src/vector-file.js";

// Results of tfx-bsl 1.21.0. Tests of formats-csv compare our results for the same inputs with those of Python's csv.
const file = path.resolve(import.meta.dirname, "../../../../shared/goldens/csv/csv_decoder.json");

/** Cases with deliberate differences. docs/formats/csv.md gives the reasons. */
const decided = [
  // We reject empty and duplicate column names, even if the caller passes them.
  "golden_header_all_empty",
  "golden_header_duplicate",
  "golden_header_duplicate_3",
  // We reject data that ends inside quotes. If a line ends inside quotes, tfx_bsl reads the line and a copy of it as one record.
  "golden_quote_unclosed",
  "golden_quote_unclosed_last",
  "golden_quote_lone_quote",
  "golden_quote_unclosed_then_rows",
  // We read cells that contain line ends. tfx_bsl splits such cells.
  "golden_quote_newline",
  "golden_quote_crlf_inside",
  "golden_quote_newline_last_cell",
  "golden_quote_many_newlines",
  "golden_quote_multiline_default_pyarrow",
  // A lone CR ends a record, as in Python's csv and pyarrow, so the row before it is too short.
  "golden_quote_cr_inside_unquoted",
  // We reject a delimiter that also has another meaning: a quote or a line end.
  "golden_delim_quote",
  "golden_delim_newline",
];

(existsSync(file) ? describe : describe.skip)("the results of tfx-bsl for CSV", () => {
  test("equal ours, except for deliberate differences", async () => {
    const failed: string[] = [];
    let numPassed = 0;
    for await (const { vector, outcome } of runCases(readCases([file]))) {
      if (outcome.status === "passed") numPassed++;
      else failed.push(vector.name);
    }
    expect(failed.sort()).toEqual(decided.sort());
    expect(numPassed).toBeGreaterThan(140);
  });
});
