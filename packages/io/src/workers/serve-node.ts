// The entry point of a Node worker thread.
import { parentPort } from "node:worker_threads";
import type { ToWorker } from "./protocol.js";
import { describableFormats } from "../description/describable-formats.js";
import { serveReads } from "./serve-reads.js";

const receive = serveReads(
  (message, transfer) => parentPort?.postMessage(message, [...transfer]),
  describableFormats,
);
parentPort?.on("message", (message: ToWorker) => receive(message));
