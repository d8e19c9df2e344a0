import type { Writable } from "node:stream";
import type { BatchWriter } from "@tfxio/format";
import { type ByteTarget, countingTarget, onAbort, SchemaError, SourceError } from "@tfxio/wire";
import type { Schema as ArrowSchema } from "apache-arrow";
import { arrow } from "../format.js";
import type { RecordBatchFactory, SendOptions } from "./batch-source.js";
import { passBatches } from "./pass-batches.js";
import type { Turns } from "./turns.js";
import { writableTarget } from "./writable-target.js";

/** A finished pass for one client. */
export interface ServedPass {
  /** Address of the client: see `PassRequest`. */
  readonly client: string;
  readonly numBatches: number;
  readonly numRows: number;
  /** Number of bytes passed to the connection. */
  readonly numBytes: number;
  /** `"complete"` if the end marker was sent. Otherwise the client sees a truncated stream. */
  readonly outcome: "complete" | "client-left" | "server-closed" | "failed";
  /** The error or abort reason that ended the pass; undefined if the pass is complete. */
  readonly error: unknown;
}

/** Settings of a pass. */
export interface PassSettings extends Pick<SendOptions, "arrowSchema"> {
  /** The public function that sends the pass, for errors of the factory. */
  readonly operator: "sendRecordBatches" | "serveRecordBatches";
  readonly client: string;
  /** Names the client in errors. */
  readonly uri: string;
  readonly compression: NonNullable<SendOptions["compression"]>;
  readonly stallTimeoutMs: number;
  readonly turns: Turns;
  /** Ends the pass, without the end marker. */
  readonly signal: AbortSignal;
}

/** Sends one pass. Closes `writable` after the end marker, or immediately if the pass fails. Never rejects. */
export async function sendPass(
  factory: RecordBatchFactory,
  writable: Writable,
  settings: PassSettings,
): Promise<ServedPass> {
  const { client, uri, signal } = settings;
  const pass = new AbortController();
  let left: SourceError | undefined;
  const leave = (cause?: unknown): void => {
    if (pass.signal.aborted) return;
    const message = `Not everything was sent: ${uri} disconnected.`;
    left = new SourceError("io-failed", message, { uri, reason: "client-left", cause });
    pass.abort(left);
  };
  // Never remove the error listener, because an error after the end of the pass would otherwise end the process.
  writable.on("error", leave).once("close", leave);
  const unsubscribe = signal.aborted ? undefined : onAbort(signal, () => pass.abort(signal.reason));
  if (signal.aborted) pass.abort(signal.reason);
  const sent = { numBatches: 0, numRows: 0 };
  const target = countingTarget(writableTarget(writable, { ...settings, signal: pass.signal }));
  let [outcome, error]: [ServedPass["outcome"], unknown] = ["complete", undefined];
  try {
    await sendBatches(factory, target, { ...settings, signal: pass.signal }, sent);
    await target.commit();
  } catch (caught) {
    error = caught;
    outcome = caught === left ? "client-left" : signal.aborted ? "server-closed" : "failed";
    writable.destroy();
  } finally {
    unsubscribe?.();
    writable.off("close", leave);
  }
  return { client, ...sent, numBytes: target.numBytes, outcome, error };
}

async function sendBatches(
  factory: RecordBatchFactory,
  target: ByteTarget,
  { operator, client, arrowSchema, compression, turns, signal }: PassSettings,
  sent: { numBatches: number; numRows: number },
): Promise<void> {
  const createWriter = (schema: ArrowSchema): Promise<BatchWriter> =>
    arrow.createWriter(target, {
      arrowSchema: schema,
      options: { container: "stream", compression },
      signal,
    });
  let writer = arrowSchema && (await createWriter(arrowSchema));
  for await (const batch of passBatches(factory, { signal, client }, operator)) {
    writer ??= await createWriter(batch.schema);
    await writer.write(batch);
    sent.numBatches++;
    sent.numRows += batch.numRows;
    await turns();
  }
  if (writer === undefined) {
    const message = "The data has no batches, so its Arrow schema is unknown; pass arrowSchema.";
    throw new SchemaError("schema-required", message, { reason: "no-batches" });
  }
  await writer.finish();
}
