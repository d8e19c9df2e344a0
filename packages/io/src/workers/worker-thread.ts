import type { FromWorker, ToWorker } from "./protocol.js";

/** A thread that serves reads. */
export interface WorkerThread {
  post(message: ToWorker): void;
  /** Whether the process stays alive for this thread. A new one does not hold it; browsers have no such thing. */
  hold(isHeld: boolean): void;
  /** Ends it at once, whatever it is doing. */
  terminate(): Promise<void>;
}

/** What is told of a thread. */
export interface WorkerListener {
  onMessage(message: FromWorker): void;
  /** It could not start, or ended by itself. `detail` says how. */
  onFailure(detail: string, cause?: unknown): void;
}
