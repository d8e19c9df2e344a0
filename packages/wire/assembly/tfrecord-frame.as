// TFRecord frames, like src/kernels/tfrecord-frame.ts.
import { crc32c, crc32cOf8, masked } from "./crc32c";
import { input } from "./input";
import { outcome, startOutcome } from "./outcome";
import { DATA_CRC, LENGTH_CRC, OK, RECORD_TOO_LONG } from "./wire-tags";

/** Number of bytes before and after a payload. */
export const FRAME_HEAD: usize = 12;
export const FRAME_TAIL: usize = 4;

/**
 * Checks the frame at `p`: the checksum of its length, the length against the limit, and the checksum of the payload. A
 * length is not trusted before its checksum matches. Sets `frameBytes` of the outcome if the frame extends beyond `end`.
 */
export function checkFrame(p: usize, end: usize, verifiesPayload: bool, maxRecordBytes: f64): u32 {
  const left = end - p;
  if (left < FRAME_HEAD) {
    outcome.frameBytes = <f64>FRAME_HEAD;
    return OK;
  }
  let status = OK;
  const length = load<u32>(p);
  if (masked(crc32cOf8(p)) != load<u32>(p, 8)) status = LENGTH_CRC;
  else if (load<u32>(p, 4) != 0 || <f64>length > maxRecordBytes) status = RECORD_TOO_LONG;
  else if (<u64>length + FRAME_HEAD + FRAME_TAIL > <u64>left) {
    outcome.frameBytes = <f64>length + <f64>(FRAME_HEAD + FRAME_TAIL);
    return OK;
  } else if (verifiesPayload) {
    const payload = p + FRAME_HEAD;
    if (masked(crc32c(payload, length, 0)) != load<u32>(payload + length)) status = DATA_CRC;
  }
  if (status != OK) outcome.errorAt = p;
  return status;
}

/**
 * Scans up to `most` complete frames. Writes the start and end of each payload, relative to the input, to `bounds` as two words.
 */
export function scanFrames(
  length: usize,
  bounds: usize,
  most: u32,
  verifiesPayload: bool,
  maxRecordBytes: f64,
): u32 {
  const end = input + length;
  let p = input;
  let status = OK;
  startOutcome();
  while (outcome.numRecords < most) {
    status = checkFrame(p, end, verifiesPayload, maxRecordBytes);
    if (status != OK || outcome.frameBytes > 0) break;
    const payload = p + FRAME_HEAD;
    const payloadEnd = payload + load<u32>(p);
    const pair = bounds + ((<usize>outcome.numRecords) << 3);
    store<u32>(pair, <u32>(payload - input));
    store<u32>(pair, <u32>(payloadEnd - input), 4);
    p = payloadEnd + FRAME_TAIL;
    outcome.numRecords++;
  }
  outcome.consumed = <u32>(p - input);
  return status;
}
