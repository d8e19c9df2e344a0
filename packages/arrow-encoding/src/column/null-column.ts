import { Data, DataType, Field, makeData, Null } from "apache-arrow";
import { MAX_POSITION } from "./column-access-offsets.js";

/**
 * Creates a column of `length` null rows. Its buffers have the lengths that the type requires, so it can be read and copied like
 * any other column.
 */
export function nullColumn(type: DataType, length: number): Data {
  return emptyColumn(type, length, { areNull: true });
}

/**
 * Creates a column of `length` zeros, empty byte strings or empty lists, without nulls. Structs and fixed-size lists contain such
 * values.
 */
export function zeroColumn(type: DataType, length: number): Data {
  return emptyColumn(type, length, { areNull: false });
}

/**
 * Creates a column of type Null with a bitmap. The Arrow format requires no bitmap for this type. But without a bitmap, the
 * slices that arrow-js makes have a null count of -1. The IPC writer of arrow-js slices the values of lists, and so would write
 * -1 as the null count of the values.
 */
export function nullTypeColumn(type: Null, length: number): Data<Null> {
  // A column longer than MAX_POSITION gets no bitmap. It can be gathered but not written.
  const bitmap = length <= MAX_POSITION ? new Uint8Array(Math.ceil(length / 8)) : undefined;
  // Arrow accepts undefined for missing buffers, but its typings do not say so.
  return new Data(type, 0, length, length, [undefined, undefined, bitmap] as never);
}

/** Creates a column whose rows are all null or all zero. Children are created in the same way. */
function emptyColumn(type: DataType, length: number, content: { readonly areNull: boolean }): Data {
  const { areNull } = content;
  const common = {
    type,
    length,
    nullCount: areNull ? length : 0,
    ...(areNull && length > 0 && { nullBitmap: new Uint8Array((length + 7) >> 3) }),
  };
  const make = (buffers: object): Data =>
    makeData({ ...common, ...buffers } as Parameters<typeof makeData>[0]);
  const childOf = (childLength: number): Data =>
    emptyColumn((type.children[0] as Field).type, childLength, content);
  if (DataType.isNull(type)) return nullTypeColumn(type, length);
  if (DataType.isStruct(type)) {
    return make({ children: type.children.map((field: Field) => emptyColumn(field.type, length, content)) });
  }
  if (DataType.isFixedSizeList(type)) return make({ child: childOf(length * type.listSize) });
  if (DataType.isList(type) || DataType.isMap(type)) {
    return make({ valueOffsets: new Int32Array(length + 1), child: childOf(0) });
  }
  if (DataType.isLargeList(type)) {
    return make({ valueOffsets: new BigInt64Array(length + 1), child: childOf(0) });
  }
  if (DataType.isBinary(type) || DataType.isUtf8(type)) {
    return make({ valueOffsets: new Int32Array(length + 1), data: new Uint8Array(0) });
  }
  if (DataType.isLargeBinary(type) || DataType.isLargeUtf8(type)) {
    return make({ valueOffsets: new BigInt64Array(length + 1), data: new Uint8Array(0) });
  }
  if (DataType.isBool(type)) return make({ data: new Uint8Array((length + 7) >> 3) });
  const { ArrayType, stride } = makeData({ type } as Parameters<typeof makeData>[0]);
  return make({ data: new (ArrayType as Uint8ArrayConstructor)(length * stride) });
}
