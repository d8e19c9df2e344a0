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

/** Batches of a read that are made or wait: one for the consumer, one in the making, so that neither waits long. */
const BATCHES_AHEAD = 2;

/** A thread that was told to stop gets so long to decode the batch that it is at; then it is ended. */
const STOPPING_MS = 500;

interface ActiveRead {
  readonly uri: string;
  readonly messages: MessageQueue<FromWorker>;
}

/** The calling thread's side of one worker thread, which serves one pass after the other. */
export class ReadWorker {
  readonly #thread: WorkerThread;
  /** Until the thread has said that they are over, also when nobody waits for them any more. Opening is one of them. */
  readonly #reads = new Map<number, ActiveRead>();
  #opening: MessageQueue<FromWorker> | undefined;
  #lastRead = 0;
  #numWaiting = 0;
  #lost: ((uri: string) => SourceError) | undefined;
  #onIdle: (() => void) | undefined;
  #isLoaded = false;
  /** Resolves with the first word of the thread, or when it is lost. */
  readonly #loaded: Promise<void>;
  #onLoaded: () => void = () => {};

  /** Starts the thread. @throws {UnsupportedError} `unsupported` (`worker-runtime`). */
  constructor() {
    this.#loaded = new Promise((resolve) => {
      this.#onLoaded = resolve;
    });
    this.#thread = startWorker({
      onMessage: (message) => this.#receive(message),
      onFailure: (detail, cause) => {
        this.#lost ??= (uri) =>
          new SourceError("io-failed", `the worker thread that read ${uri} is gone: ${detail}`, {
            uri,
            reason: "worker-failed",
            cause,
          });
        for (const { uri, messages } of this.#reads.values()) messages.fail(this.#lost(uri));
        this.#onLoaded();
        this.#onIdle?.();
      },
    });
  }

  /** True until the thread has loaded its program: it takes what it is told in order, once it can. */
  get isLoading(): boolean {
    return !this.#isLoaded && !this.isLost;
  }

  /** True once the thread ended by itself, or could not start. */
  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** What the thread is at: splits being read, and opening. */
  get numReads(): number {
    return this.#reads.size;
  }

  /** Begins a pass: what is read from now on is what `described` says. */
  open(described: ThreadRead): void {
    const [read, messages] = this.#begin(described.description.format.id);
    this.#opening = messages;
    this.#thread.post({ kind: "open", read, described });
  }

  /**
   * Resolves when the thread runs and has the format that was opened last, of which nothing has been read yet.
   * @throws what kept it from that; `signal.reason`.
   */
  async opened(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const messages = this.#opening as MessageQueue<FromWorker>;
    const letGo = signal && onAbort(signal, () => messages.fail(signal.reason));
    try {
      const message = await this.#held(messages.next());
      if (message.kind === "error") throw rebuildError(message.error);
    } finally {
      letGo?.();
    }
  }

  /** What {@link ReadPlan.read} gives, from the other thread. */
  async *read(split: Split, options: ReadOptions): AsyncGenerator<RecordBatch, void, undefined> {
    for await (const { batch } of this.readLeased(split, options)) yield batch;
  }

  /**
   * What {@link ReadPlan.readLeased} gives, from the other thread; batches own their memory if the pass was not opened
   * for leases. Leaving it stops the other side too.
   */
  async *readLeased(split: Split, options: ReadOptions): AsyncGenerator<LentBatch, void, undefined> {
    const { from, shuffle, signal, onProgress } = options;
    signal?.throwIfAborted();
    const [read, messages] = this.#begin(split.uri);
    const letGo = signal && onAbort(signal, () => messages.fail(signal.reason));
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
      letGo?.();
      if (this.#reads.has(read)) this.#thread.post({ kind: "stop", read });
    }
  }

  /**
   * Ends a pass: reads that are under way reject with `reason`. True when the thread is ready for the next pass, as one
   * that still loads is; false when it is lost, or does not stop.
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

  /** Ends the thread, once it has loaded: Node leaves files open that a thread was loading when it ended. */
  async terminate(): Promise<void> {
    await this.#loaded;
    await this.#thread.terminate();
  }

  #begin(uri: string): readonly [read: number, messages: MessageQueue<FromWorker>] {
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

  /** Resolves when no read is left, or the thread has had its time. */
  async #stopped(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, STOPPING_MS);
      // Nobody waits so long, and a process that ends takes its threads along. Browsers' timers are numbers.
      (timer as { unref?: () => void }).unref?.();
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onIdle = undefined;
  }

  /** The process stays alive while somebody waits, and only then: a reader that was dropped lets it end. */
  async #held<T>(next: Promise<T>): Promise<T> {
    if (this.#numWaiting++ === 0) this.#thread.ref();
    try {
      return await next;
    } finally {
      if (--this.#numWaiting === 0) this.#thread.unref();
    }
  }
}
