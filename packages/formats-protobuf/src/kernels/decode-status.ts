/** Result of decoding a record. Kernels return it instead of throwing; their caller creates the error. */
export const DecodeStatus = {
  ok: 0,
  /** The bytes of the record or of a message end within a tag, a value or a group. */
  truncated: 1,
  /** A varint of more than ten bytes. */
  varint: 2,
  /** Field number 0, or a tag of more than 32 bits. */
  tag: 3,
  /** Wire type 6 or 7. */
  wireType: 4,
  /** An end tag without a matching start tag: no group is open, or the innermost open group is another one. */
  group: 5,
  /** Messages and groups nested too deeply. */
  depth: 6,
  /** The batch would exceed the available memory or 32-bit offsets. Its rows are lost. */
  batchTooLarge: 7,
} as const;
/** @see {@link DecodeStatus} */
export type DecodeStatus = (typeof DecodeStatus)[keyof typeof DecodeStatus];
