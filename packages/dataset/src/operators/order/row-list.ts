/** References to rows of {@link RowSources}: no object per row, no copy until they are gathered. */
export class RowList {
  #source: Uint32Array = new Uint32Array(1024);
  #row: Uint32Array = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Number of the source of every reference. A view until the next push. */
  get source(): Uint32Array {
    return this.#source.subarray(0, this.#length);
  }

  /** Row of every reference in its source. A view until the next push. */
  get row(): Uint32Array {
    return this.#row.subarray(0, this.#length);
  }

  push(source: number, row: number): void {
    if (this.#length === this.#row.length) {
      this.#source = grown(this.#source);
      this.#row = grown(this.#row);
    }
    this.#source[this.#length] = source;
    this.#row[this.#length++] = row;
  }

  /** Moves reference `index` to the end of `target`; the last one takes its place. */
  moveTo(target: RowList, index: number): void {
    target.push(this.#source[index] as number, this.#row[index] as number);
    const last = --this.#length;
    this.#source[index] = this.#source[last] as number;
    this.#row[index] = this.#row[last] as number;
  }
}

function grown(array: Uint32Array): Uint32Array {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
