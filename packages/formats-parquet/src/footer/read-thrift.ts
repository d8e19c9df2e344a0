import { type ThriftStruct, T, type ThriftType, type ThriftValue } from "./thrift.js";

const MAX_DEPTH = 32;
const TYPES: ReadonlySet<number> = new Set(Object.values(T));

/** A struct, and the offset of the byte after it. */
export interface ReadStruct {
  readonly struct: ThriftStruct;
  readonly end: number;
}

/**
 * Reads the struct that begins at byte `start`. Rejects a list that claims more items than there are bytes left.
 * @throws {RangeError} for bytes that do not encode a struct.
 */
export function readThrift(bytes: Uint8Array, start = 0): ReadStruct {
  const reader = new ThriftReader(bytes, start);
  const struct = reader.readStruct(0);
  return { struct, end: reader.at };
}

class ThriftReader {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
  ) {}

  readStruct(depth: number): ThriftStruct {
    if (depth > MAX_DEPTH) throw new RangeError(`structs are nested deeper than ${MAX_DEPTH} levels`);
    const fields = new Map<number, ThriftValue>();
    let id = 0;
    for (let header = this.#readByte(); header !== 0; header = this.#readByte()) {
      const delta = header >> 4;
      id = delta === 0 ? Number(this.#readLong()) : id + delta;
      fields.set(id, this.#readValue(this.#typeOf(header & 15), depth, { isField: true }));
    }
    return fields;
  }

  #readValue(type: ThriftType, depth: number, { isField }: { readonly isField: boolean }): ThriftValue {
    switch (type) {
      case T.bool:
      case T.false:
        // A bool field stores its value in its type; a bool in a list takes a byte.
        return { type: T.bool, value: (isField ? type : this.#readByte()) === T.bool };
      case T.byte:
        return { type, value: (this.#readByte() << 24) >> 24 };
      case T.i16:
      case T.i32: {
        const value = Number(this.#readLong());
        if (value !== (value | 0)) throw new RangeError(`${value} is not an integer of 32 bits`);
        return { type, value };
      }
      case T.i64:
        return { type, value: this.#readLong() };
      case T.double:
        return { type, value: this.#take(8) };
      case T.uuid:
        return { type, value: this.#take(16) };
      case T.binary:
        return { type, value: this.#take(this.#readSize()) };
      case T.list:
      case T.set: {
        const header = this.#readByte();
        const size = header >> 4 === 15 ? this.#readSize() : header >> 4;
        if (size > this.bytes.length - this.at)
          throw new RangeError(`a list of ${size} items ends too early`);
        // fastparquet writes empty lists without an item type.
        const of = size === 0 ? ((header & 15) as ThriftType) : this.#typeOf(header & 15);
        const value: ThriftValue[] = [];
        for (let item = 0; item < size; item++) value.push(this.#readValue(of, depth, { isField: false }));
        return { type, of, value };
      }
      case T.struct:
        return { type, value: this.readStruct(depth + 1) };
    }
  }

  #typeOf(type: number): ThriftType {
    if (!TYPES.has(type)) throw new RangeError(`${type} is not the id of a Thrift type`);
    return type as ThriftType;
  }

  #readByte(): number {
    if (this.at >= this.bytes.length) throw new RangeError("the bytes end too early");
    return this.bytes[this.at++] as number;
  }

  #take(length: number): Uint8Array {
    if (length > this.bytes.length - this.at) throw new RangeError("the bytes end too early");
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** Reads a varint that is a length. */
  #readSize(): number {
    let [size, unit] = [0, 1];
    for (let index = 0; index < 5; index++, unit *= 128) {
      const byte = this.#readByte();
      size += (byte & 0x7f) * unit;
      if (byte < 0x80) return size;
    }
    throw new RangeError("a length has more than 32 bits");
  }

  /** Reads a zigzag varint. Returns a bigint if the value is not a safe integer. */
  #readLong(): number | bigint {
    const first = this.#readByte();
    if (first < 0x80) return (first >>> 1) ^ -(first & 1);
    let [value, shift] = [BigInt(first & 0x7f), 7n];
    for (let byte = 0x80; byte >= 0x80; shift += 7n) {
      if (shift > 63n) throw new RangeError("an integer has more than 64 bits");
      byte = this.#readByte();
      value |= BigInt(byte & 0x7f) << shift;
    }
    const signed = BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    const isSafe = signed >= BigInt(Number.MIN_SAFE_INTEGER) && signed <= BigInt(Number.MAX_SAFE_INTEGER);
    return isSafe ? Number(signed) : signed;
  }
}
