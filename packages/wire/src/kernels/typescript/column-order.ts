import type { ColumnRows } from "./column-rows.js";
import { type ColumnTable, isKey } from "./column-table.js";

/** Finds the columns of a record's entries. Predicts them, because many serializers write names in the same order every time. */
export class ColumnOrder<C extends ColumnRows> {
  /** Index of the column that the next entry probably belongs to. */
  private predicted = 0;
  /**
   * False if the last hash lookup found a column other than the predicted one. Predictions are then skipped, since a wrong guess
   * costs more than a hash lookup.
   */
  private isOrdered = true;

  constructor(private readonly table: ColumnTable<C>) {}

  beginRecord(): void {
    this.predicted = 0;
  }

  /**
   * Returns the column whose name is at `start`, or null if there is none. Unless predictions are skipped, first tries the
   * predicted column, then the column after it, in case the record omits one. Falls back to a hash lookup.
   */
  find(bytes: Uint8Array, view: DataView, start: number, length: number): C | null {
    const { columns } = this.table;
    let position = this.predicted;
    let column: C | undefined;
    if (this.isOrdered) {
      column = columns[position];
      if (column !== undefined && isKey(column, bytes, view, start, length)) {
        this.predicted = position + 1 < columns.length ? position + 1 : 0;
        return column;
      }
      column = columns[++position];
      if (column !== undefined && isKey(column, bytes, view, start, length)) {
        this.predicted = position + 1 < columns.length ? position + 1 : 0;
        return column;
      }
    }
    position = this.table.find(bytes, view, start, length);
    if (position < 0) return null;
    this.isOrdered = position === this.predicted;
    this.predicted = position + 1 < columns.length ? position + 1 : 0;
    return columns[position]!;
  }
}
