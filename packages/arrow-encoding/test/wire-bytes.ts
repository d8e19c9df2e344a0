// Writes protobuf's wire format by hand, independently of the library.

/** Returns a varint of any 64-bit integer, with `padding` redundant bytes. */
export function varint(value: bigint | number, padding = 0): number[] {
  const bytes: number[] = [];
  if (typeof value === "number" && value >= 0 && value < 2 ** 31) {
    for (let rest = value; ; rest >>= 7) {
      bytes.push((rest & 127) | 128);
      if (rest < 128) break;
    }
    return ended(bytes, padding);
  }
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  } while (rest > 0n);
  return ended(bytes, padding);
}

function ended(bytes: number[], padding: number): number[] {
  for (let i = 0; i < padding; i++) bytes.push(128);
  bytes[bytes.length - 1]! &= 127;
  return bytes;
}

/** Returns a field with wire type 2. */
export function field(fieldNumber: number, payload: readonly number[]): number[] {
  return [...varint(fieldNumber * 8 + 2), ...varint(payload.length), ...payload];
}

/** Returns UTF-8 bytes. */
export function text(value: string): number[] {
  return [...new TextEncoder().encode(value)];
}

/** Returns the bytes of float32 values, little-endian. */
export function floats(...values: readonly number[]): number[] {
  return [...new Uint8Array(Float32Array.from(values).buffer)];
}

/** Returns a group around `content`. */
export function group(fieldNumber: number, content: readonly number[]): number[] {
  return [...varint(fieldNumber * 8 + 3), ...content, ...varint(fieldNumber * 8 + 4)];
}

/** Returns an entry of `Features.feature`. */
export function entry(name: string, feature: readonly number[]): number[] {
  return field(1, [...field(1, text(name)), ...field(2, feature)]);
}

/** Returns an Example with these entries. */
export function example(...entries: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from(field(1, entries.flat()));
}

/** Returns a Feature with a `bytes_list`. The two functions below do the same for `float_list` and `int64_list`. */
export const bytesFeature = (...values: readonly string[]): number[] =>
  field(
    1,
    values.flatMap((value) => field(1, text(value))),
  );
export const floatFeature = (...values: readonly number[]): number[] => field(2, field(1, floats(...values)));
export const int64Feature = (...values: readonly (number | bigint)[]): number[] =>
  field(
    3,
    field(
      1,
      values.flatMap((value) => varint(value)),
    ),
  );
