import { gatherRows } from "@tfxio/arrow-encoding";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** A list of rows held by reference to their batches. A reference keeps its whole batch alive. */
export class RowReferences {
  readonly #batches: RecordBatch[] = [];
  readonly #rows: number[] = [];
  readonly #schema: ArrowSchema;

  constructor(schema: ArrowSchema) {
    this.#schema = schema;
  }

  get length(): number {
    return this.#rows.length;
  }

  append(batch: RecordBatch, row: number): void {
    this.#batches.push(batch);
    this.#rows.push(row);
  }

  /** Moves the reference at `index` to the end of `target`; `batch` and `row` take its place. */
  replace(index: number, batch: RecordBatch, row: number, target: RowReferences): void {
    target.append(this.#batches[index] as RecordBatch, this.#rows[index] as number);
    this.#batches[index] = batch;
    this.#rows[index] = row;
  }

  /** Moves the reference at `index` to the end of `target`; the last reference takes its place. */
  remove(index: number, target: RowReferences): void {
    const batch = this.#batches.pop() as RecordBatch;
    const row = this.#rows.pop() as number;
    if (index === this.length) target.append(batch, row);
    else this.replace(index, batch, row, target);
  }

  /** The rows as one batch with buffers of its own. */
  toBatch(): RecordBatch {
    const batches: RecordBatch[] = [];
    const positions = new Map<RecordBatch, number>();
    const source = Uint32Array.from(this.#batches, (batch) => {
      let position = positions.get(batch);
      if (position === undefined) {
        position = batches.push(batch) - 1;
        positions.set(batch, position);
      }
      return position;
    });
    const start = Uint32Array.from(this.#rows);
    return gatherRows(batches, this.#schema, {
      count: this.length,
      source,
      start,
      end: start.map((row) => row + 1),
    });
  }

  /** Lets the batches go by copying the rows into a batch that holds nothing else. */
  compact(): void {
    const batch = this.toBatch();
    this.#batches.fill(batch);
    for (let row = 0; row < this.length; row++) this.#rows[row] = row;
  }

  clear(): void {
    this.#batches.length = 0;
    this.#rows.length = 0;
  }
}
