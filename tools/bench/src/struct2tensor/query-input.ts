import type { MessageType } from "@tfxio/formats-protobuf";
import type { QuerySet } from "./query-sets.js";

/** Records in a batch: the largest number in struct2tensor's own benchmark. */
export const batchRecords = 2048;

/** A query and the records that every subject runs it over. */
export interface QueryInput {
  readonly set: QuerySet;
  readonly type: MessageType;
  readonly records: readonly Uint8Array[];
  /** File of the records, each preceded by its length as a little-endian uint32. */
  readonly path: string;
}

/** A subject that has planned its query. */
export interface PreparedQuery {
  /** Runs the query over all records; resolves to the processor time and the number of values in all leaves. */
  run(): Promise<{ readonly seconds: number; readonly numValues: number }>;
}
