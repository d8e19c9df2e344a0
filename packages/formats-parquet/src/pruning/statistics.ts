import type { PredicateValue } from "@tfxio/schema";
import { DataType } from "apache-arrow";
import { COLUMN, type ColumnChunk } from "../footer/file-footer.js";
import { ELEMENT, PHYSICAL, type StoredLeaf } from "../footer/stored-columns.js";
import { bytesOf, integerOf, structOf } from "../footer/thrift.js";
import type { PlainForm } from "./bloom-filter.js";
import type { FilterColumn } from "./filter-column.js";

/** Facts about the values of a column chunk or a page. Bounds may be wider than the values. */
export interface ValueStatistics {
  readonly numNulls: number | undefined;
  /** True if all values are known to be null. */
  readonly isAllNull: boolean;
  readonly bounds: { readonly min: PredicateValue; readonly max: PredicateValue } | undefined;
}

/** Ids of the fields of Statistics. @see parquet-format `parquet.thrift` */
const STATISTICS = { oldMax: 1, oldMin: 2, numNulls: 3, max: 5, min: 6 } as const;

/** Returns the statistics of a chunk of this column, from the footer. */
export function chunkStatistics({ metadata, numValues }: ColumnChunk, column: FilterColumn): ValueStatistics {
  const statistics = structOf(metadata.get(COLUMN.statistics));
  const numNulls = integerOf(statistics?.get(STATISTICS.numNulls));
  const form = plainForm(column);
  // For the older fields, writers compared values as signed numbers, so these fields are valid only for signed types.
  const isSigned = form === "int32" || form === "int64" || form === "float" || form === "double";
  const boundOf = (id: number, oldId: number): Uint8Array | undefined =>
    bytesOf(statistics?.get(id)) ?? (isSigned ? bytesOf(statistics?.get(oldId)) : undefined);
  const min = boundOf(STATISTICS.min, STATISTICS.oldMin);
  const max = boundOf(STATISTICS.max, STATISTICS.oldMax);
  return {
    numNulls,
    isAllNull: numNulls !== undefined && numNulls === numValues,
    bounds: boundsOf(min, max, column),
  };
}

/**
 * Decodes bounds from their plain encoding. Returns undefined if one is missing or unusable, or if the stored values are ordered
 * differently from the Arrow values.
 */
export function boundsOf(
  min: Uint8Array | undefined,
  max: Uint8Array | undefined,
  column: FilterColumn,
): ValueStatistics["bounds"] {
  const read = boundReader(column);
  const [least, greatest] = [min && read?.(min), max && read?.(max)];
  return least === undefined || greatest === undefined ? undefined : { min: least, max: greatest };
}

type BoundReader = (bytes: Uint8Array) => PredicateValue | undefined;

function boundReader(column: FilterColumn): BoundReader | undefined {
  const form = plainForm(column);
  switch (form) {
    case "boolean":
      return (bytes) => bytes[0] === 1;
    case "int32":
    case "int64":
      return signedBound;
    case "uint32":
    case "uint64":
      return unsignedBound;
    case "float":
    case "double":
      return floatBound;
    case "bytes":
      return (bytes) => bytes;
    case undefined:
      return undefined;
  }
}

/**
 * Returns the stored form of a column of booleans, integers, float32, float64, text, bytes, or timestamps whose Arrow unit is the
 * stored unit. The stored values of such a column have the same equality and order as its Arrow values. Returns undefined for
 * other columns.
 */
export function plainForm({ leaf, field }: FilterColumn): PlainForm | "boolean" | undefined {
  return formOf(leaf, leafType(field.type));
}

function formOf(leaf: StoredLeaf, type: DataType): PlainForm | "boolean" | undefined {
  if (DataType.isDictionary(type)) return formOf(leaf, type.dictionary as DataType);
  const { element } = leaf;
  const physical = integerOf(element.get(ELEMENT.type));
  switch (physical) {
    case PHYSICAL.boolean:
      return DataType.isBool(type) ? "boolean" : undefined;
    case PHYSICAL.int32:
    case PHYSICAL.int64: {
      const width = physical === PHYSICAL.int32 ? 32 : 64;
      if (DataType.isInt(type)) return `${type.isSigned ? "int" : "uint"}${width}`;
      return isStoredTimestamp(element, type) ? `int${width}` : undefined;
    }
    case PHYSICAL.float:
      return DataType.isFloat(type) ? "float" : undefined;
    case PHYSICAL.double:
      return DataType.isFloat(type) ? "double" : undefined;
    case PHYSICAL.bytes: {
      const isBytes =
        DataType.isUtf8(type) ||
        DataType.isLargeUtf8(type) ||
        DataType.isBinary(type) ||
        DataType.isLargeBinary(type);
      return isBytes ? "bytes" : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns true if the column is a timestamp that is stored in the unit of its Arrow type. */
function isStoredTimestamp(element: StoredLeaf["element"], type: DataType): boolean {
  if (!DataType.isTimestamp(type)) return false;
  const TIMESTAMP = 8;
  const UNIT = 2;
  const logical = structOf(structOf(element.get(ELEMENT.logicalType))?.get(TIMESTAMP));
  // A union with members 1 to 3 for milliseconds, microseconds and nanoseconds: the same numbers as Arrow's units.
  return structOf(logical?.get(UNIT))?.has(type.unit) ?? false;
}

const signedBound: BoundReader = (bytes) => {
  const view = viewOf(bytes);
  if (bytes.length === 4) return view.getInt32(0, true);
  return bytes.length === 8 ? view.getBigInt64(0, true) : undefined;
};

const unsignedBound: BoundReader = (bytes) => {
  const view = viewOf(bytes);
  if (bytes.length === 4) return view.getUint32(0, true);
  return bytes.length === 8 ? view.getBigUint64(0, true) : undefined;
};

const floatBound: BoundReader = (bytes) => {
  const view = viewOf(bytes);
  const value =
    bytes.length === 4
      ? view.getFloat32(0, true)
      : bytes.length === 8
        ? view.getFloat64(0, true)
        : Number.NaN;
  // Some writers include NaN in the bounds, which makes them useless.
  return Number.isNaN(value) ? undefined : value;
};

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Returns the type of the innermost values of a list. Returns any other type unchanged. */
function leafType(type: DataType): DataType {
  const [child] = type.children ?? [];
  return child !== undefined && !DataType.isStruct(type) && !DataType.isMap(type)
    ? leafType(child.type)
    : type;
}
