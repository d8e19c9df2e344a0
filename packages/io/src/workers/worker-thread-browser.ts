import { UnsupportedError } from "@tfxio/wire";
import type { FromWorker, ToWorker } from "./protocol.js";
import type * as node from "./worker-thread-node.js";

/** The part of a web worker that is used here. */
interface WebWorker {
  addEventListener(type: "message", listener: (event: { readonly data: FromWorker }) => void): void;
  addEventListener(type: "messageerror", listener: () => void): void;
  addEventListener(type: "error", listener: (event: { readonly message?: string }) => void): void;
  postMessage(message: ToWorker, transfer: readonly ArrayBuffer[]): void;
  terminate(): void;
}

declare const Worker: new (
  url: URL,
  options: { readonly type: "module"; readonly name: string },
) => WebWorker;

/** Default of the option `workers` in browsers: 0, because a bundler might not include the worker's file. */
export const DEFAULT_WORKERS: typeof node.DEFAULT_WORKERS = 0;

/**
 * Returns the number of threads that this machine can run at the same time, as the browser reports it. Returns 1 if that is
 * unknown, or if there are no web workers.
 */
export const availableThreads: typeof node.availableThreads = () => {
  const { navigator } = globalThis as { navigator?: { readonly hardwareConcurrency?: number } };
  return typeof Worker === "undefined" ? 1 : (navigator?.hardwareConcurrency ?? 1);
};

/** Starts a web worker. @throws {UnsupportedError} `unsupported` (`worker-runtime`) if the browser has no web workers. */
export const startWorker: typeof node.startWorker = (listener) => {
  if (typeof Worker === "undefined") {
    throw new UnsupportedError("This runtime has no web workers; set workers to 0.", {
      feature: "workers",
      reason: "worker-runtime",
    });
  }
  // Bundlers recognize exactly this expression and bundle the worker's entry point.
  const worker = new Worker(new URL("./serve-browser.js", import.meta.url), {
    type: "module",
    name: "tfxio",
  });
  worker.addEventListener("message", ({ data }) => listener.onMessage(data));
  worker.addEventListener("messageerror", () =>
    listener.onFailure("sent a message that cannot be deserialized."),
  );
  // The message of an event may be missing or empty, for instance if the script cannot be loaded.
  worker.addEventListener("error", ({ message }) => {
    listener.onFailure(message ? `failed: ${message}` : "failed: its script cannot be loaded.");
  });
  return {
    post: (message) => worker.postMessage(message, []),
    ref() {},
    unref() {},
    terminate: async () => worker.terminate(),
  };
};
