// The entry of a web worker.
import type { ToWorker } from "./protocol.js";
import { arrow } from "@tfxio/formats-arrow/worker";
import { avro } from "@tfxio/formats-avro";
import { csv, tsv } from "@tfxio/formats-csv";
import { jsonl } from "@tfxio/formats-jsonl";
import { parquet } from "@tfxio/formats-parquet";
import { protobuf } from "@tfxio/formats-protobuf";
import { tfRecordFormats } from "@tfxio/formats-tfrecord";
import { tfrecordProtobuf } from "../tfrecord-protobuf.js";
import { serveReads } from "./serve-reads.js";

/** The part of a dedicated worker's global scope that is used here. */
interface WorkerScope {
  addEventListener(type: "message", listener: (event: { readonly data: ToWorker }) => void): void;
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
}

const scope = globalThis as unknown as WorkerScope;
// All formats, with static imports only. Bundlers turn dynamic imports into extra chunks, which single-file workers (the
// default in Vite) cannot load.
const formats = [...tfRecordFormats, arrow, parquet, avro, protobuf, tfrecordProtobuf, jsonl, csv, tsv];
const receive = serveReads((message, transfer) => scope.postMessage(message, [...transfer]), formats);
scope.addEventListener("message", ({ data }) => receive(data));
