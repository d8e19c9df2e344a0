import type { FromWorker, ToWorker } from "./protocol.js";

/** A thread that serves reads. */
export interface WorkerThread {
  post(message: ToWorker): void;
  /** Keeps the process alive for this thread, as Node's `ref()`; a new thread does not. Nothing in browsers. */
  ref(): void;
  /** Lets the process end although this thread runs. */
  unref(): void;
  /** Ends it at once, whatever it is doing. */
  terminate(): Promise<void>;
}

/** What is told of a thread. */
export interface WorkerListener {
  onMessage(message: FromWorker): void;
  /** It could not start, or ended by itself. `detail` says how. */
  onFailure(detail: string, cause?: unknown): void;
}
