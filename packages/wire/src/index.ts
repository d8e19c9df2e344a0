// For users: sources, targets, records and errors.
export { createFolder, fileIdentity, fileSource, removeFile, renameFile } from "#fs";
export { blobSource } from "./sources/blob-source.js";
export { type BufferedStream, bufferStream } from "./sources/buffer-stream.js";
export type { ByteRange, ByteSource, SliceOptions, StreamOptions } from "./sources/byte-source.js";
export type { ByteStore, StoreEntry, StoreModule } from "./sources/byte-store.js";
export type { ByteTarget } from "./targets/byte-target.js";
export { type ByteStream, isByteStream } from "./sources/byte-stream.js";
export { bytesSource } from "./sources/bytes-source.js";
export { type CoalesceOptions, coalescing } from "./sources/coalescing.js";
export { rememberHead } from "./sources/remembered-head.js";
export { type Compression, type DecompressOptions, decompressed } from "./compression/compression.js";
export {
  ArgumentError,
  type ArgumentErrorCode,
  ConversionError,
  type ConversionErrorCode,
  type ConversionErrorOptions,
  type ErrorLocation,
  isTfxioError,
  messageWithoutCode,
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
export type { WritableFile, WritableFileHandle } from "./files/file-handle-target.js";
export { type HttpSourceOptions, httpSource } from "./sources/http/http-source.js";
export { type MemoryTarget, memoryTarget } from "./targets/memory-target.js";
export { type OpenSourcesOptions, openSources, type SourceInput } from "./sources/open-sources.js";
export { type OpenTargetOptions, openTarget, type TargetInput } from "./targets/open-target.js";
export { isRetryable, type RetryPolicy, retrying } from "./sources/retrying.js";
export { type OpenByteStream, streamSource } from "./sources/stream-source.js";
export { type TfRecordReadOptions, tfRecordBlocks } from "./tfrecord/tfrecord-blocks.js";
export {
  encodeTfRecord,
  encodeTfRecords,
  frameTfRecords,
  type RecordInput,
  type TfRecordEncodeOptions,
} from "./tfrecord/tfrecord-encode.js";
export {
  type TfRecordWriteOptions,
  type TfRecordWriteProgress,
  type TfRecordWriteSummary,
  writeTfRecords,
} from "./tfrecord/tfrecord-write.js";

// For authors of formats and payloads.
export { assertByteSource } from "./sources/check-source.js";
export { type CompressedTarget, compressedTarget } from "./compression/compressed-target.js";
export { type CountingTarget, countingTarget } from "./targets/counting-target.js";
export { isByteTarget } from "./targets/open-target.js";
export { type HandedOver, handedOver, type ItemReader, itemsOf } from "./handed-over.js";
export { inParallel } from "./sources/in-parallel.js";
export { type CancellableIterator, cancellable } from "./cancellable.js";
export { DEFAULT_MAX_COLUMNS, DEFAULT_MAX_RECORD_BYTES } from "./limits.js";
export { type LinkedSignal, linkSignals, onAbort } from "./linked-signal.js";
export { ProtoCursor, type ProtoCursorOptions } from "./protobuf/protobuf-cursor.js";
export { WireType } from "./protobuf/protobuf-wire-type.js";
export { ProtoWriter } from "./protobuf/protobuf-writer.js";
export type { Json, Position } from "./sources/position.js";
export { Random } from "./random.js";
export { slicesOf, tailOf } from "./sources/ranged-reads.js";
export { untilAborted } from "./until-aborted.js";
export type {
  BatchLimits,
  FramedOptions,
  FramedWindow,
  FramedWindows,
  PushProgress,
  RecordBlock,
} from "./record-block.js";
export { decodeTfRecord } from "./tfrecord/tfrecord-frame.js";
export {
  type TfRecordPart,
  type TfRecordWindowOptions,
  tfRecordWindows,
} from "./tfrecord/tfrecord-windows.js";
