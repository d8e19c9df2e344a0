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
  /** Names the reader in errors, and in the factory's argument. Default `"reader"`. */
  readonly client?: string | undefined;
}

/**
 * Sends one pass of record batches to a Node stream, such as `process.stdout` or a response of your HTTP server, and ends the
 * stream with the end marker. The next batch is requested when the stream accepts more. After an error, the stream is destroyed
 * without the marker, so that its reader detects the failure.
 * @returns the finished pass.
 * @throws any TfxioError that the factory throws, and the reason of `signal` if it aborts. Both are thrown unchanged.
 * @throws {UserFunctionError} for other errors of the factory.
 * @throws {SchemaError} `schema-mismatch` (`batch-schema`), `schema-required` (`no-batches`).
 * @throws {SourceError} `io-failed` (`client-left`, `client-stalled`).
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
  const operator = "sendRecordBatches";
  const pass = await sendPass(factory, writable, { ...settings, operator, turns: createTurns() });
  if (pass.outcome !== "complete") throw pass.error;
  return pass;
}
