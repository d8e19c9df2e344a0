import type { MessageType } from "@tfxio/formats-protobuf";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** Number of rows in a batch. */
export const batchRows = 4096;

/** The records of a set, and the schema of the result. */
export interface ProtoInput {
  readonly records: readonly Uint8Array[];
  readonly type: MessageType;
  /** Schema of the batches to produce. */
  readonly arrowSchema: ArrowSchema;
  /** Path of a file with the same records, each preceded by its length as a little-endian uint32. */
  readonly path: string;
}

/** One way to decode records. */
export interface ProtoSubject {
  readonly name: string;
  /** Resolves to the prepared subject, or to the reason why it cannot run on this machine. */
  prepare(input: ProtoInput): Promise<PreparedProto | { readonly absent: string }>;
}

/** A subject that is ready to decode its records. */
export interface PreparedProto {
  /** Decodes all records once. Resolves to the time in seconds. */
  run(): Promise<number>;
  /** Decodes all records. Resolves to the batches, or to the number of values if the subject runs in a separate process. */
  decoded(): Promise<readonly RecordBatch[] | { readonly numValues: number }>;
}

/**
 * Creates the `prepare` method of a subject that runs in this process.
 * @param decodeAll Returns a function that decodes all records of the input.
 */
export function inProcess(
  decodeAll: (input: ProtoInput) => () => readonly RecordBatch[],
): ProtoSubject["prepare"] {
  return async (input) => {
    const decode = decodeAll(input);
    return {
      run: async () => {
        const start = performance.now();
        decode();
        return (performance.now() - start) / 1000;
      },
      decoded: async () => decode(),
    };
  };
}
