/** Result of {@link VarintReader.read} when the bytes end within the varint. */
export const CUT: -1 = -1;
/** Result of {@link VarintReader.read} for a varint of more than ten bytes. */
const TOO_LONG: -2 = -2;

/** Reads varints of up to ten bytes as two 32-bit halves, without a BigInt. */
export class VarintReader {
  /** Bits 0–31 of the last varint, as int32. */
  low = 0;
  /** Bits 32–63, as int32. */
  high = 0;

  /**
   * Reads the varint at `at`. Returns the offset after it, or {@link CUT} or {@link TOO_LONG}. Bits beyond the 64th are dropped.
   */
  read(bytes: Uint8Array, at: number, limit: number): number {
    let position = at;
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      if (position >= limit) return CUT;
      const byte = bytes[position++]!;
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        this.low = low;
        this.high = 0;
        return position;
      }
    }
    if (position >= limit) return CUT;
    let byte = bytes[position++]!;
    this.low = low | (byte << 28);
    let high = (byte & 0x7f) >>> 4;
    for (let shift = 3; byte >= 0x80; shift += 7) {
      if (shift > 31) return TOO_LONG;
      if (position >= limit) return CUT;
      byte = bytes[position++]!;
      high |= (byte & 0x7f) << shift;
    }
    this.high = high;
    return position;
  }
}
