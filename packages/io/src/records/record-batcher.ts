import type { PayloadPlan, PayloadSession, ReadOptions } from "@tfxio/format";
import { ArgumentError, type RecordBlock } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import { CallerItems } from "./caller-items.js";
import { FlushTimer } from "./flush-timer.js";
import { openRecords, type RecordSource } from "./record-source.js";

/** The URI by which errors, splits and progress name the caller's records. */
export const RECORDS_URI = "records";
/** Maximum batch size in bytes, the same as for record formats. */
const BATCH_BYTES: number = 32 * 2 ** 20;

/** Conditions that end a batch. */
export interface BatchEnds {
  readonly batchSize: number;
  /** Maximum time in milliseconds from a batch's first record to its end. Undefined: a batch waits for more records. */
  readonly flushAfterMs: number | undefined;
}

/** Decodes the records of one pass into batches. Each record is decoded before the next one is requested. */
export async function* batchRecords(
  records: RecordSource,
  plan: PayloadPlan,
  { batchSize, flushAfterMs }: BatchEnds,
  { signal, onProgress }: ReadOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  const session = plan.createSession();
  const items = new CallerItems<unknown>({ open: () => openRecords(records), operator: "records", signal });
  const flush = new FlushTimer(flushAfterMs, () => items.interrupt());
  let [recordIndex, numRows, numBytes, numSkippedReported] = [0, 0, 0, 0];

  const report = (): void => {
    const { numSkipped } = session;
    numSkippedReported = numSkipped;
    onProgress?.({ position: { row: recordIndex }, numRows, numBytes, numSkipped });
  };
  const finish = (): RecordBatch => {
    flush.clear();
    numRows += session.numRows;
    const batch = session.finish();
    report();
    return batch;
  };

  try {
    for (;;) {
      const next = await items.next();
      if (next?.done === true) break;
      if (next !== undefined) {
        const block = blockOf(next.value, recordIndex);
        while (!takesRecord(session, block, batchSize)) yield finish();
        recordIndex++;
        numBytes += block.bytes.length;
      }
      if (session.numRows === 0) continue;
      flush.start();
      if (next === undefined || session.numRows >= batchSize || flush.isDue) yield finish();
    }
    if (session.numRows > 0) yield finish();
    if (session.numSkipped > numSkippedReported) report();
  } finally {
    flush.clear();
    await items.close();
  }
}

/**
 * Decodes a record into the current batch of the session. Returns false if the record does not fit and the batch must be finished
 * first.
 * @throws {ArgumentError} `invalid-argument` (`format-output`) when an empty session accepts no record.
 */
function takesRecord(session: PayloadSession, block: RecordBlock, maxRows: number): boolean {
  const { consumed } = session.push(block, 0, { maxRows, maxBytes: BATCH_BYTES });
  if (consumed > 0) return true;
  if (session.numRows > 0) return false;
  throw new ArgumentError(
    "invalid-argument",
    "A payload session that holds no rows must accept at least one record, but it accepted none.",
    {
      reason: "format-output",
      argument: "payload",
    },
  );
}

function blockOf(record: unknown, recordIndex: number): RecordBlock {
  if (Object.prototype.toString.call(record) !== "[object Uint8Array]") {
    throw new ArgumentError(
      "invalid-argument",
      `Record ${recordIndex} is ${describeValue(record)}, expected a Uint8Array.`,
      { argument: "records", reason: "record-type" },
    );
  }
  const bytes = record as Uint8Array;
  return {
    uri: RECORDS_URI,
    bytes,
    numRecords: 1,
    starts: Uint32Array.of(0),
    ends: Uint32Array.of(bytes.length),
    firstRecordIndex: recordIndex,
    byteOffset: 0,
  };
}
