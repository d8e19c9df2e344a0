/** Converts float16 values, which Arrow stores as bits, to float32. The result is a copy. */
export function fromFloat16Bits(bits: Uint16Array): Float32Array {
  const values = new Float32Array(bits.length);
  for (let index = 0; index < bits.length; index++) values[index] = fromFloat16(bits[index] as number);
  return values;
}

/** Decodes IEEE 754 binary16: one sign bit, five exponent bits, ten fraction bits. The value is exact in float32. */
export function fromFloat16(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
