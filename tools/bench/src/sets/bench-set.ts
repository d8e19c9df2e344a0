import type { ValueKind } from "./example-fields.js";
import type { Random } from "./random.js";
import type { ReverseWriter } from "./reverse-writer.js";

/** One feature of a set. */
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
  /** Rows of the batches that `decode` cuts, as a repeating sequence. Default: 4096 each. */
  readonly batchRows?: readonly number[];
  /** Records have about 10 KB. A set of the usual size would fill two batches only, so `decode` generates a larger one. */
  readonly hasLongRecords?: true;
  /** Name of the set that this one shares its records and file with. */
  readonly recordsOf?: string;
  /** Creates a function that writes one record's payload. All randomness comes from `random`. */
  createRecordWriter(random: Random): (writer: ReverseWriter) => void;
}

const encoder = new TextEncoder();

/** The UTF-8 bytes of a name or value. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}
