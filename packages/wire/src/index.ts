export type { ByteSource, StreamOptions } from "./byte-source.js";
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
export type { FramedWindow, FramedWindows, RecordBlock } from "./record-block.js";
export { ProtoCursor, type ProtoCursorOptions } from "./protobuf-cursor.js";
export { WireType } from "./protobuf-wire-type.js";
export { ProtoWriter } from "./protobuf-writer.js";
