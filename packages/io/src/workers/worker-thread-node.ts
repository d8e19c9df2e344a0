import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { FromWorker } from "./protocol.js";
import type { WorkerListener, WorkerThread } from "./worker-thread.js";

/** Threads that run at once on this machine. */
export function availableThreads(): number {
  return availableParallelism();
}

export function startWorker(listener: WorkerListener): WorkerThread {
  // The published file also when this one runs from its source, which plain Node does not load.
  const worker = new Worker(new URL("../../dist/workers/serve-node.js", import.meta.url), {
    name: "tfxio",
    // Node refuses this flag, which belongs to `--eval`, beside a file.
    execArgv: process.execArgv.filter((argument) => !argument.startsWith("--input-type")),
  });
  let isEnding = false;
  worker.unref();
  worker.on("message", (message: FromWorker) => listener.onMessage(message));
  worker.on("messageerror", (cause) => listener.onFailure("it sent what cannot be received", cause));
  worker.on("error", (cause) => listener.onFailure(`it failed: ${String(cause)}`, cause));
  worker.on("exit", (code) => listener.onFailure(`it exited with code ${code}`));
  return {
    post: (message) => worker.postMessage(message, []),
    hold(isHeld) {
      if (isHeld || isEnding) worker.ref();
      else worker.unref();
    },
    async terminate() {
      // Else a process that only waits for this would end before.
      isEnding = true;
      worker.ref();
      await worker.terminate();
    },
  };
}
