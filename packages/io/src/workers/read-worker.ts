import { fromTransferable } from "@tfxio/arrow-encoding";
import type { ReadOptions, ReadProgress, Split } from "@tfxio/format";
import { SourceError, UserFunctionError } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { startWorker } from "#worker";
import { rebuildError } from "./carried-error.js";
import { MessageQueue } from "./message-queue.js";
import type { FromWorker, ReadDescription } from "./protocol.js";
import type { WorkerThread } from "./worker-thread.js";

/** Batches of a read that are made or wait: one for the consumer, one in the making, so that neither waits long. */
const BATCHES_AHEAD = 2;

interface ActiveRead {
  readonly uri: string;
  readonly messages: MessageQueue<FromWorker>;
}

/** The calling thread's side of one worker thread. */
export class ReadWorker {
  readonly #thread: WorkerThread;
  readonly #reads = new Map<number, ActiveRead>();
  #lastRead = 0;
  #numWaiting = 0;
  #failure: ((uri: string) => unknown) | undefined;

  /** Starts the thread. @throws {UnsupportedError} `unsupported` (`worker-runtime`). */
  constructor(description: ReadDescription) {
    this.#thread = startWorker({
      onMessage: (message) => this.#reads.get(message.read)?.messages.push(message),
      onFailure: (detail, cause) =>
        this.fail(
          (uri) =>
            new SourceError("io-failed", `the worker thread that read ${uri} is gone: ${detail}`, {
              uri,
              reason: "worker-failed",
              cause,
            }),
        ),
    });
    this.#thread.post({ kind: "open", description });
  }

  /** Splits being read. */
  get numReads(): number {
    return this.#reads.size;
  }

  /** What {@link ReadPlan.read} gives, from the other thread. Leaving it stops the other side too. */
  async *read(split: Split, options: ReadOptions): AsyncGenerator<RecordBatch, void, undefined> {
    const { from, signal, onProgress } = options;
    signal?.throwIfAborted();
    const read = this.#lastRead++;
    const messages = new MessageQueue<FromWorker>();
    this.#reads.set(read, { uri: split.uri, messages });
    if (this.#failure !== undefined) messages.fail(this.#failure(split.uri));
    const abort = (): void => messages.fail(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    let hasEnded = false;
    let schema: ArrowSchema | undefined;
    try {
      this.#thread.post({ kind: "read", read, split, from, credit: BATCHES_AHEAD });
      for (;;) {
        const message = await this.#held(messages.next());
        hasEnded = message.kind !== "batch";
        if (message.kind === "error") throw rebuildError(message.error);
        if (message.progress !== undefined && onProgress !== undefined) report(onProgress, message.progress);
        if (message.kind === "end") return;
        this.#thread.post({ kind: "more", read });
        const batch = fromTransferable(message.batch, { schema });
        schema = batch.schema;
        yield batch;
        signal?.throwIfAborted();
      }
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#reads.delete(read);
      if (!hasEnded) this.#thread.post({ kind: "stop", read });
    }
  }

  /** Makes the reads of this worker, present and future, reject with what `reasonOf` gives for their URI. */
  fail(reasonOf: (uri: string) => unknown): void {
    this.#failure ??= reasonOf;
    for (const { uri, messages } of this.#reads.values()) messages.fail(this.#failure(uri));
  }

  terminate(): Promise<void> {
    return this.#thread.terminate();
  }

  /** The process stays alive while somebody waits, and only then: a reader that was dropped lets it end. */
  async #held<T>(next: Promise<T>): Promise<T> {
    if (this.#numWaiting++ === 0) this.#thread.hold(true);
    try {
      return await next;
    } finally {
      if (--this.#numWaiting === 0) this.#thread.hold(false);
    }
  }
}

function report(onProgress: (progress: ReadProgress) => void, progress: ReadProgress): void {
  try {
    onProgress(progress);
  } catch (cause) {
    throw new UserFunctionError("onProgress threw", { operator: "onProgress", cause });
  }
}
