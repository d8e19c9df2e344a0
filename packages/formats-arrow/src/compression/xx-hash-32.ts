const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;
const PRIME_4 = 0x27d4eb2f;
const PRIME_5 = 0x165667b1;
const STRIPE_BYTES = 16;

/**
 * Returns the 32-bit xxHash of bytes, with seed 0: the checksum of LZ4 frames.
 * @see https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
 */
export function xxHash32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hash = PRIME_5;
  let at = 0;
  if (bytes.length >= STRIPE_BYTES) {
    const lanes = Int32Array.of(PRIME_1 + PRIME_2, PRIME_2, 0, -PRIME_1);
    for (; at + STRIPE_BYTES <= bytes.length; at += STRIPE_BYTES) {
      for (let lane = 0; lane < 4; lane++) {
        const input = Math.imul(view.getInt32(at + 4 * lane, true), PRIME_2);
        lanes[lane] = Math.imul(rotate((lanes[lane] as number) + input, 13), PRIME_1);
      }
    }
    const [a = 0, b = 0, c = 0, d = 0] = lanes;
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  }
  hash = (hash + bytes.length) | 0;
  for (; at + 4 <= bytes.length; at += 4) {
    hash = Math.imul(rotate(hash + Math.imul(view.getInt32(at, true), PRIME_3), 17), PRIME_4);
  }
  for (; at < bytes.length; at++) {
    hash = Math.imul(rotate(hash + Math.imul(bytes[at] as number, PRIME_5), 11), PRIME_1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
  hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
