import { fromTransferable } from "@tfxio/arrow-encoding";
import type { LentBatch, ReadOptions, Split } from "@tfxio/format";
import { onAbort, SourceError } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { startWorker } from "#worker";
import { reportProgress } from "../report-progress.js";
import { rebuildError } from "./carried-error.js";
import { MessageQueue } from "./message-queue.js";
import type { FromWorker, ThreadRead } from "./protocol.js";
import type { WorkerThread } from "./worker-thread.js";

/**
 * Maximum number of batches of a read that are queued or in preparation. With one of each, neither thread waits long for the
 * other.
 */
const BATCHES_AHEAD = 2;

/** Time in milliseconds in which a stopped thread may finish its current batch. A thread that takes longer is ended. */
const STOPPING_MS = 500;

interface ActiveRead {
  /** Undefined while the thread opens a pass. */
  readonly uri: string | undefined;
  readonly messages: MessageQueue<FromWorker>;
}

/** The calling thread's handle to one worker thread. A worker serves one pass after another. */
export class ReadWorker {
  readonly #thread: WorkerThread;
  /**
   * The reads that the thread has not yet reported as ended, including those that no caller waits for. Opening a pass counts as
   * a read.
   */
  readonly #reads = new Map<number, ActiveRead>();
  #opening: MessageQueue<FromWorker> | undefined;
  #lastRead = 0;
  #numWaiting = 0;
  #lost: ((uri: string | undefined) => SourceError) | undefined;
  #onIdle: (() => void) | undefined;
  #isLoaded = false;
  /** Resolves when the thread's first message arrives, or when the thread is lost. */
  readonly #loaded: Promise<void>;
  #onLoaded: () => void = () => {};

  /**
   * Starts the thread. @throws {UnsupportedError} `unsupported` (`worker-runtime`) if this runtime cannot start worker threads.
   */
  constructor() {
    this.#loaded = new Promise((resolve) => {
      this.#onLoaded = resolve;
    });
    this.#thread = startWorker({
      onMessage: (message) => this.#receive(message),
      onFailure: (detail, cause) => {
        this.#lost ??= (uri) => {
          const doing = uri === undefined ? "A worker thread" : `The worker thread that read ${uri}`;
          const message = `${doing} ${detail}`;
          return new SourceError("io-failed", message, { uri, reason: "worker-failed", cause });
        };
        for (const { uri, messages } of this.#reads.values()) messages.fail(this.#lost(uri));
        this.#onLoaded();
        this.#onIdle?.();
      },
    });
  }

  /**
   * True until the thread has loaded its program or is lost. Messages that are sent before then are queued, and handled in order.
   */
  get isLoading(): boolean {
    return !this.#isLoaded && !this.isLost;
  }

  /** True if the thread has failed or ended, or could not start. */
  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** Number of reads in progress. Opening a pass counts as a read. */
  get numReads(): number {
    return this.#reads.size;
  }

  /** Begins a pass over the data that `described` describes. Later reads belong to this pass. */
  open(described: ThreadRead): void {
    const [read, messages] = this.#begin(undefined);
    this.#opening = messages;
    this.#thread.post({ kind: "open", read, described });
  }

  /**
   * Resolves when the thread is running and has loaded the format of the pass. This call is optional. If made, it must precede
   * all reads of the pass.
   * @throws whatever prevents the thread from running or from loading the format. Also throws `signal.reason`.
   */
  async opened(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const messages = this.#opening as MessageQueue<FromWorker>;
    const unsubscribe = signal && onAbort(signal, () => messages.fail(signal.reason));
    try {
      const message = await this.#held(messages.next());
      if (message.kind === "error") throw rebuildError(message.error);
    } finally {
      unsubscribe?.();
    }
  }

  /** Yields the batches of {@link ReadPlan.read} from the worker thread. The batches own their memory. */
  async *read(split: Split, options: ReadOptions): AsyncGenerator<RecordBatch, void, undefined> {
    for await (const { batch } of this.readLeased(split, options)) yield batch;
  }

  /**
   * Yields the batches of {@link LendingPlan.readLeased} from the worker thread. The batches own their memory unless the pass was
   * opened for leases. Leaving the loop also stops the read in the worker thread.
   */
  async *readLeased(split: Split, options: ReadOptions): AsyncGenerator<LentBatch, void, undefined> {
    const { from, shuffle, signal, onProgress } = options;
    signal?.throwIfAborted();
    const [read, messages] = this.#begin(split.uri);
    const unsubscribe = signal && onAbort(signal, () => messages.fail(signal.reason));
    let schema: ArrowSchema | undefined;
    try {
      this.#thread.post({ kind: "read", read, split, from, shuffle, credit: BATCHES_AHEAD });
      for (;;) {
        const message = await this.#held(messages.next());
        if (message.kind === "error") throw rebuildError(message.error);
        if (message.progress !== undefined) reportProgress(onProgress, message.progress);
        if (message.kind === "end") return;
        this.#thread.post({ kind: "more", read });
        const batch = fromTransferable(message.batch, { schema });
        schema = batch.schema;
        yield { batch, release: this.#releaseOf(message.lease) };
        signal?.throwIfAborted();
      }
    } finally {
      unsubscribe?.();
      if (this.#reads.has(read)) this.#thread.post({ kind: "stop", read });
    }
  }

  /**
   * Ends a pass: reads in progress reject with `reason`. Resolves to true if the thread can serve the next pass, even if it is
   * still loading. Resolves to false if the thread is lost, or does not stop within {@link STOPPING_MS}.
   */
  async close(reason: unknown): Promise<boolean> {
    for (const [read, { messages }] of this.#reads) {
      messages.fail(reason);
      this.#thread.post({ kind: "stop", read });
    }
    if (this.isLoading) {
      this.#thread.post({ kind: "close" });
      return true;
    }
    if (this.#reads.size > 0 && !this.isLost) await this.#stopped();
    this.#thread.post({ kind: "close" });
    return this.#reads.size === 0 && !this.isLost;
  }

  /** Ends the thread, but not before it has loaded. Otherwise Node would not close the files that the thread was loading. */
  async terminate(): Promise<void> {
    await this.#loaded;
    await this.#thread.terminate();
  }

  #begin(uri: string | undefined): readonly [read: number, messages: MessageQueue<FromWorker>] {
    const read = this.#lastRead++;
    const messages = new MessageQueue<FromWorker>();
    this.#reads.set(read, { uri, messages });
    if (this.#lost !== undefined) messages.fail(this.#lost(uri));
    return [read, messages];
  }

  #releaseOf(lease: number | undefined): () => void {
    let isHeld = lease !== undefined;
    return () => {
      if (isHeld) this.#thread.post({ kind: "release", lease: lease as number });
      isHeld = false;
    };
  }

  #receive(message: FromWorker): void {
    this.#isLoaded = true;
    this.#onLoaded();
    this.#reads.get(message.read)?.messages.push(message);
    if (message.kind === "batch") return;
    this.#reads.delete(message.read);
    if (this.#reads.size === 0) this.#onIdle?.();
  }

  /** Resolves when no read is left, or after {@link STOPPING_MS}. */
  async #stopped(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, STOPPING_MS);
      // The timer need not keep the process alive, because a process that ends also ends its threads. In browsers, timers are
      // numbers and have no method unref.
      (timer as { unref?: () => void }).unref?.();
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onIdle = undefined;
  }

  /**
   * Awaits `next`. Keeps the process alive while any caller waits, but no longer, so that an abandoned reader does not prevent
   * the process from exiting.
   */
  async #held<T>(next: Promise<T>): Promise<T> {
    if (this.#numWaiting++ === 0) this.#thread.ref();
    try {
      return await next;
    } finally {
      if (--this.#numWaiting === 0) this.#thread.unref();
    }
  }
}
