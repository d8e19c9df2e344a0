// For users: sources, records, errors.
export { fileSource } from "#fs";
export { blobSource } from "./blob-source.js";
export { type BufferedStream, bufferStream } from "./buffer-stream.js";
export type { ByteRange, ByteSource, SliceOptions, StreamOptions } from "./byte-source.js";
export type { ByteStore, StoreEntry, StoreModule } from "./byte-store.js";
export type { ByteTarget } from "./byte-target.js";
export { type ByteStream, isByteStream } from "./byte-stream.js";
export { bytesSource } from "./bytes-source.js";
export { type CoalesceOptions, coalescing } from "./coalescing.js";
export { type Compression, type DecompressOptions, decompressed } from "./compression.js";
export {
  ArgumentError,
  type ArgumentErrorCode,
  ConversionError,
  type ConversionErrorCode,
  type ConversionErrorOptions,
  type ErrorLocation,
  isTfxioError,
  RecordError,
  type RecordErrorCode,
  SchemaError,
  type SchemaErrorCode,
  type SchemaErrorOptions,
  SourceError,
  type SourceErrorCode,
  TfxioError,
  type TfxioErrorCode,
  type TfxioErrorOf,
  type TfxioErrorOptions,
  UnsupportedError,
  UserFunctionError,
} from "./errors.js";
export type { WritableFile, WritableFileHandle } from "./file-handle-target.js";
export { type HttpSourceOptions, httpSource } from "./http-source.js";
export { type MemoryTarget, memoryTarget } from "./memory-target.js";
export { type OpenSourcesOptions, openSources, type SourceInput } from "./open-sources.js";
export { type OpenTargetOptions, openTarget, type TargetInput } from "./open-target.js";
export { isRetryable, type RetryPolicy, retrying } from "./retrying.js";
export { type OpenByteStream, streamSource } from "./stream-source.js";
export { type TfRecordReadOptions, tfRecordBlocks } from "./tfrecord-blocks.js";
export {
  encodeTfRecord,
  encodeTfRecords,
  frameTfRecords,
  type RecordInput,
  type TfRecordEncodeOptions,
} from "./tfrecord-encode.js";
export {
  type TfRecordWriteOptions,
  type TfRecordWriteProgress,
  type TfRecordWriteSummary,
  writeTfRecords,
} from "./tfrecord-write.js";

// For those who build formats and payloads.
export { assertKnownKeys, assertOptions } from "./check-options.js";
export { assertByteSource } from "./check-source.js";
export { type CompressedTarget, compressedTarget } from "./compressed-target.js";
export { type CountingTarget, countingTarget } from "./counting-target.js";
export { type LeavableIterator, leavable } from "./leavable.js";
export { type LinkedSignal, linkSignals, onAbort } from "./linked-signal.js";
export { ProtoCursor, type ProtoCursorOptions } from "./protobuf-cursor.js";
export { WireType } from "./protobuf-wire-type.js";
export { ProtoWriter } from "./protobuf-writer.js";
export type { Json, Position } from "./position.js";
export { Random } from "./random.js";
export { slicesOf, tailOf } from "./ranged-reads.js";
export type {
  BatchLimits,
  FramedOptions,
  FramedWindow,
  FramedWindows,
  PushProgress,
  RecordBlock,
} from "./record-block.js";
export { type TfRecordWindowOptions, tfRecordWindows } from "./tfrecord-windows.js";
