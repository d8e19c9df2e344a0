export type { PassRequest, RecordBatchFactory, SendOptions } from "./batch-source.js";
export type { ServedPass } from "./send-pass.js";
export { sendRecordBatches, type SendRecordBatchesOptions } from "./send-record-batches.js";
export type { ServeOptions } from "./serve-options.js";
export { type RecordBatchServer, serveRecordBatches } from "./serve-record-batches.js";
