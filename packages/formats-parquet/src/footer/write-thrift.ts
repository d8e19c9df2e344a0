import { type ThriftStruct, T, type ThriftType, type ThriftValue } from "./thrift.js";

/** Returns the encoded bytes of a struct: the inverse of `readThrift`. */
export function writeThrift(struct: ThriftStruct): Uint8Array {
  const writer = new ThriftWriter();
  writer.writeStruct(struct);
  return writer.bytes();
}

class ThriftWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  writeStruct(struct: ThriftStruct): void {
    let last = 0;
    for (const [id, value] of [...struct].sort(([a], [b]) => a - b)) {
      const type = value.type === T.bool && !value.value ? T.false : value.type;
      const delta = id - last;
      if (delta > 0 && delta < 16) this.#writeByte((delta << 4) | type);
      else {
        this.#writeByte(type);
        this.#writeLong(id);
      }
      last = id;
      if (value.type !== T.bool) this.#writeValue(value);
    }
    this.#writeByte(0);
  }

  #writeValue(value: ThriftValue): void {
    switch (value.type) {
      case T.bool:
        this.#writeByte(value.value ? T.bool : T.false);
        return;
      case T.byte:
        this.#writeByte(value.value & 0xff);
        return;
      case T.i16:
      case T.i32:
      case T.i64:
        this.#writeLong(value.value);
        return;
      case T.binary:
        this.#writeSize(value.value.length);
        this.#write(value.value);
        return;
      case T.double:
      case T.uuid:
        this.#write(value.value);
        return;
      case T.list:
      case T.set:
        this.#writeList(value.of, value.value);
        return;
      case T.struct:
        this.writeStruct(value.value);
    }
  }

  #writeList(of: ThriftType, items: readonly ThriftValue[]): void {
    if (items.length < 15) this.#writeByte((items.length << 4) | of);
    else {
      this.#writeByte(0xf0 | of);
      this.#writeSize(items.length);
    }
    for (const item of items) this.#writeValue(item);
  }

  #writeLong(value: number | bigint): void {
    if (typeof value === "number" && Math.abs(value) < 2 ** 30) {
      this.#writeSize(((value << 1) ^ (value >> 31)) >>> 0);
      return;
    }
    const wide = BigInt(value);
    let rest = BigInt.asUintN(64, (wide << 1n) ^ (wide >> 63n));
    for (; rest > 0x7fn; rest >>= 7n) this.#writeByte(Number(rest & 0x7fn) | 0x80);
    this.#writeByte(Number(rest));
  }

  #writeSize(size: number): void {
    let rest = size;
    for (; rest > 0x7f; rest >>>= 7) this.#writeByte((rest & 0x7f) | 0x80);
    this.#writeByte(rest);
  }

  #writeByte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  #write(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(added: number): void {
    if (this.#length + added <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#length + added, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
