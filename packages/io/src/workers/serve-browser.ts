// The entry point of a web worker.
import { workerFormats } from "./formats-browser.js";
import type { ToWorker } from "./protocol.js";
import { serveReads } from "./serve-reads.js";

/** The part of a dedicated worker's global scope that is used here. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: { readonly data: ToWorker }) => void): void;
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const receive = serveReads((message, transfer) => scope.postMessage(message, [...transfer]), workerFormats);
scope.addEventListener("message", ({ data }) => receive(data));
