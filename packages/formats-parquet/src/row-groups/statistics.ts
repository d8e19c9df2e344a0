import type { PredicateValue } from "@tfxio/schema";
import { DataType, type Field } from "apache-arrow";
import { COLUMN, type ColumnChunk } from "../footer/file-footer.js";
import { ELEMENT, PHYSICAL, type StoredLeaf } from "../footer/stored-columns.js";
import { bytesOf, integerOf, structOf } from "../footer/thrift.js";

/** What a footer knows of the values of a column chunk. Bounds may be wider than the values. */
export interface ChunkStatistics {
  readonly numNulls: number | undefined;
  /** True when no value is there at all. */
  readonly isAllNull: boolean;
  readonly bounds: { readonly min: PredicateValue; readonly max: PredicateValue } | undefined;
}

/** Ids of the fields of Statistics. @see parquet-format `parquet.thrift` */
const STATISTICS = { oldMax: 1, oldMin: 2, numNulls: 3, max: 5, min: 6 } as const;

/** Statistics of a chunk whose values become values of `field`. */
export function statisticsOf(
  { metadata, numValues }: ColumnChunk,
  leaf: StoredLeaf,
  field: Field,
): ChunkStatistics {
  const statistics = structOf(metadata.get(COLUMN.statistics));
  const numNulls = integerOf(statistics?.get(STATISTICS.numNulls));
  const read = boundReader(leaf, leafType(field.type));
  // The older fields have the order of signed numbers whatever the type, so that only those can use them.
  const isSigned = read === signedBound || read === floatBound;
  const boundOf = (id: number, oldId: number): PredicateValue | undefined => {
    const bytes = bytesOf(statistics?.get(id)) ?? (isSigned ? bytesOf(statistics?.get(oldId)) : undefined);
    return bytes && read?.(bytes);
  };
  const min = boundOf(STATISTICS.min, STATISTICS.oldMin);
  const max = boundOf(STATISTICS.max, STATISTICS.oldMax);
  return {
    numNulls,
    isAllNull: numNulls !== undefined && numNulls === numValues,
    bounds: min === undefined || max === undefined ? undefined : { min, max },
  };
}

type BoundReader = (bytes: Uint8Array) => PredicateValue | undefined;

/** The reader of bounds whose order is that of the Arrow values; undefined for other columns. */
function boundReader(leaf: StoredLeaf, type: DataType): BoundReader | undefined {
  if (DataType.isDictionary(type)) return boundReader(leaf, type.dictionary as DataType);
  const { element } = leaf;
  const physical = integerOf(element.get(ELEMENT.type));
  switch (physical) {
    case PHYSICAL.boolean:
      return DataType.isBool(type) ? (bytes) => bytes[0] === 1 : undefined;
    case PHYSICAL.int32:
    case PHYSICAL.int64:
      if (DataType.isInt(type)) return type.isSigned ? signedBound : unsignedBound;
      return isStoredTimestamp(element, type) ? signedBound : undefined;
    case PHYSICAL.float:
    case PHYSICAL.double:
      return DataType.isFloat(type) ? floatBound : undefined;
    case PHYSICAL.bytes: {
      const isBytes =
        DataType.isUtf8(type) ||
        DataType.isLargeUtf8(type) ||
        DataType.isBinary(type) ||
        DataType.isLargeBinary(type);
      return isBytes ? (bytes) => bytes : undefined;
    }
    default:
      return undefined;
  }
}

/** True for timestamps that are stored in the unit that they are read in. */
function isStoredTimestamp(element: StoredLeaf["element"], type: DataType): boolean {
  if (!DataType.isTimestamp(type)) return false;
  const TIMESTAMP = 8;
  const UNIT = 2;
  const logical = structOf(structOf(element.get(ELEMENT.logicalType))?.get(TIMESTAMP));
  // A union of milliseconds, microseconds and nanoseconds, which Arrow counts from seconds.
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
  // Some writers count NaN among the values; then the bounds say nothing.
  return Number.isNaN(value) ? undefined : value;
};

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The type of the values of lists. */
function leafType(type: DataType): DataType {
  const [child] = type.children ?? [];
  return child !== undefined && !DataType.isStruct(type) && !DataType.isMap(type)
    ? leafType(child.type)
    : type;
}
