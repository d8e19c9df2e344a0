import { type ColumnRole, ColumnRows } from "./column-rows.js";
import { ExampleColumn } from "./example-column.js";
import type { FeatureKind, FeatureListBuffers } from "../kernels.js";

/**
 * A column of feature lists under construction. Each row is a list of steps. The steps of all rows form a separate column, with
 * one row per step. `numValues` is the number of steps, including steps without a kind.
 */
export class FeatureListColumn extends ColumnRows {
  readonly steps: ExampleColumn;

  constructor(name: string, role: ColumnRole, plannedKind?: FeatureKind) {
    super(name, role);
    this.steps = new ExampleColumn(name, "planned", plannedKind);
  }

  /** Removes the steps that were appended after the last finished row. */
  discard(): void {
    this.numValues = this.numCommitted;
    this.steps.clear(this.numValues);
  }

  /** Removes `row` if it was the last finished row, and the kind if that row introduced it. */
  clear(row: number): void {
    this.rewind(row);
    this.discard();
  }

  /** Removes `row` as if its record had never been read. */
  forget(row: number): void {
    this.clear(row);
    if (this.firstRow === row && this.role !== "planned") this.firstRow = -1;
  }

  /** Returns the size in bytes of the column if it has `numRows` rows. */
  sizeAt(numRows: number): number {
    return this.firstRow < 0 ? 0 : this.rowsSize(numRows) + this.steps.sizeAt(this.numValues);
  }

  /** Returns the buffers of `numRows` rows, and empties the column. The caller owns the buffers. */
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
