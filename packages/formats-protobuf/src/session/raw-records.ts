import { Column } from "../kernels/typescript/column.js";
import { Encoding } from "../kernels/encoding.js";
import { MemoryBudget } from "../kernels/memory-budget.js";

/** Collects a copy of the serialized record of each row. */
export class RawRecords {
  readonly column: Column = new Column({
    encoding: Encoding.bytes,
    isRepeated: false,
    budget: new MemoryBudget(),
  });

  /**
   * Appends the record from `start` to `end`, exclusive.
   * @throws {BatchTooLarge} if the records would exceed the limit of a batch or the available memory.
   */
  add(bytes: Uint8Array, start: number, end: number): void {
    const { column } = this;
    column.setBytes(column.itemOf(column.numItems), bytes, start, end);
  }

  /** Drops all records, but keeps the memory. */
  clear(): void {
    this.column.truncate(0);
  }
}
