/** Positions, none of them negative, as int64: the low halves, on a platform that is little-endian as all that run JavaScript are. */
export function widenPositions(positions: Int32Array): BigInt64Array {
  const result = new BigInt64Array(positions.length);
  const halves = new Int32Array(result.buffer);
  for (let i = 0; i < positions.length; i++) halves[2 * i] = positions[i] as number;
  return result;
}
