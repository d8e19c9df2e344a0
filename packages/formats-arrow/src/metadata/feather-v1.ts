import {
  Binary,
  DateDay,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  LargeBinary,
  LargeUtf8,
} from "apache-arrow";
import { type DataType, Time, Timestamp, Uint8, Uint16, Uint32, Uint64, Utf8 } from "apache-arrow";
import type { FlatPlace, FlatTable } from "../flatbuffer/flat-table.js";
import { type ArrayNode, assertLength, type BatchHeader, type BufferRange } from "./message.js";
import type { StoredColumn, StoredSchema } from "./stored-column.js";
import { boolType, type ValueType } from "./value-types.js";

/** A Feather V1 file as one record batch, whose body is the whole file. */
export interface FeatherV1 {
  readonly schema: StoredSchema;
  readonly header: BatchHeader;
  /** The dictionary of each categorical column, as a batch of one column. */
  readonly dictionaries: readonly { readonly id: number; readonly header: BatchHeader }[];
}

/** `Type` of feather.fbs. */
const VALUE_TYPES: Readonly<Record<number, ValueType>> = {
  0: boolType,
  1: fixed(new Int8(), 1),
  2: fixed(new Int16(), 2),
  3: fixed(new Int32(), 4),
  4: fixed(new Int64(), 8),
  5: fixed(new Uint8(), 1),
  6: fixed(new Uint16(), 2),
  7: fixed(new Uint32(), 4),
  8: fixed(new Uint64(), 8),
  9: fixed(new Float32(), 4),
  10: fixed(new Float64(), 8),
  11: bytes(new Utf8(), 4),
  12: bytes(new Binary(), 4),
  17: bytes(new LargeUtf8(), 8),
  18: bytes(new LargeBinary(), 8),
};
/** Members of the union `TypeMetadata` in feather.fbs. */
const CATEGORY = 1;
const TIMESTAMP = 2;
const DATE = 3;
const TIME = 4;
/** From this version of the format on, the parts of an array begin at multiples of eight bytes. */
const ALIGNED_VERSION = 2;

/**
 * Parses the table at the end of a Feather V1 file. It describes the columns, and where their arrays are.
 * @throws {RecordError} `malformed-payload` (`metadata`).
 * @see https://github.com/apache/arrow/blob/main/cpp/src/arrow/ipc/feather.fbs
 */
export function parseFeatherV1(table: FlatTable): FeatherV1 {
  const numRows = table.int64(1);
  const { place } = table;
  assertLength(numRows, "rows", place);
  const isAligned = table.int32(3) >= ALIGNED_VERSION;
  const arrays: StoredArray[] = [];
  const dictionaries: FeatherV1["dictionaries"][number][] = [];
  const values = new Map<number, StoredColumn>();
  const columns = table.tables(2).map((column, id): StoredColumn => {
    const name = column.string(0) ?? "";
    const stored = column.required(1, "values");
    const array = { table: stored, ...typeOf(column, stored) };
    arrays.push(array);
    const columnOf = ({ type, layout }: ValueType): StoredColumn => {
      return { path: name, layout, field: new Field(name, type, true), children: [], isRead: true };
    };
    if (column.int8(2) !== CATEGORY) return columnOf(array);
    const category = column.required(3, "category");
    const levels = category.required(0, "levels");
    const entries = { table: levels, ...valueType(levels) };
    values.set(id, columnOf(entries));
    dictionaries.push({ id, header: headerOf([entries], levels.int64(3), { isAligned, place }) });
    return columnOf(categoryType(array, entries, { id, isOrdered: category.bool(1) }));
  });
  return {
    schema: { columns, metadata: new Map(), isBigEndian: false, dictionaries: values },
    header: headerOf(arrays, numRows, { isAligned, place }),
    dictionaries,
  };
}

interface StoredArray extends ValueType {
  /** `PrimitiveArray` of feather.fbs. */
  readonly table: FlatTable;
}

function fixed(type: DataType, byteWidth: number): ValueType {
  return { type, layout: { kind: "fixed", byteWidth, units: [byteWidth] } };
}

function bytes(type: DataType, offsetBytes: 4 | 8): ValueType {
  return { type, layout: { kind: "bytes", offsetBytes } };
}

function typeOf(column: FlatTable, values: FlatTable): ValueType {
  switch (column.int8(2)) {
    case TIMESTAMP: {
      const metadata = column.required(3, "timestamp");
      return fixed(new Timestamp(unitOf(metadata), metadata.string(1) ?? null), 8);
    }
    case DATE:
      return fixed(new DateDay(), 4);
    case TIME: {
      const unit = unitOf(column.required(3, "time"));
      return unit <= 1 ? fixed(new Time(unit, 32), 4) : fixed(new Time(unit, 64), 8);
    }
    default:
      return valueType(values);
  }
}

function valueType(values: FlatTable): ValueType {
  const type = VALUE_TYPES[values.int8(0)];
  if (type === undefined || values.int8(1) !== 0) {
    throw values.malformed(
      `an array is of type ${values.int8(0)} and encoding ${values.int8(1)}, expected a known type and encoding 0`,
    );
  }
  return type;
}

function unitOf(metadata: FlatTable): number {
  const unit = metadata.int8(0);
  if (unit < 0 || unit > 3) throw metadata.malformed(`a time unit is ${unit}, expected 0 to 3`);
  return unit;
}

function categoryType(
  { type, layout, table }: StoredArray,
  values: ValueType,
  { id, isOrdered }: { readonly id: number; readonly isOrdered: boolean },
): ValueType {
  const { bitWidth, isSigned } = type as Int32;
  if (layout.kind !== "fixed" || bitWidth === undefined || isSigned === undefined) {
    throw table.malformed(`the indices of a category are ${type}, expected integers`);
  }
  const indices = bitWidth === (64 as number) ? new Int32() : (type as unknown as Dictionary["indices"]);
  return {
    type: new Dictionary(values.type, indices, id, isOrdered),
    layout: { kind: "dictionary", id, indexBytes: layout.byteWidth as 1 | 2 | 4 | 8, isSigned },
  };
}

/**
 * Returns the batch header of the arrays. The parts of an array are contiguous: validity if it has nulls, offsets if its type
 * has them, then values.
 */
function headerOf(
  arrays: readonly StoredArray[],
  numRows: number,
  { isAligned, place }: { readonly isAligned: boolean; readonly place: FlatPlace },
): BatchHeader {
  const nodes: ArrayNode[] = [];
  const buffers: BufferRange[] = [];
  for (const { table, layout } of arrays) {
    const [start, length, nullCount, numBytes] = [2, 3, 4, 5].map((field) => table.int64(field)) as [
      number,
      number,
      number,
      number,
    ];
    nodes.push({ length, nullCount });
    let offset = start;
    const end = start + numBytes;
    const part = (size: number): void => {
      const padded = isAligned ? Math.ceil(size / 8) * 8 : size;
      buffers.push({ offset, length: Math.min(padded, end - offset) });
      offset += padded;
    };
    part(nullCount > 0 ? Math.ceil(length / 8) : 0);
    if (layout.kind === "bytes") part((length + 1) * layout.offsetBytes);
    buffers.push({ offset, length: Math.max(0, end - offset) });
  }
  return {
    numRows,
    nodes,
    buffers,
    variadicCounts: [],
    codec: "none",
    hasUnionValidity: false,
    metadata: new Map(),
    place,
  };
}
