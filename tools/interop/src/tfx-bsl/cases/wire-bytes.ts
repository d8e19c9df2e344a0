/** Bytes in the protobuf wire format, assembled by hand so that they can be invalid on purpose. */
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

/** The value as a varint that is one byte longer than necessary, which parsers must accept. */
export function overlongVarint(value: bigint): Bytes {
  const bytes = varint(value);
  return bytes.length === 10 ? bytes : [...bytes.slice(0, -1), (bytes.at(-1) ?? 0) | 128, 0];
}

/** A field tag. @param wireType 0 varint, 1 fixed64, 2 length-delimited, 3 start of a group, 4 end of a group, 5 fixed32. */
export function tag(field: number, wireType: number): Bytes {
  return varint((BigInt(field) << 3n) | BigInt(wireType));
}

/** A length-delimited field: a string, a message or packed values. */
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
