// Decodes records of the input into the current batch. Every push returns a status, and sets the outcome.
import { numRows } from "./batch";
import { isFull } from "./batch-limits";
import { input } from "./input";
import { outcome, startOutcome } from "./outcome";
import { takeRecord } from "./take-record";
import { checkFrame, FRAME_HEAD, FRAME_TAIL } from "./tfrecord-frame";
import { OK } from "./wire-tags";

/** Decodes the whole frames in the first `length` bytes of the input, until the batch is full or an error occurs. */
export function pushFrames(
  length: usize,
  maxRows: f64,
  maxBytes: f64,
  verifiesPayload: bool,
  maxRecordBytes: f64,
): u32 {
  const end = input + length;
  let p = input;
  let status = OK;
  startOutcome();
  while (p < end) {
    if (isFull(numRows, maxRows, maxBytes)) {
      outcome.isFull = 1;
      break;
    }
    status = checkFrame(p, end, verifiesPayload, maxRecordBytes);
    if (status != OK || outcome.frameBytes > 0) break;
    const payload = p + FRAME_HEAD;
    const payloadEnd = payload + load<u32>(p);
    status = takeRecord(payload, payloadEnd);
    if (status != OK) break;
    p = payloadEnd + FRAME_TAIL;
    outcome.numRecords++;
  }
  outcome.consumed = <u32>(p - input);
  if (status == OK) outcome.isFull |= <u32>isFull(numRows, maxRows, maxBytes);
  return status;
}

/** Decodes up to `count` records. Their bounds are pairs of words at `bounds`, relative to the input. */
export function pushRecords(bounds: usize, count: u32, maxRows: f64, maxBytes: f64): u32 {
  let status = OK;
  startOutcome();
  for (let i: u32 = 0; i < count; i++) {
    if (isFull(numRows, maxRows, maxBytes)) break;
    const pair = bounds + ((<usize>i) << 3);
    status = takeRecord(input + load<u32>(pair), input + load<u32>(pair, 4));
    if (status != OK) break;
    outcome.numRecords++;
  }
  outcome.consumed = outcome.numRecords;
  if (status == OK) outcome.isFull = <u32>isFull(numRows, maxRows, maxBytes);
  return status;
}
