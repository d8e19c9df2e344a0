import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { compileWasm } from "@tfxio/wire/kernels";
import { createWasmTable } from "../../src/kernels/wasm/wasm-table.js";
import { compileAssembly } from "./compile-assembly.js";
import { firstDifference } from "./first-difference.js";

/** Bugs to plant in a copy of the sources: `wrong` replaces `right`. */
const bugs: readonly { file: string; about: string; right: string; wrong: string }[] = [
  {
    file: "cell.as",
    about: "a quote at the end of a chunk always ends its cell",
    right: "if (next == end && !isLast) return INCOMPLETE;",
    wrong: "",
  },
  {
    file: "cell.as",
    about: "the search for the end of a cell stops within sixteen bytes",
    right: "if (found != 0) return p + <usize>ctz(found);",
    wrong: "return p + min<usize>(15, <usize>ctz(found));",
  },
  {
    file: "cell.as",
    about: "doubled quotes are one quote even if doubledQuote is off",
    right: "isWithin = doubledQuote && p + 1 < end",
    wrong: "isWithin = p + 1 < end",
  },
  {
    file: "plain-cells.as",
    about: "one byte between two blocks is skipped",
    right: "block += BLOCK_BYTES;",
    wrong: "block += BLOCK_BYTES + 1;",
  },
  {
    file: "plain-cells.as",
    about: "a line feed in memory beyond the end of the input ends a record",
    right: "if (at < end && isLineBreak(byte))",
    wrong: "if (isLineBreak(byte))",
  },
  {
    file: "digits.as",
    about: "any byte counts as a decimal point",
    right: " && load<u8>(end - MAX_LANES + ctz(others)) == POINT",
    wrong: "",
  },
  {
    file: "digits.as",
    about: "the digit before the decimal point is removed instead of the point",
    right: "v128.load(ONES + 31 - lane)",
    wrong: "v128.load(ONES + 32 - lane)",
  },
  {
    file: "numbers.as",
    about: "a value near the midpoint between two float32 values is not deferred",
    right: "if (distance <= DOUBT && distance >= -DOUBT) return false;",
    wrong: "",
  },
  {
    file: "numbers.as",
    about: "only the first digits of an integer are checked",
    right: "if (!areDigits(bytes)) return false;\n    value",
    wrong: "value",
  },
  {
    file: "columns.as",
    about: "a discarded row keeps its null bits",
    right: "store<u8>(byte, load<u8>(byte) & ~<u8>(<u32>1 << (row & 7)));",
    wrong: "",
  },
  {
    file: "columns.as",
    about: "a discarded row keeps its text",
    right: "store<u32>(column, load<u32>(<usize>load<u32>(column, VALUES) + ((<usize>row) << 2)), DATA_END);",
    wrong: "",
  },
  {
    file: "deferred.as",
    about: "cells of a discarded row stay deferred",
    right: "textEnd = load<u32>(entry, 8);\n    numEntries--;",
    wrong: "return;",
  },
  {
    file: "record.as",
    about: "a CR at the end of a chunk always ends its record",
    right: "return isLast ? end : 0;",
    wrong: "return end;",
  },
  {
    file: "index.as",
    about: "a batch is full one row too late",
    right: "<f64>numRows >= maxRows",
    wrong: "<f64>numRows > maxRows",
  },
];

// The test of each bug takes two seconds, so these tests run only in `pnpm check`.
const isAsked = process.env["TFXIO_PLANTED_BUGS"] === "1";

(isAsked ? describe : describe.skip)("the differential test of the tokenizer", () => {
  const source = path.join(import.meta.dirname, "../../assembly");
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "tfxio-csv-bugs-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const difference = (): unknown => {
    const module = compileWasm(compileAssembly(folder).toString("base64"));
    try {
      return firstDifference({ name: "wasm", createTable: (plan) => createWasmTable(module, plan) }, 4000);
    } catch (error) {
      return error;
    }
  };

  test("finds no difference in the unchanged sources", () => {
    cpSync(source, folder, { recursive: true });
    expect(difference()).toBeNull();
  }, 120_000);

  test.each(bugs)(
    "finds a bug in $file: $about",
    ({ file, right, wrong }) => {
      const text = readFileSync(path.join(source, file), "utf8");
      expect(text.split(right)).toHaveLength(2);
      cpSync(source, folder, { recursive: true });
      writeFileSync(path.join(folder, file), text.replace(right, wrong));
      expect(difference()).not.toBeNull();
    },
    120_000,
  );
});
