/**
 * Returns the framed record, in the layout of TensorFlow's record_writer.h. Computes each CRC-32C bit by bit, without the code
 * under test.
 */
export function frame(payload: Uint8Array): Uint8Array {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(payload.length));
  return Buffer.concat([length, masked(length), payload, masked(payload)]);
}

export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc >>> 0;
}

export function masked(bytes: Uint8Array): Uint8Array {
  const crc = crc32c(bytes);
  const result = Buffer.alloc(4);
  result.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0);
  return result;
}

/** Returns a seeded generator (mulberry32) of numbers in [0, 1). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns payloads of random bytes, with lengths from 0 to `maxLength`. */
export function randomPayloads(random: () => number, count: number, maxLength: number): Uint8Array[] {
  return Array.from({ length: count }, () =>
    Uint8Array.from({ length: Math.floor(random() * (maxLength + 1)) }, () => Math.floor(random() * 256)),
  );
}
