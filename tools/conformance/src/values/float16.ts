/** Decodes the 16 bits of an IEEE 754 binary16 value. */
export function numberOfHalf(bits: number): number {
  const sign = bits < 0x8000 ? 1 : -1;
  const magnitude = bits % 0x8000;
  const exponent = Math.floor(magnitude / 0x400);
  const fraction = magnitude % 0x400;
  if (exponent === 31) return fraction === 0 ? sign / 0 : Number.NaN;
  if (exponent === 0) return (sign * fraction) / 2 ** 24;
  return sign * (1 + fraction / 0x400) * 2 ** (exponent - 15);
}

/**
 * Returns the bits of the IEEE 754 binary16 value nearest to `value`. If two values are equally near, returns the bits that end
 * in 0.
 */
export function halfOf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  // The binary search works because the bits, read as an integer, increase with the magnitude. For rounding, infinity counts
  // as 65536.
  const at = (bits: number): number => (bits === 0x7c00 ? 65536 : numberOfHalf(bits));
  let low = 0;
  let high = 0x7c00;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(middle) <= magnitude) low = middle;
    else high = middle;
  }
  const toLow = magnitude - at(low);
  const toHigh = at(high) - magnitude;
  const isLow = toLow === toHigh ? low % 2 === 0 : toLow < toHigh;
  return sign + (isLow ? low : high);
}
