import { type Data, DataType, Type, UnionMode } from "apache-arrow";

// Canonical bytes of an element, as the README of the golden files in the shared data defines them.

const utf8 = new TextEncoder();
const numberBytes = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
};
const tagged = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat([Uint8Array.of(tag), ...parts]);
const counted = (tag: number, bytes: Uint8Array): Uint8Array => tagged(tag, numberBytes(bytes.length), bytes);
const nothing = Uint8Array.of(0);

/** Returns the bytes of element `row` of an array. Reads only buffers, without arrow-js accessors. */
export function canonicalBytes(data: Data, row: number): Uint8Array {
  const { type, children } = data;
  if (DataType.isNull(type)) return nothing;
  if (DataType.isUnion(type)) {
    const id = data.typeIds[row] as number;
    const child = children[type.typeIds.indexOf(id)] as Data;
    const at = type.mode === UnionMode.Dense ? ((data.valueOffsets as Int32Array)[row] as number) : row;
    return tagged(0x09, Uint8Array.of(id), canonicalBytes(child, at));
  }
  const { nullBitmap } = data;
  const bit = data.offset + row;
  if (nullBitmap?.length > 0 && ((nullBitmap[bit >> 3] as number) & (1 << (bit & 7))) === 0) return nothing;
  const within = (first: number, last: number, child: Data): Uint8Array[] =>
    Array.from({ length: last - first }, (_, index) => canonicalBytes(child, first + index));
  const offsetAt = (index: number): number => Number((data.valueOffsets as Int32Array)[index]);
  const [first, last] = data.valueOffsets === undefined ? [0, 0] : [offsetAt(row), offsetAt(row + 1)];
  const values = data.values as unknown as Int32Array & BigInt64Array & Uint8Array;
  switch (type.typeId) {
    case Type.Bool:
      return Uint8Array.of(1, ((values as Uint8Array)[bit >> 3]! >> (bit & 7)) & 1);
    case Type.Int:
    case Type.Date:
    case Type.Time:
    case Type.Timestamp:
    case Type.Duration:
      return counted(0x02, utf8.encode(String(values[row])));
    case Type.Float: {
      const bytes = Buffer.alloc(8);
      const value =
        (type as unknown as { precision: number }).precision === 0
          ? fromHalf(Number(values[row]))
          : Number(values[row]);
      if (Number.isNaN(value)) bytes.writeBigUInt64LE(0x7ff8000000000000n);
      else bytes.writeDoubleLE(value);
      return tagged(0x03, bytes);
    }
    case Type.Utf8:
    case Type.LargeUtf8:
      return counted(0x04, (values as Uint8Array).subarray(first, last));
    case Type.Binary:
    case Type.LargeBinary:
      return counted(0x05, (values as Uint8Array).subarray(first, last));
    case Type.FixedSizeBinary: {
      const { byteWidth } = type as unknown as { byteWidth: number };
      return counted(0x05, (values as Uint8Array).subarray(row * byteWidth, (row + 1) * byteWidth));
    }
    case Type.List:
    case Type.LargeList:
      return tagged(0x06, numberBytes(last - first), ...within(first, last, children[0]!));
    case Type.FixedSizeList: {
      const { listSize } = type as unknown as { listSize: number };
      return tagged(
        0x06,
        numberBytes(listSize),
        ...within(row * listSize, (row + 1) * listSize, children[0]!),
      );
    }
    case Type.Struct: {
      const fields = type.children.map(({ name }, index) => {
        const text = utf8.encode(name);
        return Buffer.concat([numberBytes(text.length), text, canonicalBytes(children[index]!, row)]);
      });
      return tagged(0x07, numberBytes(fields.length), ...fields);
    }
    case Type.Map: {
      const [keys, items] = children[0]!.children as [Data, Data];
      const entries = Array.from({ length: last - first }, (_, index) =>
        Buffer.concat([canonicalBytes(keys, first + index), canonicalBytes(items, first + index)]),
      );
      return tagged(0x08, numberBytes(entries.length), ...entries);
    }
    case Type.Decimal:
      return counted(0x0a, utf8.encode(decimalText(data, row)));
    case Type.Interval:
      return counted(0x0b, utf8.encode(intervalText(data, row)));
    case Type.Dictionary: {
      let index = Number(values[row]);
      for (const chunk of data.dictionary!.data) {
        if (index < chunk.length) return canonicalBytes(chunk, index);
        index -= chunk.length;
      }
      throw new Error("An index is outside the dictionary.");
    }
    default:
      throw new Error(`There are no canonical bytes for the type ${type}.`);
  }
}

function decimalText(data: Data, row: number): string {
  const { scale, bitWidth } = data.type as unknown as { scale: number; bitWidth: number };
  const words = (data.values as Uint32Array).subarray((row * bitWidth) / 32, ((row + 1) * bitWidth) / 32);
  const value = BigInt.asIntN(
    bitWidth,
    words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
  );
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const sign = value < 0n ? "-" : "";
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function intervalText(data: Data, row: number): string {
  const words = (data.values as Int32Array).subarray(row * 4, row * 4 + 4);
  const nanos = (BigInt(words[3]!) << 32n) | BigInt(words[2]! >>> 0);
  return `${words[0]},${words[1]},${nanos}`;
}

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}
