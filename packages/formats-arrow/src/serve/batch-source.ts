import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** The argument of a factory of record batches. */
export interface PassRequest {
  /** Aborted when the client has left or the server closes. Stop waiting and close open resources. */
  readonly signal: AbortSignal;
  /** Address of the client; empty for Unix sockets, whose clients have none. */
  readonly client: string;
}

/** Makes the record batches of one pass, for one client. */
export type RecordBatchFactory = (request: PassRequest) => AsyncIterable<RecordBatch> | Iterable<RecordBatch>;

/** Options for sending record batches. */
export interface SendOptions {
  /**
   * Schema of all batches; any other is `schema-mismatch` (`batch-schema`). Default: that of the first batch of a pass. Required
   * for a pass without batches, which otherwise fails with `schema-required` (`no-batches`).
   */
  readonly arrowSchema?: ArrowSchema | undefined;
  /** Compresses each buffer separately. Default `"none"`: networks within a data centre are faster than codecs. */
  readonly compression?: "none" | "lz4" | "zstd" | undefined;
  /**
   * Longest time for which a client may accept no bytes, in milliseconds. Then it is disconnected with `io-failed`
   * (`client-stalled`). Default `Infinity`: a client may train on a batch for any time.
   */
  readonly stallTimeoutMs?: number | undefined;
}
