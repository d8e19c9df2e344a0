import { describe, expect, test } from "@jest/globals";
import { Random } from "@tfxio/wire";
import { CellKind, type CsvKernel, type TablePlan } from "../src/kernels/csv-kernel.js";
import { typescriptCsvKernel } from "../src/kernels/typescript/typescript-kernel.js";
import { createWasmCsvKernel } from "../src/kernels/wasm/wasm-kernel.js";
import { floatOfCell, int64OfCell, typeOfCell } from "../src/numbers/python-numbers.js";

const utf8 = new TextEncoder();
const kernels = [typescriptCsvKernel, createWasmCsvKernel()];

/** Results of CPython 3.11 for `int(text)` and `float(text)`. Undefined for a ValueError. */
const answers: readonly [text: string, int: bigint | undefined, float: number | undefined][] = [
  ["1\x0b", 1n, 1],
  ["\x0c1", 1n, 1],
  ["1\x1c", undefined, undefined],
  [" 1\n", 1n, 1],
  ["1_0", 10n, 10],
  ["1__0", undefined, undefined],
  ["_1", undefined, undefined],
  ["1_", undefined, undefined],
  ["+-1", undefined, undefined],
  ["+ 1", undefined, undefined],
  ["1e5", undefined, 1e5],
  ["1_0e1_0", undefined, 1e11],
  ["1._5", undefined, undefined],
  ["1_.5", undefined, undefined],
  [".5", undefined, 0.5],
  [".", undefined, undefined],
  ["5.", undefined, 5],
  ["e5", undefined, undefined],
  ["1e+", undefined, undefined],
  ["infinity", undefined, Infinity],
  ["-inF", undefined, -Infinity],
  ["-nan", undefined, NaN],
  ["nan(1)", undefined, undefined],
  ["0x10", undefined, undefined],
  ["1_000.5", undefined, 1000.5],
  ["", undefined, undefined],
  ["  ", undefined, undefined],
  ["1\x00", undefined, undefined],
  ["0_0", 0n, 0],
  ["-0", 0n, -0],
  [" - 1", undefined, undefined],
  ["9223372036854775807", 9223372036854775807n, 2 ** 63],
  ["-9223372036854775808", -9223372036854775808n, -(2 ** 63)],
];

test.each(answers)("%j is parsed as in Python", (text, int, float) => {
  const bytes = utf8.encode(text);
  expect(int64OfCell(bytes)).toBe(int);
  expect(floatOfCell(bytes)).toBe(float);
  expect(typeOfCell(bytes)).toBe(int === undefined ? (float === undefined ? 3 : 2) : 1);
});

test("an integer outside int64 is text, as in tfx_bsl, although Python accepts it", () => {
  for (const text of ["9223372036854775808", "-9223372036854775809", "9".repeat(40)]) {
    expect(int64OfCell(utf8.encode(text))).toBeUndefined();
    expect(typeOfCell(utf8.encode(text))).toBe(3);
  }
});

/** Parses the cells as one column of a table. Returns the column and the rows of deferred cells. */
function column(kernel: CsvKernel, kind: CellKind, cells: readonly string[]) {
  const plan: TablePlan = {
    dialect: {
      delimiter: Uint8Array.of(0x2c),
      quote: Uint8Array.of(0x22),
      escape: -1,
      comment: -1,
      doubledQuote: true,
      multiline: true,
      skipBlankLines: true,
    },
    nullMarkers: [],
    quotedNulls: true,
    kinds: [kind],
    numCells: 1,
    skipsBadRows: false,
    keepsBounds: false,
    maxRecordBytes: 1e6,
  };
  const table = kernel.createTable(plan);
  table.append(utf8.encode(cells.join("\n")));
  const { deferred } = table.push(true, { maxRows: 1e9, maxBytes: 1e9 });
  return { values: table.column(0), left: new Set(deferred.map(({ row }) => row)) };
}

describe.each(kernels)("the $name kernel", (kernel) => {
  test("rounds decimals to the nearest float64 and then to float32, or defers them to its caller", () => {
    const random = Random.of(7, 0);
    const digits = (count: number): string => Array.from({ length: count }, () => random.below(10)).join("");
    const midpoints = Array.from({ length: 2000 }, () => {
      const lower = Math.fround(random.next() * 2 ** (random.below(60) - 40));
      // The midpoint between this float32 and the next, rounded to 17 to 20 digits.
      const half = lower + 2 ** (Math.floor(Math.log2(lower || 1)) - 24);
      return half.toPrecision(17 + random.below(4));
    });
    const drawn = Array.from({ length: 5000 }, () => {
      const exponent = random.below(3) > 0 ? "" : `e${random.below(70) - 35}`;
      return `${random.below(2) === 0 ? "-" : ""}${digits(1 + random.below(12))}.${digits(random.below(14))}${exponent}`;
    });
    const fixed = [
      "16777217",
      "16777217.0000001",
      "33554431",
      "1e22",
      "1e23",
      "3.4028235677973366e38",
      "1.4e-45",
      "0.1",
    ];
    const cells = [...fixed, ...midpoints, ...drawn];
    const { values, left } = column(kernel, CellKind.float32, cells);
    const wrong = cells.filter(
      (cell, row) => !left.has(row) && !Object.is(values.float32?.[row], Math.fround(Number(cell))),
    );
    expect(wrong).toEqual([]);
    // Fewer than a quarter of typical numbers are deferred.
    expect(drawn.filter((_, index) => left.has(fixed.length + midpoints.length + index)).length).toBeLessThan(
      drawn.length / 4,
    );
  });

  test("parses integers exactly, or defers them to its caller", () => {
    const random = Random.of(9, 0);
    const cells = Array.from({ length: 5000 }, () => {
      const length = 1 + random.below(19);
      const text = Array.from({ length }, () => random.below(10)).join("");
      return `${["", "-", "+"][random.below(3)]}${text}`;
    });
    const { values, left } = column(kernel, CellKind.int64, cells);
    const wrong = cells.filter(
      (cell, row) => !left.has(row) && values.int64?.[row] !== BigInt(cell.replace("+", "")),
    );
    expect(wrong).toEqual([]);
    expect(left.size).toBeLessThan(cells.length / 2);
  });
});
