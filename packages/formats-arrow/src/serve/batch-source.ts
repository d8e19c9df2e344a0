import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** The argument of a factory of record batches. */
export interface PassRequest {
  /**
   * Aborts when the client disconnects, the server closes, or the `signal` of `sendRecordBatches` aborts. The factory must then
   * stop waiting and close its resources.
   */
  readonly signal: AbortSignal;
  /**
   * Address of the client, or the option `client` of `sendRecordBatches`. Empty for Unix sockets, whose clients have no address.
   */
  readonly client: string;
}

/** Produces the record batches of one pass for one client. */
export type RecordBatchFactory = (request: PassRequest) => AsyncIterable<RecordBatch> | Iterable<RecordBatch>;

/** Options for sending record batches. */
export interface SendOptions {
  /**
   * Schema of all batches. A batch with another schema is rejected with `schema-mismatch` (`batch-schema`). Default: the schema
   * of the first batch. Required for a pass without batches, which otherwise fails with `schema-required` (`no-batches`).
   */
  readonly arrowSchema?: ArrowSchema | undefined;
  /** Codec that compresses each buffer separately. Default `"none"`: networks in a data centre are faster than codecs. */
  readonly compression?: "none" | "lz4" | "zstd" | undefined;
  /**
   * Longest time that a client may take to accept the next 64 KiB, in milliseconds. After that, the client is disconnected, and
   * its pass fails with `io-failed` (`client-stalled`). Default `Infinity`, because a client may train on a batch for a long
   * time.
   */
  readonly stallTimeoutMs?: number | undefined;
}
