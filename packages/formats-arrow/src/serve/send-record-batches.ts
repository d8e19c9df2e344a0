import type { Writable } from "node:stream";
import { aFunction, anAbortSignal, aString, assertArgument, assertOptions } from "@tfxio/wire/checks";
import type { RecordBatchFactory, SendOptions } from "./batch-source.js";
import { sendPass, type ServedPass } from "./send-pass.js";
import { SEND_RULES } from "./serve-options.js";
import { createTurns } from "./turns.js";

/** Options of {@link sendRecordBatches}. */
export interface SendRecordBatchesOptions extends SendOptions {
  /** Ends the pass, without the end marker. */
  readonly signal?: AbortSignal | undefined;
  /** Names the reader in errors, and for the factory. Default `"reader"`. */
  readonly client?: string | undefined;
}

/**
 * Sends one pass of record batches into a Node stream, and ends it with the end marker: `process.stdout`, or the response of
 * an HTTP server of your own. The next batch is asked for once the stream takes more. After an error the stream is
 * destroyed without the marker, so that its reader knows.
 * @returns What was sent.
 * @throws What the factory throws: errors of this project as they are, others as {@link UserFunctionError}.
 *   {@link SchemaError} `schema-mismatch` (`batch-schema`), `schema-required` (`no-batches`). {@link SourceError} `io-failed`
 *   (`client-left`, `client-stalled`). The reason of `signal` once it aborts.
 */
export async function sendRecordBatches(
  factory: RecordBatchFactory,
  writable: Writable,
  options: SendRecordBatchesOptions = {},
): Promise<ServedPass> {
  assertArgument("factory", factory, aFunction, "sendRecordBatches");
  assertOptions("sendRecordBatches", options, { ...SEND_RULES, signal: anAbortSignal, client: aString });
  const { client = "reader", signal = new AbortController().signal, arrowSchema } = options;
  const { compression = "none", stallTimeoutMs = Infinity } = options;
  const settings = { client, uri: client, signal, arrowSchema, compression, stallTimeoutMs };
  const pass = await sendPass(factory, writable, { ...settings, turns: createTurns() });
  if (pass.outcome !== "complete") throw pass.error;
  return pass;
}
