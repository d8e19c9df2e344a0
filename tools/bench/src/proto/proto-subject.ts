import type { MessageType } from "@tfxio/formats-protobuf";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** Rows of a batch. */
export const batchRows = 4096;

/** Records of a set, and the result that every subject must produce. */
export interface ProtoInput {
  readonly records: readonly Uint8Array[];
  readonly type: MessageType;
  /** Of the batches. */
  readonly arrowSchema: ArrowSchema;
  /** The records as a file, each after its length as a little-endian uint32. */
  readonly path: string;
}

/** Turns records into columns. */
export interface ProtoSubject {
  readonly name: string;
  /** The reason why the subject cannot run. */
  prepare(input: ProtoInput): Promise<PreparedProto | { readonly absent: string }>;
}

/** A subject and its records. */
export interface PreparedProto {
  /** Decodes all records once; resolves to the seconds that it took. */
  run(): Promise<number>;
  /** What it decoded: batches, or how many values a peer in another process found. */
  decoded(): Promise<readonly RecordBatch[] | { readonly numValues: number }>;
}

/** A subject of this process, which is given batches' worth of records. */
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
