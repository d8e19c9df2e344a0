import type { RecordBatch } from "apache-arrow";
import type { AbsentSubject } from "../decode/subject.js";
import type { BenchSet } from "../sets/bench-set.js";

/** The rows to encode. They are the same for every subject. */
export interface EncodeInput {
  readonly set: BenchSet;
  readonly batches: readonly RecordBatch[];
  readonly numRecords: number;
  /** Path of the TFRecord file with the same rows, for a subject in a separate process. */
  readonly path: string;
}

/** A subject that is ready to encode one set. */
export interface PreparedEncoding {
  /** Encodes every row. Resolves to the time in seconds. */
  run(): Promise<number>;
  /** Encodes every row without timing it. Resolves to one serialized tf.Example per row, or to all of them as TFRecords. */
  records(): Promise<readonly Uint8Array[] | { readonly tfRecords: Uint8Array }>;
}

/** One way to encode record batches as serialized tf.Examples. */
export interface EncodeSubject {
  readonly name: string;
  prepare(input: EncodeInput): Promise<PreparedEncoding | AbsentSubject>;
}

/** Creates a subject that runs on this thread. `create` returns a function that encodes a batch. */
export function inProcessEncoding(
  name: string,
  create: (input: EncodeInput) => (batch: RecordBatch) => readonly Uint8Array[],
): EncodeSubject {
  return {
    name,
    prepare: async (input) => {
      const encode = create(input);
      return {
        run: async () => {
          const start = performance.now();
          for (const batch of input.batches) encode(batch);
          return (performance.now() - start) / 1000;
        },
        records: async () => input.batches.flatMap((batch) => encode(batch)),
      };
    },
  };
}
