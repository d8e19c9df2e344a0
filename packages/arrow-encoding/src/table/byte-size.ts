import { isTfxioError } from "@tfxio/wire";
import { aBoolean, assertArgument, assertOptions } from "@tfxio/wire/checks";
import { type Data, DataType, type RecordBatch } from "apache-arrow";
import { aColumn, aRecordBatch } from "../argument-rules.js";
import { int32Offsets } from "../column/column-access-offsets.js";
import { isBytesType } from "../column/column-access-values.js";
import { listColumn } from "../column/list-column.js";
import { unsupportedType } from "../column/unsupported-type.js";

/**
 * Returns the total size of a column's byte strings in bytes, without offsets and bitmap. The size of a slice includes only its
 * rows.
 * @throws {UnsupportedError} `unsupported` (`column-type`) unless the column holds byte strings.
 * @see tfx_bsl.arrow.array_util.GetBinaryArrayTotalByteSize
 */
export function binaryByteSize(data: Data): number {
  assertArgument("data", data, aColumn);
  if (!isBytesType(data.type)) throw unsupportedType("binaryByteSize", data.type, "byte strings");
  const { offsets } = int32Offsets(data, (data.values as Uint8Array).length);
  return (offsets.at(-1) as number) - (offsets[0] as number);
}

/**
 * Returns the size of a column in bytes: values, offsets (number of rows + 1), and one bit per row if the column has a bitmap.
 * The size of a slice covers only its rows, including values under null rows. A Null column has size 0.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for types that do not result from tf.Examples: temporal types,
 *   decimals, fixed-size binary, dictionaries, unions, maps, views.
 * @see tfx_bsl.arrow.array_util.GetByteSize
 */
export function byteSize(data: Data): number {
  assertArgument("data", data, aColumn);
  if (DataType.isNull(data.type)) return 0;
  // If a column has no bitmap, `nullBitmap` is undefined or empty.
  const { nullBitmap } = data as { readonly nullBitmap: Uint8Array | undefined };
  const validityBytes = nullBitmap !== undefined && nullBitmap.length > 0 ? numBitmapBytes(data.length) : 0;
  return validityBytes + valuesByteSize(data);
}

/** Options of {@link batchByteSize}. */
export interface BatchByteSizeOptions {
  /** True to give size 0 to columns that {@link byteSize} does not support. Default false, which throws for such a column. */
  readonly ignoreUnsupported?: boolean | undefined;
}

/**
 * Returns the total size of a batch's columns in bytes.
 * @throws {UnsupportedError} As {@link byteSize}, unless `ignoreUnsupported` is true.
 * @see tfx_bsl.arrow.table_util.TotalByteSize
 */
export function batchByteSize(batch: RecordBatch, options: BatchByteSizeOptions = {}): number {
  assertArgument("batch", batch, aRecordBatch);
  assertOptions("batchByteSize", options, { ignoreUnsupported: aBoolean });
  let total = 0;
  for (const column of batch.data.children) {
    try {
      total += byteSize(column);
    } catch (error) {
      if (options.ignoreUnsupported !== true || !isTfxioError(error, "unsupported")) throw error;
    }
  }
  return total;
}

/** Returns the size of a column without its bitmap. */
function valuesByteSize(data: Data): number {
  const { type, length, children } = data;
  if (DataType.isBool(type)) return numBitmapBytes(length);
  if (DataType.isInt(type) || DataType.isFloat(type)) {
    return length * (type.ArrayType as { readonly BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
  }
  if (isBytesType(type)) {
    return offsetsByteSize(data) + binaryByteSize(data);
  }
  if (DataType.isStruct(type)) {
    return children.reduce((total, child) => total + byteSize(child.slice(0, length)), 0);
  }
  if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type)) {
    const { rowSplits, values } = listColumn(data);
    const first = rowSplits[0] as number;
    const inner = byteSize(values.slice(first, (rowSplits[length] as number) - first));
    return DataType.isFixedSizeList(type) ? inner : offsetsByteSize(data) + inner;
  }
  throw unsupportedType("byteSize", type, "numbers, booleans or byte strings, or lists or structs of them");
}

function numBitmapBytes(length: number): number {
  return (length + 7) >> 3;
}

function offsetsByteSize({ type, length }: Data): number {
  const isLarge = DataType.isLargeBinary(type) || DataType.isLargeUtf8(type) || DataType.isLargeList(type);
  return (length + 1) * (isLarge ? 8 : 4);
}
