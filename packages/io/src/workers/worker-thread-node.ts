import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { UnsupportedError } from "@tfxio/wire";
import type { FromWorker } from "./protocol.js";
import type { WorkerListener, WorkerThread } from "./worker-thread.js";

/** Default of the option `workers` in Node. */
export const DEFAULT_WORKERS: number | "auto" = "auto";

/** Returns the number of threads that this machine can run at the same time. */
export function availableThreads(): number {
  return availableParallelism();
}

/** Starts a Node worker thread. @throws {UnsupportedError} `unsupported` (`worker-runtime`) if Node cannot start it. */
export function startWorker(listener: WorkerListener): WorkerThread {
  const worker = newWorker();
  let isEnding = false;
  worker.unref();
  worker.on("message", (message: FromWorker) => listener.onMessage(message));
  worker.on("messageerror", (cause) =>
    listener.onFailure("sent a message that cannot be deserialized.", cause),
  );
  worker.on("error", (cause) => listener.onFailure(`failed: ${String(cause)}`, cause));
  worker.on("exit", (code) => listener.onFailure(`ended early, with exit code ${code}.`));
  return {
    post: (message) => worker.postMessage(message, []),
    ref: () => worker.ref(),
    unref() {
      if (!isEnding) worker.unref();
    },
    async terminate() {
      // Keep the process alive until the thread has ended.
      isEnding = true;
      worker.ref();
      await worker.terminate();
    },
  };
}

function newWorker(): Worker {
  try {
    // Load the built file, even if this module runs from source, because Node cannot load the sources without a loader.
    return new Worker(new URL("../../dist/node/serve-node.js", import.meta.url), {
      name: "tfxio",
      // By default, threads inherit Node's flags. Node rejects the flag `--input-type` together with a file, so pass no flags if
      // the process has it. Passing all other flags explicitly would fail for V8 flags such as `--max-old-space-size`.
      ...(process.execArgv.some((argument) => argument.startsWith("--input-type")) && { execArgv: [] }),
    });
  } catch (cause) {
    throw new UnsupportedError(`Node cannot start a worker thread here: ${String(cause)}`, {
      feature: "workers",
      reason: "worker-runtime",
      cause,
    });
  }
}
