/** Smallest normal float32. Smaller, subnormal values have fewer significant digits. */
const SMALLEST_NORMAL = 2 ** -126;
/** The largest integer up to which float32 can hold every integer. */
const LAST_EXACT_INTEGER = 2 ** 24;

/**
 * Returns the number with the fewest digits that rounds to the float32 `value`: 0.1 for 0.10000000149011612. Integers up to 2^24,
 * NaN and infinities stay unchanged.
 */
export function shortFloat32(value: number): number {
  const magnitude = Math.abs(value);
  if (!(magnitude < Infinity) || (magnitude <= LAST_EXACT_INTEGER && Number.isInteger(value))) return value;
  // For normal values, the search can start at six digits. With six digits, the search also finds shorter decimals, because a
  // decimal of up to six digits survives the conversion to a normal float32, and Number drops trailing zeros.
  for (let digits = magnitude < SMALLEST_NORMAL ? 1 : 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}
