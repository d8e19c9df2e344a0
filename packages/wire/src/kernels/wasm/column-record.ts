import { FeatureKind } from "../kernels.js";
import { LIST_NAME } from "./column-description.js";
import type { KernelInstance } from "./kernel-instance.js";

/** The value of `firstRow` for a name that has not occurred. */
const NEVER = 0xffff_ffff;

/** A column in an instance's batch. Reads the column's fields, declared in assembly/column.as, from the instance's memory. */
export class ColumnRecord {
  readonly #instance: KernelInstance;
  readonly #at: number;

  constructor(instance: KernelInstance, address: number) {
    this.#instance = instance;
    this.#at = address >>> 2;
  }

  /** Address of the column that was created after this one, or 0 for the last column. */
  get next(): number {
    return this.#word(21);
  }

  get kind(): FeatureKind {
    return this.#word(18) as FeatureKind;
  }

  /** True if the column's name has occurred in the batch, or was planned. */
  get isSighted(): boolean {
    return this.#word(20) !== NEVER;
  }

  get nullCount(): number {
    return this.#word(9);
  }

  get numValues(): number {
    return this.#word(10);
  }

  /** Length of the data of a bytes column. */
  get numBytes(): number {
    return this.#word(11);
  }

  // Addresses of the column's buffers in the instance's memory.
  get offsets(): number {
    return this.#word(12);
  }

  get validity(): number {
    return this.#word(17);
  }

  get values(): number {
    return this.#word(13);
  }

  get valueOffsets(): number {
    return this.#word(16);
  }

  /** The kind that was found in the mismatching entry. In a column of steps, it is the expected kind instead. */
  get mismatchKind(): FeatureKind {
    return this.#word(29) as FeatureKind;
  }

  /** True for a feature list, whose values are {@link steps}. */
  get isList(): boolean {
    return this.#word(4) >= LIST_NAME;
  }

  /** The column of the steps, with one row for each value of this column. */
  get steps(): ColumnRecord {
    return new ColumnRecord(this.#instance, this.#word(30));
  }

  /** A copy of the name in UTF-8. */
  get key(): Uint8Array<ArrayBuffer> {
    const start = this.#at * 4 + this.#instance.exports.keyOffset();
    return this.#instance.bytes.slice(start, start + (this.#word(4) % LIST_NAME));
  }

  get valueSize(): number {
    return this.kind === FeatureKind.int64 ? 8 : this.kind === FeatureKind.float ? 4 : 1;
  }

  #word(index: number): number {
    return this.#instance.words[this.#at + index]!;
  }
}
