import type { ErrorLocation } from "@tfxio/wire";

/** Where the rows of the batch in the making came from. */
export class RowOrigins {
  readonly #firstRows: number[] = [];
  readonly #first: ErrorLocation[] = [];

  /** Rows from `firstRow` on; `first` is the record of that one, without a number if records in between gave no row. */
  add(firstRow: number, first: ErrorLocation): void {
    this.#firstRows.push(firstRow);
    this.#first.push(first);
  }

  /** What is known of the record that a row was. */
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
