import type { ValueKind } from "./example-fields.js";
import type { Random } from "./random.js";
import type { ReverseWriter } from "./reverse-writer.js";

/** One feature of a set, or one column of a table. */
export interface ColumnSpec {
  readonly name: string;
  readonly kind: ValueKind;
  /** Number of values in every record; absent if it varies, or if a record may lack the feature. */
  readonly fixedLength?: number;
}

/** A synthetic set of records: its features, and a generator of records. */
export interface BenchSet {
  readonly name: string;
  readonly payload: "example" | "sequence-example";
  /** Features of an Example, or of the context of a SequenceExample. */
  readonly columns: readonly ColumnSpec[];
  /** Feature lists of a SequenceExample. */
  readonly sequenceColumns?: readonly ColumnSpec[];
  /** Numbers of rows of successive batches in `decode`. The sequence repeats. Default: 4096 in each batch. */
  readonly batchRows?: readonly number[];
  /**
   * True if a record is about 10 KB long. A set of the default size would fill only two batches, so `decode` uses a larger set.
   */
  readonly hasLongRecords?: true;
  /** Name of the set with the same records, whose file this set uses. Absent if this set has its own file. */
  readonly recordsOf?: string;
  /** Creates a function that writes the payload of one record. It must take all random values from `random`. */
  createRecordWriter(random: Random): (writer: ReverseWriter) => void;
}

const encoder = new TextEncoder();

/** Encodes a name or value as UTF-8. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}
