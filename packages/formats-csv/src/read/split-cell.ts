import type { Dialect } from "../dialect.js";
import { CsvStatus } from "../kernels/csv-kernel.js";
import { CellScanner } from "../kernels/typescript/cell-scanner.js";

/**
 * Returns a function that splits a multivalent cell into items. Quotes and escapes in the cell follow the same rules as in the
 * file. For a cell that has a line break outside quotes, or ends within quotes or after an escape, the function returns
 * undefined.
 */
export function createCellSplitter(
  dialect: Dialect,
  secondaryDelimiter: Uint8Array,
): (cell: Uint8Array) => Uint8Array[] | undefined {
  const scanner = new CellScanner({ ...dialect, delimiter: secondaryDelimiter, multiline: true });
  return (cell) => {
    if (cell.length === 0) return [];
    Object.assign(scanner, { bytes: cell, length: cell.length, isLast: true });
    const items: Uint8Array[] = [];
    for (let at = 0; ; at = scanner.nextCell) {
      if (scanner.scan(at) !== CsvStatus.ok) return undefined;
      items.push(scanner.text.slice(scanner.start, scanner.end));
      if (scanner.next >= cell.length) return items;
      // A line break.
      if (scanner.nextCell < 0) return undefined;
    }
  };
}
