/** Non-negative positions as int64. Writes only the low halves, since every platform that runs JavaScript is little-endian. */
export function widenPositions(positions: Int32Array): BigInt64Array {
  const result = new BigInt64Array(positions.length);
  const halves = new Int32Array(result.buffer);
  for (let i = 0; i < positions.length; i++) halves[2 * i] = positions[i] as number;
  return result;
}
