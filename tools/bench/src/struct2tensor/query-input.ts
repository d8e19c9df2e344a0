import type { MessageType } from "@tfxio/formats-protobuf";
import type { QuerySet } from "./query-sets.js";

/** Records of a batch: the largest of struct2tensor's own benchmark. */
export const batchRecords = 2048;

/** A query and the records that every subject runs it over. */
export interface QueryInput {
  readonly set: QuerySet;
  readonly type: MessageType;
  readonly records: readonly Uint8Array[];
  /** The records as a file, each after its length as a little-endian uint32. */
  readonly path: string;
}

/** A subject that has planned its query. */
export interface PreparedQuery {
  /** Runs the query over all records; resolves to the processor time, and to the number of values in all leaves. */
  run(): Promise<{ readonly seconds: number; readonly numValues: number }>;
}
