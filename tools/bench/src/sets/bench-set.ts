import type { ValueKind } from "./example-fields.js";
import type { Random } from "./random.js";
import type { ReverseWriter } from "./reverse-writer.js";

/** One feature of a set. */
export interface ColumnSpec {
  readonly name: string;
  readonly kind: ValueKind;
  /** Number of values that every record has; absent if it varies or a record may lack the feature. */
  readonly fixedLength?: number;
}

/** A synthetic set of records: its content, and a function that makes one record. */
export interface BenchSet {
  readonly name: string;
  readonly payload: "example" | "sequence-example";
  /** Features of an Example; of a SequenceExample those of its context. */
  readonly columns: readonly ColumnSpec[];
  /** Feature lists of a SequenceExample. */
  readonly sequenceColumns?: readonly ColumnSpec[];
  /** Rows of the batches that `decode` makes of it, over and over. Default: 4096 each. */
  readonly batchRows?: readonly number[];
  /** Records of 10 KB, of which a set of the usual size makes two batches: `decode` generates more of them. */
  readonly hasLongRecords?: true;
  /** Name of the set whose records, and file, these are too. */
  readonly recordsOf?: string;
  /** Draws all its randomness from `random`; the returned function writes one record's payload. */
  createRecordWriter(random: Random): (writer: ReverseWriter) => void;
}

const encoder = new TextEncoder();

/** UTF-8 bytes of a name or value. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}
