import type { ColumnRows } from "./column-rows.js";
import { type ColumnTable, isKey } from "./column-table.js";

/** Finds the columns of a record's entries. It guesses first, because many serializers keep the same order of names. */
export class ColumnOrder<C extends ColumnRows> {
  /** Position of the column that the next entry probably belongs to. */
  private predicted = 0;
  /** True while predictions hold. Two failed comparisons cost more than the hash lookup that must follow them. */
  private isOrdered = true;

  constructor(private readonly table: ColumnTable<C>) {}

  beginRecord(): void {
    this.predicted = 0;
  }

  /**
   * The column with the name at `start`; null if unknown. Tries the predicted column, then the next one (a record may omit one),
   * then a hash lookup.
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
