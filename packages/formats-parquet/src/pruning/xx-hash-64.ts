const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;

const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotate = (value: bigint, by: bigint): bigint => wrap(value << by) | (value >> (64n - by));
const round = (lane: bigint, input: bigint): bigint => wrap(rotate(wrap(lane + input * P2), 31n) * P1);

/**
 * Computes XXH64 with seed 0, the hash of Parquet's bloom filters. Uses bigint, which is fast enough because only the few values
 * of a predicate are hashed.
 * @see xxHash `doc/xxhash_spec.md`, "XXH64 algorithm description"
 */
export function xxHash64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length;
  let [hash, at] = [P5, 0];
  if (end >= 32) {
    const lanes = [wrap(P1 + P2), P2, 0n, wrap(-P1)];
    for (; at + 32 <= end; at += 32) {
      for (const [lane, value] of lanes.entries()) {
        lanes[lane] = round(value, view.getBigUint64(at + 8 * lane, true));
      }
    }
    hash = wrap(
      lanes.reduce((sum, lane, index) => sum + rotate(lane, [1n, 7n, 12n, 18n][index] as bigint), 0n),
    );
    for (const lane of lanes) hash = wrap((hash ^ round(0n, lane)) * P1 + P4);
  }
  hash = wrap(hash + BigInt(end));
  for (; at + 8 <= end; at += 8) {
    hash = wrap(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4);
  }
  if (at + 4 <= end) {
    hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3);
    at += 4;
  }
  for (; at < end; at++) hash = wrap(rotate(hash ^ wrap(BigInt(bytes[at] as number) * P5), 11n) * P1);
  hash = wrap((hash ^ (hash >> 33n)) * P2);
  hash = wrap((hash ^ (hash >> 29n)) * P3);
  return hash ^ (hash >> 32n);
}
