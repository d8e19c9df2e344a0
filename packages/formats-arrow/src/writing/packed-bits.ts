/**
 * Returns bits `start` to `start + length` (exclusive), LSB first, shifted to begin at bit 0. The unused bits of the last byte
 * are 0. Returns a view if `start` and `length` are multiples of 8, else a copy.
 */
export function packedBits(bits: Uint8Array, start: number, length: number): Uint8Array {
  const [first, shift] = [start >> 3, start & 7];
  const numBytes = (length + 7) >> 3;
  const rest = length & 7;
  if (shift === 0 && rest === 0) return bits.subarray(first, first + numBytes);
  const packed = new Uint8Array(numBytes);
  for (let at = 0; at < numBytes; at++) {
    const high = bits[first + at + 1] ?? 0;
    packed[at] = ((bits[first + at] as number) >> shift) | (high << (8 - shift));
  }
  if (rest > 0) packed[numBytes - 1] = (packed[numBytes - 1] as number) & ((1 << rest) - 1);
  return packed;
}
