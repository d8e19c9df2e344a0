import type { FromWorker, ToWorker } from "./protocol.js";

/** A worker thread, as the calling thread sees it. */
export interface WorkerThread {
  post(message: ToWorker): void;
  /**
   * Keeps the process alive while this thread runs, like Node's `ref()`. A new thread does not keep the process alive. No effect
   * in browsers.
   */
  ref(): void;
  /** Lets the process exit while this thread runs. No effect in browsers. */
  unref(): void;
  /** Ends the thread immediately. */
  terminate(): Promise<void>;
}

/** Receives the events of a thread. */
export interface WorkerListener {
  onMessage(message: FromWorker): void;
  /** Called when the thread cannot start, fails or ends. `detail` completes an error message whose subject is the thread. */
  onFailure(detail: string, cause?: unknown): void;
}
