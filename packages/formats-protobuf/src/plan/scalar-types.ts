import { ScalarType } from "@bufbuild/protobuf";
import {
  Binary,
  type DataType,
  Float32,
  Float64,
  Int32,
  Int64,
  LargeBinary,
  Uint8,
  Uint32,
  Uint64,
} from "apache-arrow";
import { Encoding } from "../kernels/encoding.js";

/** Size of the offsets of lists and byte strings: 32 bits for `"list"`, 64 bits for `"large"`. */
export type ListType = "list" | "large";

const ENCODINGS: Readonly<Record<ScalarType, Encoding>> = {
  [ScalarType.INT32]: Encoding.varint32,
  [ScalarType.UINT32]: Encoding.varint32,
  [ScalarType.SINT32]: Encoding.zigzag32,
  [ScalarType.INT64]: Encoding.varint64,
  [ScalarType.UINT64]: Encoding.varint64,
  [ScalarType.SINT64]: Encoding.zigzag64,
  [ScalarType.BOOL]: Encoding.bool,
  [ScalarType.FIXED32]: Encoding.fixed32,
  [ScalarType.SFIXED32]: Encoding.fixed32,
  [ScalarType.FLOAT]: Encoding.fixed32,
  [ScalarType.FIXED64]: Encoding.fixed64,
  [ScalarType.SFIXED64]: Encoding.fixed64,
  [ScalarType.DOUBLE]: Encoding.fixed64,
  [ScalarType.STRING]: Encoding.bytes,
  [ScalarType.BYTES]: Encoding.bytes,
};

export function encodingOf(scalar: ScalarType): Encoding {
  return ENCODINGS[scalar];
}

/** Returns the wire type of a single value. Packed values are length-delimited instead. */
export function wireTypeOf(encoding: Encoding): number {
  switch (encoding) {
    case Encoding.fixed64:
      return 1;
    case Encoding.bytes:
    case Encoding.message:
      return 2;
    case Encoding.group:
      return 3;
    case Encoding.fixed32:
      return 5;
    default:
      return 0;
  }
}

/**
 * Returns the Arrow type of the items of a column. Bools are Uint8, because Arrow's bit-packed Bool has no tensor form.
 */
export function scalarArrowType(scalar: ScalarType, listType: ListType): DataType {
  switch (scalar) {
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return new Int32();
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return new Uint32();
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return new Int64();
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return new Uint64();
    case ScalarType.FLOAT:
      return new Float32();
    case ScalarType.DOUBLE:
      return new Float64();
    case ScalarType.BOOL:
      return new Uint8();
    default:
      return listType === "large" ? new LargeBinary() : new Binary();
  }
}
