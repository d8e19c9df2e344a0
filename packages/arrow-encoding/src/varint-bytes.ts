/** Bytes of a length as a varint. Below 2^35, which no length that is written comes near. */
export function varintSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
}

/** Bytes of a 64-bit integer, given by its halves, as a varint. */
export function varint64Size(low: number, high: number): number {
  if (high === 0) return varintSize(low >>> 0);
  return ((70 - Math.clz32(high)) / 7) | 0;
}

/** Writes an integer below 2^32; the result is the position behind it. */
export function writeVarint(bytes: Uint8Array, position: number, value: number): number {
  let at = position;
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
  bytes[at++] = rest;
  return at;
}

/** Writes a 64-bit integer given by its halves; the result is the position behind it. */
export function writeVarint64(bytes: Uint8Array, position: number, low: number, high: number): number {
  let at = position;
  let lower = low >>> 0;
  let upper = high >>> 0;
  while (upper !== 0) {
    bytes[at++] = (lower & 0x7f) | 0x80;
    lower = ((lower >>> 7) | (upper << 25)) >>> 0;
    upper >>>= 7;
  }
  return writeVarint(bytes, at, lower);
}
