/**
 * A value in Thrift's compact protocol, not yet interpreted as Parquet metadata, so that unknown fields are kept when the value
 * is written again. A 64-bit integer is a bigint if it is not a safe integer.
 * @see Apache Thrift, "Thrift Compact protocol encoding"
 */
export type ThriftValue =
  | { readonly type: typeof T.bool; readonly value: boolean }
  | { readonly type: typeof T.byte | typeof T.i16 | typeof T.i32; readonly value: number }
  | { readonly type: typeof T.i64; readonly value: number | bigint }
  | { readonly type: typeof T.double | typeof T.binary | typeof T.uuid; readonly value: Uint8Array }
  | {
      readonly type: typeof T.list | typeof T.set;
      readonly of: ThriftType;
      readonly value: readonly ThriftValue[];
    }
  | { readonly type: typeof T.struct; readonly value: ThriftStruct };

/** Fields by id. */
export type ThriftStruct = ReadonlyMap<number, ThriftValue>;

/**
 * Type ids of the encoding. The type id of a bool field also holds its value: `bool` means true, and `false` means false.
 * Thrift's map type is missing, because Parquet's metadata has no maps.
 */
export const T = {
  bool: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  struct: 12,
  uuid: 13,
} as const;

export type ThriftType = (typeof T)[keyof typeof T];

/** Returns the fields of a struct, or undefined for a value of another type. */
export function structOf(value: ThriftValue | undefined): ThriftStruct | undefined {
  return value?.type === T.struct ? value.value : undefined;
}

/** Returns the items of a list or set, or undefined for a value of another type. */
export function listOf(value: ThriftValue | undefined): readonly ThriftValue[] | undefined {
  return value?.type === T.list || value?.type === T.set ? value.value : undefined;
}

/** Returns an i16, i32 or i64 value as a number. Returns undefined for other types, and for integers that are not safe. */
export function integerOf(value: ThriftValue | undefined): number | undefined {
  const isInteger = value?.type === T.i16 || value?.type === T.i32 || value?.type === T.i64;
  return isInteger && typeof value.value === "number" ? value.value : undefined;
}

/** Returns the bytes of a binary value, or undefined for a value of another type. */
export function bytesOf(value: ThriftValue | undefined): Uint8Array | undefined {
  return value?.type === T.binary ? value.value : undefined;
}

/** Returns a binary value decoded as UTF-8, or undefined for a value of another type. */
export function textOf(value: ThriftValue | undefined): string | undefined {
  const bytes = bytesOf(value);
  return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Returns a copy of `struct` with these fields added or replaced. Undefined removes a field. */
export function withFields(
  struct: ThriftStruct,
  fields: Readonly<Record<number, ThriftValue | undefined>>,
): ThriftStruct {
  const changed = new Map(struct);
  for (const [id, value] of Object.entries(fields)) {
    if (value === undefined) changed.delete(Number(id));
    else changed.set(Number(id), value);
  }
  return changed;
}
