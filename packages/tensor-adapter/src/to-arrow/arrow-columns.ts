import { BytesColumn, type ExampleListType } from "@tfxio/arrow-encoding";
import {
  Binary,
  type Data,
  type DataType,
  Field,
  Float16,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  LargeBinary,
  LargeList,
  List,
  makeData,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
} from "apache-arrow";
import type { ColumnNumber, DType, HostValues } from "../host/host-column.js";
import type { UsedMemory } from "./used-memory.js";

const numberTypes: Readonly<Record<ColumnNumber, () => DataType>> = {
  int8: () => new Int8(),
  int16: () => new Int16(),
  int32: () => new Int32(),
  int64: () => new Int64(),
  uint8: () => new Uint8(),
  uint16: () => new Uint16(),
  uint32: () => new Uint32(),
  uint64: () => new Uint64(),
  float16: () => new Float16(),
  float32: () => new Float32(),
  float64: () => new Float64(),
};

/** True for the dtypes that can be written as Arrow columns: all except bool. */
export function isDType(dtype: string): dtype is DType {
  return dtype === "string" || Object.hasOwn(numberTypes, dtype);
}

/** Returns the field of a column with `depth` nested list levels. The item fields have the same name as in decoded batches. */
export function listField(name: string, dtype: DType, depth: number, listType: ExampleListType): Field {
  let type = flatType(dtype, listType);
  for (let level = 0; level < depth; level++) type = listOf(type, listType);
  return new Field(name, type, true);
}

/**
 * Returns the data of a {@link listField} column. Borrows the numbers or bytes. If lists have 32-bit offsets, also borrows row
 * splits and the offsets of byte strings, unless another buffer of the batch uses the same memory.
 * @param nestedRowSplits row splits of each list level, outermost first.
 * @param used memory that buffers of the batch already use. The buffers of this column are added.
 */
export function listData(
  dtype: DType,
  values: HostValues,
  nestedRowSplits: readonly Int32Array[],
  listType: ExampleListType,
  used: UsedMemory,
): Data {
  return nestedRowSplits.reduceRight<Data>(
    (child, splits) =>
      makeData({
        type: listOf(child.type, listType) as List,
        length: splits.length - 1,
        nullCount: 0,
        valueOffsets: offsetsFor(splits, listType, used),
        child,
      }),
    flatData(dtype, values, listType, used),
  );
}

function flatType(dtype: DType, listType: ExampleListType): DataType {
  if (dtype !== "string") return numberTypes[dtype as ColumnNumber]();
  return listType === "large" ? new LargeBinary() : new Binary();
}

function flatData(dtype: DType, values: HostValues, listType: ExampleListType, used: UsedMemory): Data {
  const type = flatType(dtype, listType);
  const { length } = values;
  if (!(values instanceof BytesColumn)) {
    used.add(values);
    return makeData({
      type: type as Float32,
      length,
      nullCount: 0,
      data: values as Float32Array,
    });
  }
  used.add(values.data);
  const valueOffsets = offsetsFor(values.offsets, listType, used);
  return makeData({ type: type as Binary, length, nullCount: 0, valueOffsets, data: values.data });
}

function listOf(type: DataType, listType: ExampleListType): DataType {
  const item = new Field("item", type, true);
  return listType === "large" ? new LargeList(item) : new List(item);
}

/**
 * Returns offsets of the width that the list type has: 64 bits for LargeList, 32 bits for List. The cast is needed because
 * Arrow's types distinguish the two by a type parameter, whereas `listType` is known only at run time.
 */
function offsetsFor(splits: Int32Array, listType: ExampleListType, used: UsedMemory): Int32Array {
  return listType === "large"
    ? (BigInt64Array.from(splits, BigInt) as unknown as Int32Array)
    : used.offsets(splits);
}
