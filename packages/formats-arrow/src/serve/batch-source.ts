import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/** What a factory of record batches is told. */
export interface PassRequest {
  /** Aborted when the client has left or the server closes: stop waiting, close what is open. */
  readonly signal: AbortSignal;
  /** Address of the client; empty for Unix sockets, whose clients have none. */
  readonly client: string;
}

/** Makes the record batches of one pass, for one client. */
export type RecordBatchFactory = (request: PassRequest) => AsyncIterable<RecordBatch> | Iterable<RecordBatch>;

/** How record batches are sent. */
export interface SendOptions {
  /**
   * Schema of all batches; another one is `schema-mismatch` (`batch-schema`). Default: that of the first batch of a pass. A pass
   * of no batches needs it: without it there is nothing to send, `schema-required` (`no-batches`).
   */
  readonly arrowSchema?: ArrowSchema | undefined;
  /** Compresses each buffer by itself. Default `"none"`: networks within a data centre are faster than codecs. */
  readonly compression?: "none" | "lz4" | "zstd" | undefined;
  /**
   * Longest time for which a client may accept nothing while it is sent batches; then it is cut off, `io-failed`
   * (`client-stalled`). Default `Infinity`: a client may train on a batch for as long as it likes.
   */
  readonly stallTimeoutMs?: number | undefined;
}
