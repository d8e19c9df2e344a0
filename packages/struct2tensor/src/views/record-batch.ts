import { bitmapOf, BytesColumn, recordBatchOf } from "@tfxio/arrow-encoding";
import type { DType } from "@tfxio/tensor-adapter";
import {
  Binary,
  type Data,
  type DataType,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  makeData,
  type RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
} from "apache-arrow";
import { rowSplitsOf } from "../prensor/joins.js";
import { type LeafNode, numElements } from "../prensor/nodes.js";
import { assertPrensor, type Prensor } from "../prensor/prensor.js";
import { assertAscending } from "./ragged.js";

/** Arrow type of the items of each dtype. A bool takes a whole byte, and float16 is stored as its bit pattern. */
const itemTypes: Readonly<Record<DType, DataType>> = {
  int8: new Int8(),
  int16: new Int16(),
  int32: new Int32(),
  int64: new Int64(),
  uint8: new Uint8(),
  uint16: new Uint16(),
  uint32: new Uint32(),
  uint64: new Uint64(),
  float16: new Uint16(),
  float32: new Float32(),
  float64: new Float64(),
  bool: new Uint8(),
  string: new Binary(),
};

/** Marks a Uint8 column as bools, in the same way as the batches of `@tfxio/formats-protobuf`. */
const BOOL_METADATA: ReadonlyMap<string, string> = new Map([["tfxio.proto.type", "bool"]]);

/**
 * Converts a prensor to a record batch. Every field, at every depth, becomes a nullable list. A parent without elements gets
 * null, not an empty list. Messages become structs in these lists. Bools become Uint8, marked in the field metadata, and float16
 * values become Uint16 bit patterns. Borrows the values.
 * @throws {ConversionError} `not-convertible` (`parent-order`) if parent indices do not ascend.
 */
export function toRecordBatch(prensor: Prensor): RecordBatch {
  assertPrensor(prensor);
  const numRows = numElements(prensor.node);
  const columns = columnsOf(prensor, numRows);
  const schema = new ArrowSchema(columns.map(({ field }) => field));
  return recordBatchOf(
    schema,
    numRows,
    columns.map(({ data }) => data),
  );
}

interface Column {
  readonly field: Field;
  readonly data: Data;
}

function columnsOf({ children }: Prensor, numParents: number): readonly Column[] {
  return [...children].map(([step, child]) => listColumnOf(String(step), child, numParents));
}

/** Builds the list column of a field. Its offsets are the row splits of the parent indices. */
function listColumnOf(name: string, part: Prensor, numParents: number): Column {
  const { parentIndex } = part.node as LeafNode;
  assertAscending(parentIndex);
  const offsets = rowSplitsOf(parentIndex, numParents);
  const items = part.node.kind === "leaf" ? leafData(part.node) : structData(part, parentIndex.length);
  const type = new List(new Field("item", items.type, true));
  const hasItems = (row: number): boolean => offsets[row] !== offsets[row + 1];
  let nullCount = 0;
  for (let row = 0; row < numParents; row++) if (!hasItems(row)) nullCount++;
  const validity =
    nullCount === 0 ? { nullCount } : { nullCount, nullBitmap: bitmapOf(numParents, hasItems) };
  const data = makeData({ type, length: numParents, valueOffsets: offsets, child: items, ...validity });
  const isBool = part.node.kind === "leaf" && part.node.dtype === "bool";
  return { field: new Field(name, type, true, isBool ? new Map(BOOL_METADATA) : undefined), data };
}

function structData(part: Prensor, length: number): Data {
  const columns = columnsOf(part, length);
  const type = new Struct(columns.map(({ field }) => field));
  return makeData({ type, length, nullCount: 0, children: columns.map(({ data }) => data) });
}

/** Wraps the values of a leaf without copying them. A missing value is a null list, so the leaf itself has no nulls. */
function leafData({ dtype, values }: LeafNode): Data {
  const type = itemTypes[dtype];
  const { length } = values;
  if (!(values instanceof BytesColumn))
    return makeData({ type, length, nullCount: 0, data: values } as never);
  return makeData({
    type: type as Binary,
    length,
    nullCount: 0,
    valueOffsets: values.offsets,
    data: values.data,
  });
}
