import { toTransferable } from "@tfxio/arrow-encoding";
import type { Format, LentBatch, ReadOptions, ReadProgress } from "@tfxio/format";
import { untilAborted } from "@tfxio/wire";
import type { Schema as ArrowSchema } from "apache-arrow";
import { describedFormat } from "../description/open-described.js";
import { carryError } from "./carried-error.js";
import { type OpenedRead, openRead } from "./open-read.js";
import type { FromWorker, ToWorker } from "./protocol.js";

/** Sends a message to the calling thread. The buffers in `transfer` are moved and can no longer be used in this thread. */
export type Post = (message: FromWorker, transfer: readonly ArrayBuffer[]) => void;

/** A pass that the calling thread has opened. */
interface OpenPass {
  readonly opening: Promise<OpenedRead>;
  /** Aborts operations in progress when the pass is over. */
  readonly closing: AbortController;
}

interface ActiveRead {
  readonly stopping: AbortController;
  readonly credit: Credit;
}

/**
 * Returns a function that handles the messages from the calling thread, and thereby serves reads in a worker thread.
 * @param formats Formats that are available in the worker without importing a module.
 */
export function serveReads(post: Post, formats: readonly Format[]): (message: ToWorker) => void {
  let pass: OpenPass | undefined;
  const reads = new Map<number, ActiveRead>();
  const leases = new Leases();

  async function serve(message: Extract<ToWorker, { kind: "read" }>, active: ActiveRead): Promise<void> {
    const { read, split, from, shuffle } = message;
    const { signal } = active.stopping;
    let progress: ReadProgress | undefined;
    let schema: ArrowSchema | undefined;
    const reported = (): ReadProgress | undefined => {
      const latest = progress;
      progress = undefined;
      return latest;
    };
    try {
      const { batches } = await untilAborted((pass as OpenPass).opening, signal);
      const options: ReadOptions = {
        from,
        shuffle,
        signal,
        onProgress: (latest) => {
          progress = latest;
        },
      };
      await active.credit.take();
      for await (const leased of batches(split, options)) {
        const batch = toTransferable(leased.batch, { schema, keepShared: true });
        schema = leased.batch.schema;
        const lease = batch.shared === undefined ? undefined : leases.add(leased);
        post({ kind: "batch", read, batch, lease, progress: reported() }, batch.buffers);
        if (lease === undefined) leased.release();
        await active.credit.take();
        if (signal.aborted) break;
      }
      post({ kind: "end", read, progress: reported() }, []);
    } catch (error) {
      if (signal.aborted) post({ kind: "end", read, progress: undefined }, []);
      else post({ kind: "error", read, error: carryError(error) }, []);
    } finally {
      reads.delete(read);
    }
  }

  async function open(
    { read, described }: Extract<ToWorker, { kind: "open" }>,
    closing: AbortSignal,
  ): Promise<OpenedRead> {
    try {
      await describedFormat(described.description, formats);
    } catch (error) {
      post({ kind: "error", read, error: carryError(error) }, []);
      throw error;
    }
    post({ kind: "end", read, progress: undefined }, []);
    return openRead(described, formats, closing);
  }

  return (message) => {
    switch (message.kind) {
      case "open": {
        const closing = new AbortController();
        pass = { opening: open(message, closing.signal), closing };
        // Every read awaits this promise and reports its error.
        pass.opening.catch(() => {});
        return;
      }
      case "read": {
        const active = { stopping: new AbortController(), credit: new Credit(message.credit) };
        reads.set(message.read, active);
        void serve(message, active);
        return;
      }
      case "more":
        reads.get(message.read)?.credit.give();
        return;
      case "stop": {
        const active = reads.get(message.read);
        active?.stopping.abort();
        active?.credit.give();
        return;
      }
      case "release":
        leases.release(message.lease);
        return;
      case "close":
        leases.releaseAll();
        // If opening failed, there is nothing to close. An error from closing is ignored, because no caller waits for it.
        pass?.closing.abort();
        pass?.opening.then((read) => read.close()).catch(() => {});
        pass = undefined;
    }
  };
}

/** The leased batches that the calling thread has not released yet. */
class Leases {
  readonly #held = new Map<number, LentBatch>();
  #last = 0;

  /** Adds a batch and returns the number of its lease. */
  add(leased: LentBatch): number {
    this.#held.set(++this.#last, leased);
    return this.#last;
  }

  release(lease: number): void {
    this.#held.get(lease)?.release();
    this.#held.delete(lease);
  }

  releaseAll(): void {
    for (const { release } of this.#held.values()) release();
    this.#held.clear();
  }
}

/** Counts the batches that may be sent before the consumer requests more. The producer waits while the count is 0. */
class Credit {
  #left: number;
  #resume: (() => void) | undefined;

  constructor(left: number) {
    this.#left = left;
  }

  give(): void {
    this.#left++;
    this.#resume?.();
  }

  async take(): Promise<void> {
    if (this.#left === 0) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
      this.#resume = undefined;
    }
    this.#left--;
  }
}
