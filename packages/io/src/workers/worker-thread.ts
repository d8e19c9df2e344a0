import type { FromWorker, ToWorker } from "./protocol.js";

/** A thread that serves reads. */
export interface WorkerThread {
  post(message: ToWorker): void;
  /** Keeps the process alive for this thread, like Node's `ref()`. A new thread does not keep it alive. No effect in browsers. */
  ref(): void;
  /** Lets the process exit while this thread runs. */
  unref(): void;
  /** Ends the thread immediately. */
  terminate(): Promise<void>;
}

/** Receives the events of a thread. */
export interface WorkerListener {
  onMessage(message: FromWorker): void;
  /** Called when the thread cannot start or ends by itself. `detail` describes the failure. */
  onFailure(detail: string, cause?: unknown): void;
}
