import type { ErrorLocation } from "@tfxio/wire";

/** The records from which the rows of the unfinished batch came. */
export class RowOrigins {
  readonly #firstRows: number[] = [];
  readonly #first: ErrorLocation[] = [];

  /** Adds rows starting at `firstRow`. `first` locates its record, without an index if some of the records were skipped. */
  add(firstRow: number, first: ErrorLocation): void {
    this.#firstRows.push(firstRow);
    this.#first.push(first);
  }

  /** The known location of a row's record. */
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
