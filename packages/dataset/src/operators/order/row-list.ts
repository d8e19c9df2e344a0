import type { Random } from "@tfxio/wire";

/** A list of references to rows of `RowSources`. Allocates no object per row. Rows are copied only when they are gathered. */
export class RowList {
  #source: Uint32Array = new Uint32Array(1024);
  #row: Uint32Array = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The source number of each reference. A view, valid until the list changes. */
  get source(): Uint32Array {
    return this.#source.subarray(0, this.#length);
  }

  /** The row of each reference within its source. A view, valid until the list changes. */
  get row(): Uint32Array {
    return this.#row.subarray(0, this.#length);
  }

  push(source: number, row: number): void {
    this.#reserve(1);
    this.#source[this.#length] = source;
    this.#row[this.#length++] = row;
  }

  /** Adds references to `numRows` rows of one source, starting at `firstRow`. */
  pushRows(source: number, firstRow: number, numRows: number): void {
    this.#reserve(numRows);
    this.#source.fill(source, this.#length, this.#length + numRows);
    for (let k = 0; k < numRows; k++) this.#row[this.#length + k] = firstRow + k;
    this.#length += numRows;
  }

  /**
   * Draws `count` references, each uniformly from those left, and moves them to the end of `target`. After each draw, the last
   * reference takes the place of the one that was drawn. `count` must not exceed the length of the list.
   */
  draw(random: Random, target: RowList, count: number): void {
    target.#reserve(count);
    for (let k = 0; k < count; k++) {
      target.#takeFrom(this, random.below(this.#length));
      this.#length--;
    }
  }

  /**
   * Draws like {@link draw}, but adds a reference to the next row of `source` after each draw, so that the list keeps its length.
   * The first of these rows is `firstRow`.
   */
  drawAndRefill(random: Random, target: RowList, source: number, firstRow: number, count: number): void {
    target.#reserve(count);
    const last = this.#length - 1;
    for (let k = 0; k < count; k++) {
      target.#takeFrom(this, random.below(this.#length));
      this.#source[last] = source;
      this.#row[last] = firstRow + k;
    }
  }

  /**
   * Appends the reference at `index` in `list`, and moves the last reference of `list` to that index. The caller must have
   * reserved room.
   */
  #takeFrom(list: RowList, index: number): void {
    const last = list.#length - 1;
    this.#source[this.#length] = list.#source[index] as number;
    this.#row[this.#length++] = list.#row[index] as number;
    list.#source[index] = list.#source[last] as number;
    list.#row[index] = list.#row[last] as number;
  }

  /** Makes room for `numRows` more references. */
  #reserve(numRows: number): void {
    const length = this.#length + numRows;
    if (length <= this.#row.length) return;
    this.#source = grown(this.#source, length);
    this.#row = grown(this.#row, length);
  }
}

function grown(array: Uint32Array, minLength: number): Uint32Array {
  const larger = new Uint32Array(Math.max(array.length * 2, minLength));
  larger.set(array);
  return larger;
}
