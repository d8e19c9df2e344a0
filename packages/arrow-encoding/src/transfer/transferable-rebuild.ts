import {
  type Data,
  DataType,
  makeData,
  type RecordBatch,
  type Schema as ArrowSchema,
  Vector,
} from "apache-arrow";
import { nullTypeColumn } from "../column/null-column.js";
import { recordBatchOf } from "../table/record-batch.js";
import type { BufferRange } from "./transferable-buffers.js";
import type { ArrayLayout } from "./transferable-layout.js";

/** Received memory, and the ranges of it that a batch uses. */
interface Memory {
  readonly buffers: readonly ArrayBufferLike[];
  readonly ranges: readonly BufferRange[];
}

/** Rebuilds a record batch over `memory`. Copies nothing. */
export function rebuildBatch(
  schema: ArrowSchema,
  numRows: number,
  columns: readonly ArrayLayout[],
  memory: Memory,
  metadata: Iterable<readonly [string, string]> = [],
): RecordBatch {
  const children = schema.fields.map((field, index) =>
    rebuild(field.type, columns[index] as ArrayLayout, memory),
  );
  return recordBatchOf(schema, numRows, children, new Map(metadata));
}

/** Creates a column and its children over the received memory. */
function rebuild(type: DataType, layout: ArrayLayout, memory: Memory): Data {
  const { length, nullCount } = layout;
  if (DataType.isNull(type)) return nullTypeColumn(type, length);
  const nullBitmap = layout.validity === undefined ? undefined : bytesAt(layout.validity, memory);
  const children = (layout.children ?? []).map((child, index) =>
    rebuild((type.children[index] as { type: DataType }).type, child, memory),
  );
  const props = {
    type,
    length,
    nullCount: length === 0 ? 0 : nullCount,
    ...(nullBitmap && { nullBitmap }),
    ...partsOf(type, layout, memory),
    ...(DataType.isStruct(type) ? { children } : children.length > 0 && { child: children[0] }),
  };
  // makeData expects these properties for `type`, but TypeScript cannot check that.
  return makeData(props as unknown as Parameters<typeof makeData>[0]);
}

/** Returns the offsets, values and dictionary that a type has, as properties for makeData. */
function partsOf(type: DataType, layout: ArrayLayout, memory: Memory): object {
  if (DataType.isStruct(type) || DataType.isFixedSizeList(type)) return {};
  const isLarge = DataType.isLargeList(type) || DataType.isLargeBinary(type) || DataType.isLargeUtf8(type);
  const Offsets = isLarge ? BigInt64Array : Int32Array;
  if (DataType.isList(type) || DataType.isMap(type) || DataType.isLargeList(type)) {
    return { valueOffsets: offsetsAt(layout.offsets, Offsets, memory) };
  }
  if (isLarge || DataType.isBinary(type) || DataType.isUtf8(type)) {
    const data = layout.values === undefined ? new Uint8Array(0) : bytesAt(layout.values, memory);
    return { valueOffsets: offsetsAt(layout.offsets, Offsets, memory), data };
  }
  const ArrayType = (DataType.isDictionary(type) ? type.indices : type).ArrayType as FixedWidthConstructor;
  const data = layout.values === undefined ? new ArrayType(0) : arrayAt(ArrayType, layout.values, memory);
  if (!DataType.isDictionary(type)) return { data };
  const chunks = (layout.dictionary ?? []).map((chunk) => rebuild(type.dictionary, chunk, memory));
  return { data, ...(chunks.length > 0 && { dictionary: new Vector(chunks) }) };
}

interface FixedWidthConstructor {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): ArrayBufferView;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): ArrayBufferView;
}

function bytesAt(range: number, memory: Memory): Uint8Array {
  return arrayAt(Uint8Array, range, memory) as Uint8Array;
}

/** Returns the offsets in a range. An empty array has no range, so it gets a single offset, 0. */
function offsetsAt(
  range: number | undefined,
  Offsets: FixedWidthConstructor,
  memory: Memory,
): ArrayBufferView {
  return range === undefined ? new Offsets(1) : arrayAt(Offsets, range, memory);
}

function arrayAt(ArrayType: FixedWidthConstructor, range: number, memory: Memory): ArrayBufferView {
  const [buffer, byteOffset, byteLength] = memory.ranges[range] as BufferRange;
  return new ArrayType(
    memory.buffers[buffer] as ArrayBufferLike,
    byteOffset,
    byteLength / ArrayType.BYTES_PER_ELEMENT,
  );
}
