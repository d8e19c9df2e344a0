import { Random } from "@tfxio/wire";
import type { CsvKernel } from "../../src/kernels/csv-kernel.js";
import { typescriptCsvKernel } from "../../src/kernels/typescript/typescript-kernel.js";
import { drawCsv } from "./draw-csv.js";
import { tableLog } from "./table-log.js";

/** Compares a kernel with the TypeScript kernel on `numTexts` random texts. Returns the first difference, or null. */
export function firstDifference(kernel: CsvKernel, numTexts: number): object | null {
  const random = Random.of(1, 0);
  for (let index = 0; index < numTexts; index++) {
    const drawn = drawCsv(random);
    const found = tableLog(kernel, drawn);
    const expected = tableLog(typescriptCsvKernel, drawn);
    const at = found.findIndex((entry, step) => entry !== expected[step]);
    if (at < 0 && found.length === expected.length) continue;
    const pieces = drawn.pieces.map((piece) => new TextDecoder().decode(piece));
    return {
      index,
      pieces,
      plan: drawn.plan,
      before: found[at - 1],
      found: found[at],
      expected: expected[at],
    };
  }
  return null;
}
