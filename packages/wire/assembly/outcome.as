// Outcome of a push or of a scan of frames.
import { BATCH_TOO_LARGE } from "./wire-tags";

/** The host reads this layout. */
@unmanaged
export class Outcome {
  /** Number of bytes taken by `pushFrames` or `scanFrames`, or of records taken by `pushRecords`. */
  consumed: u32;
  /** Number of records taken, including skipped ones. */
  numRecords: u32;
  numSkipped: u32;
  isFull: u32;
  /** After an error: its position. */
  errorAt: usize;
  /** After a mismatch: its column, which also holds the kind that was found. */
  mismatch: usize;
  /**
   * Size of the incomplete frame at the end of the input, or 12 if its header is incomplete too. If there is no incomplete frame:
   * 12 after a scan that stopped because no input was left, else 0.
   */
  frameBytes: f64;
}

/** Address of the outcome. */
export const OUTCOME: usize = memory.data(offsetof<Outcome>(), 64);
export const outcome: Outcome = changetype<Outcome>(OUTCOME);

export function startOutcome(): void {
  memory.fill(OUTCOME, 0, offsetof<Outcome>());
}

/** Sets the outcome when memory runs out for the record at `at`. Returns the status. */
export function outOfMemory(at: usize): u32 {
  outcome.errorAt = at;
  return BATCH_TOO_LARGE;
}
