import { ProtoCursor, WireType } from "@tfxio/wire";

/**
 * The fields of one protobuf message, read without its schema. Byte values are views into the message. Fields of wire types other
 * than varint and length-delimited are ignored.
 */
export interface ProtobufFields {
  /** Returns all length-delimited values of a field, in order. */
  all(field: number): readonly Uint8Array[];
  /** Returns all values of a field, decoded as UTF-8. */
  texts(field: number): readonly string[];
  /**
   * Returns the value of a length-delimited field, or undefined. A field that occurs several times is rejected, because parsers
   * differ in how they merge the occurrences.
   * @throws {Error} if the field occurs more than once.
   */
  one(field: number): Uint8Array | undefined;
  /** Like `one`, decoded as UTF-8. Default `""`. */
  text(field: number): string;
  /** Returns the last value of an integer field. Default 0. */
  integer(field: number): bigint;
  /** Returns the entries of a map field with text keys and message values. @throws {Error} for a key that occurs twice. */
  entries(field: number): ReadonlyMap<string, ProtobufFields>;
}

const utf8 = new TextDecoder();

/** Reads a message. @throws {RecordError} `malformed-payload` for bytes that are not a protobuf message. */
export function protobufFields(bytes: Uint8Array): ProtobufFields {
  const delimited = new Map<number, Uint8Array[]>();
  const integers = new Map<number, bigint>();
  const cursor = new ProtoCursor(bytes);
  while (!cursor.isAtEnd) {
    const tag = cursor.tag();
    const field = tag >>> 3;
    if ((tag & 7) === WireType.lengthDelimited) {
      const values = delimited.get(field);
      if (values === undefined) delimited.set(field, [cursor.lengthDelimited()]);
      else values.push(cursor.lengthDelimited());
    } else if ((tag & 7) === WireType.varint) integers.set(field, cursor.int64());
    else cursor.skip(tag);
  }
  const all = (field: number): readonly Uint8Array[] => delimited.get(field) ?? [];
  const one = (field: number): Uint8Array | undefined => {
    const values = all(field);
    if (values.length > 1) throw new Error(`the field ${field} occurs ${values.length} times`);
    return values[0];
  };
  return {
    all,
    one,
    texts: (field) => all(field).map((value) => utf8.decode(value)),
    text: (field) => utf8.decode(one(field) ?? new Uint8Array(0)),
    integer: (field) => integers.get(field) ?? 0n,
    entries(field) {
      const entries = new Map<string, ProtobufFields>();
      for (const entry of all(field)) {
        const pair = protobufFields(entry);
        const key = pair.text(1);
        if (entries.has(key)) throw new Error(`the key ${JSON.stringify(key)} occurs twice`);
        entries.set(key, protobufFields(pair.one(2) ?? new Uint8Array(0)));
      }
      return entries;
    },
  };
}
