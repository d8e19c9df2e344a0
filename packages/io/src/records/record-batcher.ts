import type { PayloadPlan, PayloadSession, ReadOptions } from "@tfxio/format";
import { ArgumentError, type RecordBlock } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { CallerItems } from "./caller-items.js";
import { FlushTimer } from "./flush-timer.js";
import { openRecords, type RecordSource } from "./record-source.js";

/** Names the records in errors, splits and progress. */
export const RECORDS_URI = "records";
/** As formats of records end their batches. */
const BATCH_BYTES: number = 32 * 2 ** 20;

/** When batches end. */
export interface BatchEnds {
  readonly batchSize: number;
  /** Milliseconds since the first record of a batch arrived. Absent: a batch waits for records. */
  readonly flushAfterMs: number | undefined;
}

/** The records of one pass, decoded to batches. Each record is decoded before the next one is asked for. */
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

/** False when the batch has to be finished first. */
function takesRecord(session: PayloadSession, block: RecordBlock, maxRows: number): boolean {
  const { consumed } = session.push(block, 0, { maxRows, maxBytes: BATCH_BYTES });
  if (consumed > 0) return true;
  if (session.numRows > 0) return false;
  throw new ArgumentError("invalid-argument", "The payload's session takes no record.", {
    reason: "format-output",
    argument: "payload",
  });
}

function blockOf(record: unknown, recordIndex: number): RecordBlock {
  if (Object.prototype.toString.call(record) !== "[object Uint8Array]") {
    throw new ArgumentError(
      "invalid-argument",
      `Record ${recordIndex} is ${Object.prototype.toString.call(record)}, expected a Uint8Array.`,
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
