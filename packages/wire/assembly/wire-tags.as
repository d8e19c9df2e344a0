/** Tag of a length-delimited field 1, such as `Example.features`, an entry's key, `Feature.bytes_list` or values of a list. */
export const TAG_1: u32 = 0x0a;
/** Tag of a length-delimited field 2: `SequenceExample.feature_lists`, an entry's value or `Feature.float_list`. */
export const TAG_2: u32 = 0x12;
/** Tag of `Feature.int64_list`. */
export const TAG_3: u32 = 0x1a;
/** Tag of an int64 that is not packed. */
export const TAG_1_VARINT: u32 = 0x08;
/** Tag of a float that is not packed. */
export const TAG_1_FIXED32: u32 = 0x0d;

// `FeatureKind` of src/kernels/kernels.ts: the numbers of the oneof's fields.
export const UNSET: u32 = 0;
export const BYTES: u32 = 1;
export const FLOAT: u32 = 2;
export const INT64: u32 = 3;

// `KernelStatus` of src/kernels/kernels.ts.
export const OK: u32 = 0;
export const MALFORMED_PAYLOAD: u32 = 1;
export const WRONG_KIND: u32 = 2;
export const UNLISTED_FEATURE: u32 = 3;
export const LENGTH_CRC: u32 = 4;
export const DATA_CRC: u32 = 5;
export const RECORD_TOO_LONG: u32 = 6;
export const BATCH_TOO_LARGE: u32 = 7;
export const FEATURE_LISTS: u32 = 8;
export const TOO_MANY_COLUMNS: u32 = 9;

// Depth left for unknown groups inside each message. Messages and groups may be nested 100 deep, as in protobuf's C++ parser.
export const DEPTH_EXAMPLE: u32 = 100;
export const DEPTH_FEATURES: u32 = 99;
export const DEPTH_ENTRY: u32 = 98;
export const DEPTH_FEATURE: u32 = 97;
export const DEPTH_LIST: u32 = 96;
/** A step of a feature list is a feature one level deeper. */
export const DEPTH_STEP: u32 = 96;

/** Kind of the list that a field of `tensorflow.Feature` with this tag holds; `UNSET` for an unknown field. */
// @ts-ignore: decorator
@inline
export function kindOfTag(tag: u32): u32 {
  return tag == TAG_1 ? BYTES : tag == TAG_2 ? FLOAT : tag == TAG_3 ? INT64 : UNSET;
}

/** True if a list of this kind has values in a field with this tag. */
// @ts-ignore: decorator
@inline
export function isValueTag(kind: u32, tag: u32): bool {
  return tag == TAG_1 || (tag == TAG_1_VARINT && kind == INT64) || (tag == TAG_1_FIXED32 && kind == FLOAT);
}
