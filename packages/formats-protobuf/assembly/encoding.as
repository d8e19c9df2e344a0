// How values are encoded on the wire, and stored in the 32-bit words of their column. The numbers are those of `Encoding`
// in src/kernels/encoding.ts.

export const VARINT32: u32 = 0;
export const ZIGZAG32: u32 = 1;
export const VARINT64: u32 = 2;
export const ZIGZAG64: u32 = 3;
export const BOOL: u32 = 4;
export const FIXED32: u32 = 5;
export const FIXED64: u32 = 6;
export const BYTES: u32 = 7;
export const MESSAGE: u32 = 8;
export const GROUP: u32 = 9;

/** Number of 32-bit words of a value. The data of byte strings is stored separately. */
export function wordsPerValue(encoding: u32): u32 {
  if (encoding == VARINT64 || encoding == ZIGZAG64 || encoding == FIXED64) return 2;
  return encoding == MESSAGE || encoding == GROUP ? 0 : 1;
}
