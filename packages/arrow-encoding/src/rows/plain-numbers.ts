/** A 64-bit integer as a number where that is exact, else its decimal digits. */
export function plainInteger(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** A float; NaN and infinities by the names that protobuf's JSON mapping has for them. */
export function plainFloat(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

/** Below, float32 has fewer digits the smaller its values are. */
const SMALLEST_NORMAL = 2 ** -126;
/** Up to here, every integer is a float32. */
const LAST_EXACT_INTEGER = 2 ** 24;

/** A float32 by the fewest digits that stand for it: 0.1, not 0.10000000149011612. */
export function plainFloat32(value: number): number | string {
  const magnitude = Math.abs(value);
  if (!(magnitude < Infinity) || (magnitude <= LAST_EXACT_INTEGER && Number.isInteger(value))) {
    return plainFloat(value);
  }
  // Trailing zeros go, so normal values need not be tried with less than six digits, which they all have.
  for (let digits = magnitude < SMALLEST_NORMAL ? 1 : 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}
