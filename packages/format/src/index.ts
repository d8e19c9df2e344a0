// For users of formats.
export {
  CONTRACT_VERSION,
  type Format,
  MIN_CONTRACT_VERSION,
  type OpenOptions,
  type Reader,
  type WritableFormat,
  type WriterOptions,
} from "./format.js";
export type { BatchWriter } from "./format-spec.js";
export type { Limits } from "./limits.js";
export type { ReadOptions, ReadPlan, ReadProgress, ShuffledRead, Split, SplitRows } from "./read-plan.js";
export type { ColumnForm, FormatReads, ReadRequest } from "./read-request.js";
export type { Position } from "@tfxio/wire";
export type { SniffResult } from "./sniff-result.js";
export { createFormatRegistry, type FormatRegistry } from "./registry.js";
export {
  type DecodedRecords,
  decodeRecords,
  type RecordsDecoder,
  type RecordsRequest,
} from "./records/decode-records.js";

// For authors of formats.
export { isDelimitedText } from "./looks-like.js";
export { defineFormat } from "./define-format.js";
export type { FormatReader, FormatSpec, OpenContext, WriterContext } from "./format-spec.js";
export type { PlanRequest } from "./read-request.js";
export { overlayLimits } from "./guard/overlay-options.js";
export { onePassSource } from "./records/one-pass-source.js";
export { recordFormat, type RecordFormatOptions } from "./records/record-format.js";
export type {
  ContainerContext,
  CutContext,
  FramedContainer,
  FramedSession,
  OptionsUse,
  PayloadDecoder,
  PayloadPlan,
  PayloadRequest,
  PayloadSession,
  RecordContainer,
  RecordCut,
  RecordFraming,
  RecordIndex,
  RecordPart,
} from "./records/record-format-parts.js";

// For `io`, which converts batches of other copies of apache-arrow before it slices them or takes their rows.
export { loadOwnBatch } from "#own-batch";

// For `io`, which offers leased batches of formats that support them.
export { isLendingPlan, type LendingPlan, type LendingSession, type LentBatch } from "./records/lending.js";
