/** Below, float32 has fewer digits the smaller its values are. */
const SMALLEST_NORMAL = 2 ** -126;
/** Up to here, every integer is a float32. */
const LAST_EXACT_INTEGER = 2 ** 24;

/**
 * The number with the fewest digits that rounds to the float32 `value`: 0.1 for 0.10000000149011612. Integers to 2^24,
 * NaN and infinities stay as they are.
 */
export function shortFloat32(value: number): number {
  const magnitude = Math.abs(value);
  if (!(magnitude < Infinity) || (magnitude <= LAST_EXACT_INTEGER && Number.isInteger(value))) return value;
  // Trailing zeros go, so normal values need not be tried with less than six digits, which they all have.
  for (let digits = magnitude < SMALLEST_NORMAL ? 1 : 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}
