import { type ColumnRole, ColumnRows } from "./column-rows.js";
import { ExampleColumn } from "./example-column.js";
import type { FeatureKind, FeatureListBuffers } from "../kernels.js";

/**
 * A column of feature lists in the making: rows of steps, and the steps of all rows as a column of their own, whose
 * rows are counted through the batch. `numValues` is the number of steps, those without kind included.
 */
export class FeatureListColumn extends ColumnRows {
  readonly steps: ExampleColumn;

  constructor(name: string, role: ColumnRole, plannedKind?: FeatureKind) {
    super(name, role);
    this.steps = new ExampleColumn(name, "planned", plannedKind);
  }

  /** Takes back what was appended since the last row ended. */
  discard(): void {
    this.numValues = this.numCommitted;
    this.steps.clear(this.numValues);
  }

  /** Takes `row` back, if it was the last to end, and a kind that was found in it. */
  clear(row: number): void {
    this.rewind(row);
    this.discard();
  }

  /** Takes back every trace of `row`. */
  forget(row: number): void {
    this.clear(row);
    if (this.firstRow === row && this.role !== "planned") this.firstRow = -1;
  }

  /** Bytes that the column will have at `numRows` rows. */
  sizeAt(numRows: number): number {
    return this.firstRow < 0 ? 0 : this.rowsSize(numRows) + this.steps.sizeAt(this.numValues);
  }

  /** Hands out the buffers of `numRows` rows. */
  take(numRows: number): FeatureListBuffers {
    const rows = this.takeRows(numRows);
    const steps = this.steps.take(this.numValues);
    this.restartRows();
    return { name: this.name, ...rows, steps };
  }

  /** Empties the column for the next batch. */
  restart(): void {
    this.restartRows();
    this.steps.restart();
  }
}
