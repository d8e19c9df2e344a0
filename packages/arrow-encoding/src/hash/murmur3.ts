/**
 * Returns the MurmurHash3_x86_32 of the bytes `start` to `end` (exclusive) as an unsigned 32-bit integer. The hash is fast and
 * evenly distributed, but not resistant to deliberate collisions.
 * @see https://github.com/aappleby/smhasher, MurmurHash3.cpp, by Austin Appleby, in the public domain
 */
export function murmur3(bytes: Uint8Array, start: number, end: number, seed: number): number {
  const length = end - start;
  const tail = end - (length & 3);
  let hash = seed;
  for (let at = start; at < tail; at += 4) {
    const block =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    hash = withBlock(hash, block);
  }
  if (tail < end) {
    let rest = bytes[tail] as number;
    if (tail + 1 < end) rest |= (bytes[tail + 1] as number) << 8;
    if (tail + 2 < end) rest |= (bytes[tail + 2] as number) << 16;
    hash ^= mixed(rest);
  }
  return finished(hash ^ length);
}

/** Returns the {@link murmur3} hash of the eight little-endian bytes of an integer, given as two 32-bit halves. */
export function murmur3Int64(low: number, high: number, seed: number): number {
  return finished(withBlock(withBlock(seed, low), high) ^ 8);
}

function withBlock(hash: number, block: number): number {
  const next = hash ^ mixed(block);
  return (Math.imul((next << 13) | (next >>> 19), 5) + 0xe6546b64) | 0;
}

function mixed(block: number): number {
  const product = Math.imul(block, 0xcc9e2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b873593);
}

/** Applies the final avalanche, `fmix32` in MurmurHash3.cpp. */
function finished(hash: number): number {
  let result = hash ^ (hash >>> 16);
  result = Math.imul(result, 0x85ebca6b);
  result ^= result >>> 13;
  result = Math.imul(result, 0xc2b2ae35);
  return (result ^ (result >>> 16)) >>> 0;
}
