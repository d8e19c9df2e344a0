// Columns of feature lists. Their counterpart in TypeScript is src/kernels/typescript/feature-list-column.ts. Each row of such a
// column holds only its number of steps. A second column has one row per step, with the values of that step.
import { Column, IGNORED, LIST_NAME, NEVER, PLANNED } from "./column";
import { ampler, growRows, layOffsets } from "./column-growth";
import { dropKind, layPlanned } from "./column-kind";
import { makeColumn } from "./column-memory";
import { bitOf, discard, seek, sizeAt } from "./column-rows";
import { addColumn } from "./column-table";
import { UNSET } from "./wire-tags";

const FEW_STEPS: u32 = 64;
/** Maximum number of steps, as in src/kernels/typescript/feature-list-values.ts. Offsets for more would not fit in memory. */
export const MAX_STEPS: u32 = 0x3fff_0000;

// @ts-ignore: decorator
@inline
export function stepsOf(column: Column): Column {
  return changetype<Column>(column.steps);
}

/** Adds a column of feature lists. Returns its address, or 0 when memory runs out. */
export function addListColumn(key: usize, length: u32, role: u32, kind: u32): usize {
  const address = addColumn(key, length | LIST_NAME, role, UNSET);
  if (address == 0) return 0;
  const steps = makeColumn(0, 0, PLANNED, kind);
  if (steps == 0) return 0;
  changetype<Column>(address).steps = steps;
  changetype<Column>(steps).rowCapacity = FEW_STEPS;
  return address;
}

/** Sets the number of steps for which memory is allocated when the column gets its kind. */
export function hintSteps(column: Column, count: u32): void {
  stepsOf(column).rowCapacity = (min(max(count, FEW_STEPS), MAX_STEPS) + 63) & ~63;
}

/** Allocates the rows of a planned list, and sets its kind; false when memory runs out. */
export function layPlannedList(column: Column): bool {
  return column.role != PLANNED || (layOffsets(column) && layPlanned(stepsOf(column)));
}

/** Makes room for the row of a step; false when a limit is exceeded or memory runs out. */
export function reserveStep(steps: Column, step: u32): bool {
  if (step < steps.rowCapacity) return true;
  if (step >= MAX_STEPS) return false;
  const wanted = max(<u64>step + 1, ampler(steps.rowCapacity, step));
  return growRows(steps, (<u32>min(wanted, MAX_STEPS) + 63) & ~63);
}

/**
 * Removes the steps that follow the last completed row of the column. If the column's kind was found in these steps, clears the
 * kind.
 */
export function rewindSteps(column: Column): void {
  const steps = stepsOf(column);
  const count = column.numValues;
  if (steps.row > count) {
    if (steps.nullCount > 0) {
      for (let step = count; step < steps.row; step++) forgetBit(steps, step);
    }
    steps.row = count;
  }
  discard(steps);
  if (steps.kindRow != NEVER && steps.kindRow >= count) dropKind(steps);
}

function forgetBit(steps: Column, step: u32): void {
  const byte = steps.validity + (step >> 3);
  const bits = load<u8>(byte);
  if ((bits & bitOf(step)) == 0) steps.nullCount--;
  store<u8>(byte, bits & ~bitOf(step));
}

/** Undoes what was appended since the last row ended. */
export function discardSteps(column: Column): void {
  discard(column);
  rewindSteps(column);
}

/** Bytes that the column will have at `numRows` rows. */
export function listSizeAt(column: Column, numRows: u32): f64 {
  if (column.firstRow == NEVER || column.role >= IGNORED) return 0;
  return <f64>numRows * 4 + <f64>(numRows >> 3) + sizeAt(stepsOf(column), column.numValues);
}

/** Ends all rows and steps; false when memory runs out. */
export function finishList(column: Column, numRows: u32): bool {
  if (!seek(column, numRows)) return false;
  const steps = stepsOf(column);
  if (steps.kind == UNSET) return true;
  const count = column.numValues;
  return (count <= steps.rowCapacity || growRows(steps, count)) && seek(steps, count);
}
