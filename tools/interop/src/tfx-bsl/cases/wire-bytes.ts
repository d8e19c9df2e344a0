/** Bytes in the protobuf wire format. They are assembled without a library, so that they can be invalid on purpose. */
export type Bytes = readonly number[];

/** Encodes the low 64 bits of a value as a varint. A negative number takes ten bytes. */
export function varint(value: bigint | number): Bytes {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

/** Encodes a value as a varint that is one byte longer than necessary, if possible. Parsers must accept it. */
export function overlongVarint(value: bigint): Bytes {
  const bytes = varint(value);
  return bytes.length === 10 ? bytes : [...bytes.slice(0, -1), (bytes.at(-1) ?? 0) | 128, 0];
}

/** Encodes a field's tag. Wire types: 0 varint, 1 fixed64, 2 length-delimited, 3 start of group, 4 end of group, 5 fixed32. */
export function tag(field: number, wireType: number): Bytes {
  return varint((BigInt(field) << 3n) | BigInt(wireType));
}

/** Encodes a length-delimited field, which contains a string, a message or packed values. */
export function delimited(field: number, bytes: Bytes): Bytes {
  return [...tag(field, 2), ...varint(bytes.length), ...bytes];
}

/** Encodes 32 bits as four bytes, little-endian. */
export function fixed32(bits: number): Bytes {
  return [bits & 255, (bits >>> 8) & 255, (bits >>> 16) & 255, bits >>> 24];
}

/** Encodes a string as UTF-8. */
export function utf8(text: string): Bytes {
  return [...new TextEncoder().encode(text)];
}
