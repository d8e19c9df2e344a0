import { recordBatchOf } from "@tfxio/arrow-encoding";
import { ArgumentError, type RecordBlock } from "@tfxio/wire";
import { Binary, Field, makeData, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { BatchMemory, Growable, RowEnds } from "./growable.js";

/** Collects the unchanged bytes of a batch's records. */
export class RawRecords {
  readonly #memory: BatchMemory;
  readonly #bytes: Growable<Uint8Array>;
  readonly #ends: RowEnds;

  constructor(uri: string, maxBytes: number) {
    this.#memory = new BatchMemory(maxBytes, uri);
    this.#bytes = new Growable<Uint8Array>(new Uint8Array(0), this.#memory);
    this.#ends = new RowEnds(this.#memory);
  }

  /** Bytes allocated so far. */
  get numBytes(): number {
    return this.#memory.numBytes;
  }

  /** Copies the record at index `at` of the block. @throws {RecordError} `limit-exceeded` (`batch-too-large`). */
  add({ bytes, starts, ends }: RecordBlock, at: number): void {
    const record = bytes.subarray(starts[at], ends[at]);
    this.#bytes.reserve(record.length).set(record, this.#bytes.length);
    this.#bytes.length += record.length;
    this.#ends.end(this.#bytes.length);
  }

  /** Returns the batch with the collected records as its last column, of type Binary. Each row must have one record. */
  addTo(batch: RecordBatch, name: string): RecordBatch {
    const { numRows: length } = batch;
    const valueOffsets = this.#ends.taken();
    const column = makeData({ type: new Binary(), length, valueOffsets, data: this.#bytes.taken() });
    return recordBatchOf(withRawField(batch.schema, name), length, [...batch.data.children, column]);
  }
}

/**
 * Returns the schema with the column of raw records appended, or the schema itself if `name` is undefined.
 * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`) if another column has that name.
 */
export function withRawField(schema: ArrowSchema, name: string | undefined): ArrowSchema {
  if (name === undefined) return schema;
  if (schema.fields.some((field) => field.name === name)) {
    const message = `The raw record column "${name}" has the same name as another column.`;
    throw new ArgumentError("invalid-argument", message, {
      reason: "raw-column-collision",
      argument: "rawRecordColumn",
    });
  }
  return new ArrowSchema([...schema.fields, new Field(name, new Binary(), false)], schema.metadata);
}
