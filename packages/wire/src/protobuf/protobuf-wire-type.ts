/** The wire types of the protobuf encoding. @see https://protobuf.dev/programming-guides/encoding/#structure */
export const WireType = {
  varint: 0,
  fixed64: 1,
  lengthDelimited: 2,
  startGroup: 3,
  endGroup: 4,
  fixed32: 5,
} as const;
/** A wire type of the protobuf encoding, as a number. */
export type WireType = (typeof WireType)[keyof typeof WireType];

/** Largest field number that a tag can hold: 2^29 - 1. */
export const MAX_FIELD_NUMBER = 0x1fffffff;
