import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { UnsupportedError } from "@tfxio/wire";
import type { FromWorker } from "./protocol.js";
import type { WorkerListener, WorkerThread } from "./worker-thread.js";

/** What `workers` is unless it is said. */
export const DEFAULT_WORKERS: number | "auto" = "auto";

/** Threads that run at once on this machine. */
export function availableThreads(): number {
  return availableParallelism();
}

/** @throws {UnsupportedError} `unsupported` (`worker-runtime`) where Node refuses to start threads. */
export function startWorker(listener: WorkerListener): WorkerThread {
  const worker = newWorker();
  let isEnding = false;
  worker.unref();
  worker.on("message", (message: FromWorker) => listener.onMessage(message));
  worker.on("messageerror", (cause) => listener.onFailure("it sent what cannot be received", cause));
  worker.on("error", (cause) => listener.onFailure(`it failed: ${String(cause)}`, cause));
  worker.on("exit", (code) => listener.onFailure(`it exited with code ${code}`));
  return {
    post: (message) => worker.postMessage(message, []),
    ref: () => worker.ref(),
    unref() {
      if (!isEnding) worker.unref();
    },
    async terminate() {
      // Else a process that only waits for this would end before.
      isEnding = true;
      worker.ref();
      await worker.terminate();
    },
  };
}

function newWorker(): Worker {
  try {
    // The published file also when this one runs from its source, which plain Node does not load.
    return new Worker(new URL("../../dist/node/serve-node.js", import.meta.url), {
      name: "tfxio",
      // Threads inherit the flags of Node, but not from programs given as text: Node refuses `--input-type` beside a
      // file, and a list without it, once it is written out, must not hold flags of V8 such as `--max-old-space-size`.
      ...(process.execArgv.some((argument) => argument.startsWith("--input-type")) && { execArgv: [] }),
    });
  } catch (cause) {
    throw new UnsupportedError(`Node starts no worker thread here: ${String(cause)}`, {
      feature: "workers",
      reason: "worker-runtime",
      cause,
    });
  }
}
