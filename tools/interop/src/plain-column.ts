import { type Data, DataType, type Decimal, Precision } from "apache-arrow";

/**
 * Returns row `row` of a column in the form that `python/parquet_rows.py` prints. Integers, dates, times and decimals are text,
 * and bytes are lists. Floats are converted to doubles and given as the hexadecimal digits of their little-endian
 * bytes, or as "NaN".
 */
export function plainValue(data: Data, row: number): unknown {
  const { type, children, values } = data;
  if (DataType.isNull(type) || !data.getValid(row)) return null;
  const numbers = values as Int32Array;
  if (DataType.isStruct(type)) {
    return type.children.map(({ name }, index) => [name, plainValue(children[index] as Data, row)]);
  }
  const [start = 0, end = 0] = boundsOf(data, row);
  const items = Array.from({ length: end - start }, (_, index) => start + index);
  const [child] = children as [Data];
  if (DataType.isMap(type)) {
    const [keys, mapped] = child.children as [Data, Data];
    return items.map((item) => [plainValue(keys, item), plainValue(mapped, item)]);
  }
  if (children.length > 0) return items.map((item) => plainValue(child, item));
  if (DataType.isDictionary(type)) return entryOf(data, Number(numbers[row]));
  if (DataType.isBool(type)) {
    const bit = data.offset + row;
    return ((numbers[bit >> 3] as number) & (1 << (bit & 7))) !== 0;
  }
  if (DataType.isFloat(type)) return doubleText(Number(numbers[row]), type.precision, numbers[row]);
  if (DataType.isDecimal(type)) return decimalText(data as Data<Decimal>, row);
  const bytes = (values as unknown as Uint8Array).subarray(start, end);
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
  const isBytes = data.valueOffsets !== undefined || DataType.isFixedSizeBinary(type);
  return isBytes ? [...bytes] : String(numbers[row]);
}

/** Returns the start and end of a row's values for lists, text and bytes; empty for other types. */
function boundsOf({ type, valueOffsets }: Data, row: number): readonly number[] {
  if (DataType.isFixedSizeBinary(type)) return [row * type.byteWidth, (row + 1) * type.byteWidth];
  if (DataType.isFixedSizeList(type)) return [row * type.listSize, (row + 1) * type.listSize];
  const offsets = valueOffsets as Int32Array | undefined;
  return offsets === undefined ? [] : [Number(offsets[row]), Number(offsets[row + 1])];
}

/** Returns an entry of a dictionary, which may have several chunks. */
function entryOf({ dictionary }: Data, key: number): unknown {
  let at = key;
  for (const chunk of dictionary?.data ?? []) {
    if (at < chunk.length) return plainValue(chunk, at);
    at -= chunk.length;
  }
  throw new RangeError(`the dictionary has no entry ${key}`);
}

function doubleText(stored: number, precision: Precision, bits: number | undefined): string {
  const value = precision === Precision.HALF ? halfValue(Number(bits)) : stored;
  if (Number.isNaN(value)) return "NaN";
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.toString("hex");
}

/** Decodes IEEE 754 binary16. It does not call our own conversion, which is under test. */
function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** Returns a decimal as text, with as many digits after the point as its scale. Its words are little-endian two's complement. */
function decimalText({ type, values }: Data<Decimal>, row: number): string {
  const { scale, bitWidth } = type;
  const words = values.subarray((row * bitWidth) / 32, ((row + 1) * bitWidth) / 32);
  const joined = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  const value = BigInt.asIntN(bitWidth, joined);
  if (scale === 0) return String(value);
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
