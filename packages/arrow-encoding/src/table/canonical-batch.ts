import { assertArgument, assertOptions } from "@tfxio/wire/checks";
import {
  Binary,
  type Data,
  DataType,
  Field,
  Float64,
  Int8,
  Int64,
  LargeBinary,
  makeData,
  type RecordBatch,
  Schema as ArrowSchema,
  Uint64,
  Vector,
} from "apache-arrow";
import { aListType, aRecordBatch } from "../argument-rules.js";
import { assertPosition } from "../column/column-access-offsets.js";
import { columnElements, type ColumnElements, listElements, nullMask } from "../column/column-access.js";
import { isBytesType } from "../column/column-access-values.js";
import { elementsData } from "../column/elements-data.js";
import type { ExampleListType } from "../example/example-arrow-types.js";
import { isListType, isValid } from "../column/list-column.js";
import { bitmapOf, makeList, type Validity } from "../column/make-list.js";
import { recordBatchOf } from "./record-batch.js";
import { toSingletonLists } from "../column/singleton-list.js";
import { unsupportedType } from "../column/unsupported-type.js";
import { widenPositions } from "../column/widen-positions.js";

/** Options of {@link canonicalBatch}. */
export interface CanonicalBatchOptions {
  /** `"large"` creates LargeList and LargeBinary, as tfx_bsl does. Default `"list"`. */
  readonly listType?: ExampleListType | undefined;
}

/**
 * Converts a batch to canonical types, so that model outputs and features can be compared. Columns that are not lists become
 * lists of one value. Signed integers become int64, unsigned integers become uint64, floats become float64, booleans become int8,
 * and text becomes bytes. Nulls stay null. A column of type Null becomes a list column with value type Null, in which every row
 * is null.
 * @throws {UnsupportedError} `unsupported` (`column-type`) for values of other types.
 * @see tfx_bsl.arrow.table_util.CanonicalizeRecordBatch
 */
export function canonicalBatch(batch: RecordBatch, options: CanonicalBatchOptions = {}): RecordBatch {
  assertArgument("batch", batch, aRecordBatch);
  assertOptions("canonicalBatch", options, { listType: aListType });
  const { listType = "list" } = options;
  const children = batch.data.children.map((data) => canonicalColumn(data, listType));
  const schema = new ArrowSchema(
    batch.schema.fields.map(({ name }, index) => new Field(name, (children[index] as Data).type, true)),
  );
  return recordBatchOf(schema, batch.numRows, children);
}

function canonicalColumn(data: Data, listType: ExampleListType): Data {
  return isListType(data.type)
    ? canonicalLists(columnElements(data), listType)
    : toSingletonLists(canonicalValues(data, listType), listType);
}

/** Converts lists of any type to the requested list type, at every level. */
function canonicalLists(lists: ColumnElements, listType: ExampleListType): Data {
  const { rowSplits, elements } = listElements(lists);
  const values = isListType(elements.data.type)
    ? canonicalLists(elements, listType)
    : canonicalValues(elementsData(elements), listType);
  const mask = nullMask(lists);
  const isPresent = (row: number): boolean => mask?.[row] !== 1;
  const nullCount = mask?.reduce((count, isNull) => count + isNull, 0) ?? 0;
  const validity =
    nullCount > 0 ? { nullCount, nullBitmap: bitmapOf(lists.length, isPresent) } : { nullCount };
  return makeList(values, rowSplits, listType, validity);
}

/** Converts flat values. Borrows int64, uint64 and byte strings; copies all others. */
function canonicalValues(data: Data, listType: ExampleListType): Data {
  const { type, length } = data;
  if (DataType.isNull(type)) return data;
  if (isBytesType(type)) return asBinary(data, listType);
  const common = { length, ...validityOf(data) };
  if (DataType.isBool(type)) {
    const values = Int8Array.from(new Vector([data]), (value) => (value === true ? 1 : 0));
    return makeData({ type: new Int8(), ...common, data: values });
  }
  if (DataType.isFloat(type)) {
    const values = Float64Array.from(new Vector([data]), (value: number | null) => value ?? 0);
    return makeData({ type: new Float64(), ...common, data: values });
  }
  if (DataType.isInt(type)) {
    const values = data.values as Int32Array | BigInt64Array | Uint32Array | BigUint64Array;
    const isWide = type.bitWidth === 64;
    if (type.isSigned) {
      const wide = isWide ? (values as BigInt64Array) : BigInt64Array.from(values as Int32Array, BigInt);
      return makeData({ type: new Int64(), ...common, data: wide });
    }
    const wide = isWide ? (values as BigUint64Array) : BigUint64Array.from(values as Uint32Array, BigInt);
    return makeData({ type: new Uint64(), ...common, data: wide });
  }
  throw unsupportedType("canonicalBatch", type, "numbers, booleans or byte strings, or lists of them");
}

/** Converts byte strings to Binary or LargeBinary. Borrows the bytes, and converts offsets of the wrong width. */
function asBinary(data: Data, listType: ExampleListType): Data {
  const { type, length } = data;
  const isLarge = DataType.isLargeBinary(type) || DataType.isLargeUtf8(type);
  const common = { length, data: data.values as Uint8Array, ...validityOf(data) };
  if (listType === "large") {
    const offsets = isLarge ? (data.valueOffsets as never) : widenPositions(data.valueOffsets as Int32Array);
    return makeData({ type: new LargeBinary(), valueOffsets: offsets, ...common });
  }
  if (isLarge) assertPosition(Number(data.valueOffsets[length] ?? 0), type);
  const offsets = isLarge ? Int32Array.from(data.valueOffsets as never, Number) : data.valueOffsets;
  return makeData({ type: new Binary(), valueOffsets: offsets as Int32Array, ...common });
}

/** Copies the nulls to a new bitmap, because the bitmap of a slice need not begin with the slice's first row. */
function validityOf(data: Data): Validity {
  const { nullCount } = data;
  if (nullCount <= 0) return { nullCount: 0 };
  return { nullCount, nullBitmap: bitmapOf(data.length, (row) => isValid(data, row)) };
}
