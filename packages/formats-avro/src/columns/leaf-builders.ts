import { bitmapOf, nullColumn } from "@tfxio/arrow-encoding";
import {
  type Data,
  type DataType,
  type Decimal,
  Int32,
  makeData,
  Null,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { arrowTypeOf } from "../schema/arrow-type.js";
import type { DecimalType } from "../schema/avro-type.js";
import type { AvroCursor } from "./avro-cursor.js";
import { type BatchMemory, Growable, NullRows, RowEnds } from "./growable.js";

type ArrowProps = Parameters<typeof makeData>[0];
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Builds one Arrow column from Avro values, row by row. */
export interface ColumnBuilder {
  /** Reads one value at the cursor and appends it. */
  append(cursor: AvroCursor): void;
  /** Appends a null without reading. */
  appendNull(): void;
  /** Returns the column, which owns its memory. Must be called only once. */
  finish(): Data;
}

/** Creates a column of `length` rows. @param rest Buffers and children, as `makeData` of arrow-js takes them. */
export function dataOf(type: DataType, length: number, nulls: NullRows, rest: object): Data {
  return makeData({ type, length, ...nulls.taken(length), ...rest } as ArrowProps);
}

/**
 * Creates a builder of fixed-width values.
 * @param width Number of array elements per value.
 * @param read Reads one value at the cursor and writes its elements to `values`, starting at index `at`.
 */
export function valueBuilder<Values extends Uint8Array | Int32Array | Float32Array | Float64Array>(
  type: DataType,
  values: Growable<Values>,
  width: number,
  read: (cursor: AvroCursor, values: Values, at: number) => void,
): ColumnBuilder {
  const nulls = new NullRows(values.memory);
  let numRows = 0;
  return {
    append(cursor) {
      read(cursor, values.reserve(width), values.length);
      values.length += width;
      numRows++;
    },
    appendNull() {
      values.reserve(width);
      values.length += width;
      nulls.add(numRows++);
    },
    finish: () => dataOf(type, numRows, nulls, { data: values.taken() }),
  };
}

/** Creates a builder of a Null column. An Avro null takes no bytes, so nothing is read. */
export function nullBuilder(): ColumnBuilder {
  let numRows = 0;
  const append = (): void => void numRows++;
  return { append, appendNull: append, finish: () => nullColumn(new Null(), numRows) };
}

/** Creates a builder of booleans. Collects them as bytes, and packs them into bits at the end. */
export function booleanBuilder(type: DataType, memory: BatchMemory): ColumnBuilder {
  const flags = new Growable<Uint8Array>(new Uint8Array(0), memory);
  const nulls = new NullRows(memory);
  return {
    append(cursor) {
      const byte = cursor.readByte();
      if (byte > 1) throw cursor.malformed(`a boolean stored as ${byte}`);
      flags.reserve(1)[flags.length++] = byte;
    },
    appendNull() {
      nulls.add(flags.length);
      flags.reserve(1)[flags.length++] = 0;
    },
    finish() {
      const { length, values } = flags;
      return dataOf(type, length, nulls, { data: bitmapOf(length, (row) => values[row] === 1) });
    },
  };
}

/**
 * Creates a builder of binary or text columns. Its `append` throws `malformed-payload` (`utf8`) for text that is not valid UTF-8.
 */
export function bytesBuilder(
  type: DataType,
  memory: BatchMemory,
  { isText }: { readonly isText: boolean },
): ColumnBuilder {
  const bytes = new Growable<Uint8Array>(new Uint8Array(0), memory);
  const nulls = new NullRows(memory);
  const offsets = new RowEnds(memory);
  return {
    append(cursor) {
      const length = cursor.readLength();
      const start = cursor.take(length);
      const target = bytes.reserve(length);
      // All bytes combined with OR: at most 0x7f if the text is ASCII, which needs no UTF-8 check.
      let others = 0;
      for (let at = 0; at < length; at++) {
        const byte = cursor.bytes[start + at] as number;
        target[bytes.length + at] = byte;
        others |= byte;
      }
      if (isText && others > 0x7f && !isUtf8(target.subarray(bytes.length, bytes.length + length))) {
        throw cursor.malformed("a string that is not UTF-8", "utf8");
      }
      bytes.length += length;
      offsets.end(bytes.length, cursor);
    },
    appendNull() {
      nulls.add(offsets.numRows);
      offsets.end(bytes.length);
    },
    finish: () =>
      dataOf(type, offsets.numRows, nulls, { valueOffsets: offsets.taken(), data: bytes.taken() }),
  };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Creates a builder of decimals. Converts big-endian two's complement of any length to little-endian of the column's width. */
export function decimalBuilder({ size, ...type }: DecimalType, memory: BatchMemory): ColumnBuilder {
  const arrowType = arrowTypeOf({ ...type, size });
  const width = (arrowType as Decimal).bitWidth / 8;
  return valueBuilder(
    arrowType,
    new Growable<Uint8Array>(new Uint8Array(0), memory),
    width,
    (cursor, values, at) => {
      const length = size ?? cursor.readLength();
      const start = cursor.take(length);
      const sign = length > 0 && (cursor.bytes[start] as number) > 0x7f ? 0xff : 0;
      for (let index = 0; index < Math.max(length, width); index++) {
        const byte = index < length ? (cursor.bytes[start + length - 1 - index] as number) : sign;
        if (index < width) values[at + index] = byte;
        else if (byte !== sign) throw cursor.malformed(`a decimal of more than ${8 * width} bits`);
      }
      const isNegative = (values[at + width - 1] as number) > 0x7f;
      if (isNegative !== sign > 0) throw cursor.malformed(`a decimal of more than ${8 * width} bits`);
    },
  );
}

/** Creates a builder of dictionary columns. The dictionary holds all symbols of the enum, even unused ones. */
export function enumBuilder(type: DataType, symbols: readonly string[], memory: BatchMemory): ColumnBuilder {
  const indices = valueBuilder(
    new Int32(),
    new Growable<Int32Array>(new Int32Array(0), memory),
    1,
    (cursor, values, at) => {
      const index = cursor.readInt();
      if (index < 0 || index >= symbols.length) {
        throw cursor.malformed(`the symbol index ${index} for an enum of size ${symbols.length}`);
      }
      values[at] = index;
    },
  );
  const dictionary = vectorFromArray(symbols, new Utf8());
  return {
    ...indices,
    finish() {
      const { length, nullCount, nullBitmap, values } = indices.finish();
      return makeData({ type, length, nullCount, nullBitmap, data: values, dictionary } as ArrowProps);
    },
  };
}
