/** The encoding of the values of a field on the wire, and the form in which their column stores them. */
export const Encoding = {
  /** int32, uint32 and enums: the low 32 bits of a varint. */
  varint32: 0,
  /** sint32: a zigzag varint, decoded to one word. */
  zigzag32: 1,
  /** int64 and uint64: two words, the low one first. */
  varint64: 2,
  /** sint64: a zigzag varint, decoded to two words, the low one first. */
  zigzag64: 3,
  /** bool: a varint, stored as a word of 0 or 1. */
  bool: 4,
  /** fixed32, sfixed32 and float: four bytes, unchanged. */
  fixed32: 5,
  /** fixed64, sfixed64 and double: eight bytes, unchanged. */
  fixed64: 6,
  /** string and bytes: a length, then the bytes. */
  bytes: 7,
  /** A length-delimited message. */
  message: 8,
  /** A message between a start and an end tag. */
  group: 9,
} as const;
/** @see {@link Encoding} */
export type Encoding = (typeof Encoding)[keyof typeof Encoding];

/**
 * Returns the number of 32-bit words of a value in its column. For byte strings, the word is an offset, and the bytes are stored
 * separately.
 */
export function wordsPerValue(encoding: Encoding): number {
  switch (encoding) {
    case Encoding.varint64:
    case Encoding.zigzag64:
    case Encoding.fixed64:
      return 2;
    case Encoding.message:
    case Encoding.group:
      return 0;
    default:
      return 1;
  }
}
