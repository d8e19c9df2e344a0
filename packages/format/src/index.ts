// For those who read and write formats.
export {
  CONTRACT_VERSION,
  type Format,
  type Limits,
  type OpenOptions,
  type Reader,
  type ReadOptions,
  type ReadPlan,
  type ReadProgress,
  type ReadRequest,
  type Split,
  type WritableFormat,
  type WriteOptions,
  type WriteSummary,
} from "./format.js";
export type { Position } from "@tfxio/wire";
export { createFormatRegistry, type FormatRegistry } from "./registry.js";

// For those who make formats.
export { defineFormat } from "./define-format.js";
export type { FormatReader, FormatSpec, OpenContext, PlanRequest, WriteContext } from "./format.js";
export { recordFormat, type RecordFormatOptions } from "./record-format.js";
export type {
  ContainerContext,
  OptionsUse,
  PayloadDecoder,
  PayloadPlan,
  PayloadRequest,
  PayloadSession,
  RecordContainer,
  RecordFraming,
} from "./record-format-parts.js";
