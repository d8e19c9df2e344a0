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

/** Unlike Node's: whether the worker's file is there depends on the bundler. */
export const DEFAULT_WORKERS: typeof node.DEFAULT_WORKERS = 0;

/** Threads that run at once on this machine, as far as the browser tells. */
export const availableThreads: typeof node.availableThreads = () => {
  const { navigator } = globalThis as { navigator?: { readonly hardwareConcurrency?: number } };
  return typeof Worker === "undefined" ? 1 : (navigator?.hardwareConcurrency ?? 1);
};

/** @throws {UnsupportedError} `unsupported` (`worker-runtime`) where there are no web workers. */
export const startWorker: typeof node.startWorker = (listener) => {
  if (typeof Worker === "undefined") {
    throw new UnsupportedError("there are no web workers here", {
      feature: "workers",
      reason: "worker-runtime",
    });
  }
  // Written out like this, bundlers recognise the entry of a worker and bundle it.
  const worker = new Worker(new URL("./serve-browser.js", import.meta.url), {
    type: "module",
    name: "tfxio",
  });
  worker.addEventListener("message", ({ data }) => listener.onMessage(data));
  worker.addEventListener("messageerror", () => listener.onFailure("it sent what cannot be received"));
  worker.addEventListener("error", ({ message }) => {
    listener.onFailure(`it failed: ${message ?? "its script cannot be loaded"}`);
  });
  return {
    post: (message) => worker.postMessage(message, []),
    ref() {},
    unref() {},
    terminate: async () => worker.terminate(),
  };
};
