/**
 * Converts non-negative positions to int64. Writes only the low halves: the high halves are 0, and the supported platforms are
 * little-endian.
 */
export function widenPositions(positions: Int32Array): BigInt64Array {
  const result = new BigInt64Array(positions.length);
  const halves = new Int32Array(result.buffer);
  for (let i = 0; i < positions.length; i++) halves[2 * i] = positions[i] as number;
  return result;
}
