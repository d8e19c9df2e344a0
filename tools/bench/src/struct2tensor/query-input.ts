import type { MessageType } from "@tfxio/formats-protobuf";
import type { QuerySet } from "./query-sets.js";

/** Number of records in a batch. */
export const batchRecords = 2048;

/** A query, and the records over which every subject runs it. */
export interface QueryInput {
  readonly set: QuerySet;
  readonly type: MessageType;
  readonly records: readonly Uint8Array[];
  /** Path of a file with the same records, each preceded by its length as a little-endian uint32. */
  readonly path: string;
}

/** A subject that is ready to run its query. */
export interface PreparedQuery {
  /** Runs the query over all records. Resolves to the processor time in seconds, and the number of values in all leaves. */
  run(): Promise<{ readonly seconds: number; readonly numValues: number }>;
}
