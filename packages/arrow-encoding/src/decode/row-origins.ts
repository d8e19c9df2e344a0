import type { ErrorLocation } from "@tfxio/wire";

/** Locations of the records from which the rows of the unfinished batch were decoded. One entry per push. */
export class RowOrigins {
  /** First row of each push, ascending. */
  readonly #firstRows: number[] = [];
  readonly #first: ErrorLocation[] = [];

  /**
   * Adds rows that start at `firstRow`. `first` is the location of that row's record. It has no index if this push skipped
   * records.
   */
  add(firstRow: number, first: ErrorLocation): void {
    this.#firstRows.push(firstRow);
    this.#first.push(first);
  }

  /** Returns what is known about the location of a row's record. */
  locate(row: number): ErrorLocation {
    const index = this.#firstRows.findLastIndex((firstRow) => firstRow <= row);
    const { uri, recordIndex } = this.#first[index] ?? {};
    if (recordIndex === undefined) return { uri };
    return { uri, recordIndex: recordIndex + row - (this.#firstRows[index] as number) };
  }

  clear(): void {
    this.#firstRows.length = 0;
    this.#first.length = 0;
  }
}
