/** Bytes of the protobuf wire format, put together by hand so that they can be wrong on purpose. */
export type Bytes = readonly number[];

/** A varint of the low 64 bits; a negative number takes ten bytes. */
export function varint(value: bigint | number): Bytes {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

/** The same value in one byte more than it needs, which parsers have to accept. */
export function overlongVarint(value: bigint): Bytes {
  const bytes = varint(value);
  return bytes.length === 10 ? bytes : [...bytes.slice(0, -1), (bytes.at(-1) ?? 0) | 128, 0];
}

/** A tag. @param wireType 0 varint, 1 and 5 fixed, 2 delimited, 3 and 4 group. */
export function tag(field: number, wireType: number): Bytes {
  return varint((BigInt(field) << 3n) | BigInt(wireType));
}

/** A field of bytes: a string, a message or packed values. */
export function delimited(field: number, bytes: Bytes): Bytes {
  return [...tag(field, 2), ...varint(bytes.length), ...bytes];
}

/** Four bytes, little-endian. */
export function fixed32(bits: number): Bytes {
  return [bits & 255, (bits >>> 8) & 255, (bits >>> 16) & 255, bits >>> 24];
}

/** The bytes of a string in UTF-8. */
export function utf8(text: string): Bytes {
  return [...new TextEncoder().encode(text)];
}
