// Outcome of a push or of a scan of frames.
import { BATCH_TOO_LARGE } from "./wire-tags";

/** As the host reads it. */
@unmanaged
export class Outcome {
  /** Bytes of framed input, or records. */
  consumed: u32;
  /** Records taken, skipped ones included. */
  numRecords: u32;
  numSkipped: u32;
  isFull: u32;
  /** On an error: where. */
  errorAt: usize;
  /** On a mismatch: the column of its name, and the kind found. */
  misfit: usize;
  /** Bytes of the whole frame that the input ends in, 0 if it ends within a frame's head, or between two. */
  frameBytes: f64;
}

/** Where it lies. */
export const OUTCOME: usize = memory.data(offsetof<Outcome>(), 64);
export const outcome: Outcome = changetype<Outcome>(OUTCOME);

export function startOutcome(): void {
  memory.fill(OUTCOME, 0, offsetof<Outcome>());
}

/** Records that memory for the record at `at` is refused. */
export function refused(at: usize): u32 {
  outcome.errorAt = at;
  return BATCH_TOO_LARGE;
}
