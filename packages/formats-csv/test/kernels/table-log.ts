import { CellKind, CsvStatus, type CsvKernel, type CsvTable } from "../../src/kernels/csv-kernel.js";
import { floatOfCell, int64OfCell } from "../../src/numbers/python-numbers.js";
import type { DrawnCsv } from "./draw-csv.js";

/** Logs everything that a table reports, step by step. Fills in deferred cells, because kernels may defer different cells. */
export function tableLog(kernel: CsvKernel, { plan, pieces, maxRows, maxBytes }: DrawnCsv): string[] {
  const table = kernel.createTable(plan);
  const log: unknown[] = [];
  const push = (isLast: boolean): boolean => {
    const { deferred, starts, ends, failedAt, numCells, ...others } = table.push(isLast, {
      maxRows,
      maxBytes,
    });
    for (const { column, row, bytes, recordStart, record } of deferred) {
      const { int64, float32 } = table.column(column);
      const value = int64 ? int64OfCell(bytes) : float32 ? floatOfCell(bytes) : undefined;
      // The slot of a cell that is not a number may hold an earlier value, so set it to 0.
      if (int64) int64[row] = BigInt(value ?? 0);
      if (float32) float32[row] = Number(value ?? 0);
      if (value !== undefined) continue;
      const first = table.input(recordStart, recordStart + 1)[0];
      log.push(["left", column, row, [...bytes], recordStart, record, first]);
    }
    const failed = others.status === CsvStatus.cellCount ? { failedAt, numCells } : { failedAt };
    log.push({ ...others, ...failed, starts: [...starts], ends: [...ends], rows: table.numRows });
    if (others.isFull || isLast) {
      log.push(plan.kinds.map((kind, index) => columnValues(table, kind, index)));
      table.clear();
    }
    return others.status === CsvStatus.ok && others.isFull;
  };
  for (const piece of pieces) {
    table.append(piece);
    while (push(false));
  }
  while (push(true));
  return log.map((entry) => JSON.stringify(entry, plain));
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "number") return value;
  return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value);
}

function columnValues(table: CsvTable, kind: CellKind, index: number): unknown[] {
  const { nulls, int64, float32, offsets, data } = table.column(index);
  return Array.from({ length: kind === CellKind.skip ? 0 : table.numRows }, (_, row) => {
    if (((nulls[row >> 3] ?? 0) & (1 << (row & 7))) !== 0) return null;
    if (kind === CellKind.nothing) return "left";
    return int64?.[row] ?? float32?.[row] ?? [...data!.subarray(offsets![row], offsets![row + 1])];
  });
}
