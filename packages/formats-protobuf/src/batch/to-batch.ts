import { recordBatchOf } from "@tfxio/arrow-encoding";
import {
  Data,
  DataType,
  type Field,
  type List,
  type RecordBatch,
  Schema as ArrowSchema,
  type Struct,
} from "apache-arrow";
import type { Column } from "../kernels/typescript/column.js";
import { Encoding, wordsPerValue } from "../kernels/encoding.js";
import type { SelectedField } from "../plan/selection.js";
import { ALIGNMENT, type AllocateBuffer, BatchMemory } from "./batch-memory.js";
import type { ColumnItems, ListValidity } from "../kernels/column-items.js";
import type { RecordsDecoder } from "../kernels/message-kernel.js";
import { withDefaults } from "./implicit-defaults.js";

/** The columns of a batch, and the rules for absent fields. */
export interface BatchParts {
  readonly arrowSchema: ArrowSchema;
  readonly selected: readonly SelectedField[];
  readonly columns: readonly Column[];
  /** Holds the items of the columns. */
  readonly decoder: Pick<RecordsDecoder, "numRows" | "numBytes" | "itemsOf">;
  /** True if fields without presence become zero values in messages that lack them. */
  readonly implicitDefaults: boolean;
  /** Rows of damaged records. They are null even with defaults. */
  readonly damagedRows: ReadonlySet<number>;
  /** Source of the buffers. If absent, the batch gets new memory. */
  readonly allocate?: AllocateBuffer | undefined;
}

/**
 * Maximum number of bytes that alignment and the last offsets add to a column with 32-bit offsets. Such a column has at most four
 * arrays.
 */
const PADDING_BYTES: number = 4 * ALIGNMENT + 8;

/** Passed in place of `damagedRows` for fields inside messages. It is empty, because a damaged record has no messages. */
const NO_ROWS: ReadonlySet<number> = new Set();

/** Copies the columns to a batch. No array of the batch is shared with the decoder. */
export function toBatch(parts: BatchParts): RecordBatch {
  const { arrowSchema, selected, columns, decoder, implicitDefaults, damagedRows, allocate } = parts;
  const { numRows } = decoder;
  const numBytes = decoder.numBytes() + PADDING_BYTES * countColumns(selected);
  const memory = new BatchMemory(numBytes, allocate);
  const context = { decoder, implicitDefaults, damagedRows, memory, numParents: numRows };
  const children = arrowSchema.fields.map((field, index) =>
    listData(field, selected[index]!, columns[index]!, context),
  );
  return recordBatchOf(arrowSchema, numRows, children);
}

/**
 * Returns a batch with an additional last column that holds the serialized record of each row.
 * @param allocate as in {@link BatchParts}.
 */
export function withRawRecords(
  batch: RecordBatch,
  field: Field,
  { numItems, words, data }: Column,
  allocate?: AllocateBuffer,
): RecordBatch {
  const memory = new BatchMemory((numItems + 1) * 8 + words[numItems]! + 3 * ALIGNMENT, allocate);
  const offsets = memory.int32(numItems + 1);
  for (let row = 0; row <= numItems; row++) offsets[row] = row;
  const values = bytesData(itemTypeOf(field), { numItems, words, data }, memory);
  const splits = DataType.isLargeList(field.type) ? memory.int64(offsets) : offsets;
  const column = dataOf(field.type, numItems, { buffers: [splits], children: [values] });
  const arrowSchema = new ArrowSchema([...batch.schema.fields, field], batch.schema.metadata);
  return recordBatchOf(arrowSchema, numItems, [...batch.data.children, column], batch.metadata);
}

/** Parameters that the list columns of one message share. */
interface ListContext extends Pick<BatchParts, "decoder" | "implicitDefaults" | "damagedRows"> {
  readonly memory: BatchMemory;
  /** Number of lists in the column. */
  readonly numParents: number;
}

/** Copies the items of a column to a list array. A parent without items gets a null list. */
function listData(field: Field, selected: SelectedField, column: Column, context: ListContext): Data {
  const { decoder, memory, numParents, implicitDefaults, damagedRows } = context;
  const { encoding } = column;
  const isFilled = implicitDefaults && selected.kind === "field" && selected.field.isImplicit;
  const found = decoder.itemsOf(column, numParents);
  const items = isFilled ? withDefaults(found, { encoding, numParents, except: damagedRows }) : found;
  const { starts, numItems } = items;
  const offsets = memory.int32(numParents + 1);
  offsets.set(starts);
  offsets.fill(numItems, starts.length);
  const { nullCount, bitmap } = items.validity ?? validityOf(offsets);
  const validity = bitmap && memory.copy(bitmap);
  const child =
    selected.message === undefined
      ? valueData(itemTypeOf(field), items, { encoding, memory })
      : structData(itemTypeOf(field) as Struct, selected.message.fields, column, {
          decoder,
          implicitDefaults,
          damagedRows: NO_ROWS,
          memory,
          numParents: numItems,
        });
  const splits = DataType.isLargeList(field.type) ? memory.int64(offsets) : offsets;
  return dataOf(field.type, numParents, {
    nullCount,
    buffers: [splits, undefined, validity],
    children: [child],
  });
}

/** Computes the validity of lists from their offsets. A list without items is null. */
function validityOf(offsets: Int32Array): ListValidity {
  const numLists = offsets.length - 1;
  const bitmap = new Uint8Array((numLists + 7) >> 3);
  let numValid = 0;
  for (let list = 0; list < numLists; list++) {
    if (offsets[list + 1] === offsets[list]) continue;
    bitmap[list >> 3]! |= 1 << (list & 7);
    numValid++;
  }
  return numValid === numLists ? { nullCount: 0 } : { nullCount: numLists - numValid, bitmap };
}

/** Copies the columns below `numParents` messages to a struct array. Structs are never null themselves. */
function structData(
  type: Struct,
  selected: readonly SelectedField[],
  column: Column,
  context: ListContext,
): Data {
  const children = type.children.map((field, index) =>
    listData(field, selected[index]!, column.message!.columns[index]!, context),
  );
  return dataOf(type, context.numParents, { children });
}

/** Copies byte strings to a Binary or LargeBinary array. */
function bytesData(
  type: DataType,
  { words, data, numItems }: Omit<ColumnItems, "starts">,
  memory: BatchMemory,
): Data {
  const ends = memory.int32(numItems + 1);
  ends.set(words.subarray(0, numItems + 1));
  const splits = DataType.isLargeBinary(type) ? memory.int64(ends) : ends;
  return dataOf(type, numItems, { buffers: [splits, memory.copy(data.subarray(0, ends[numItems]))] });
}

/** Copies scalar items into the layout of the Arrow type. */
function valueData(
  type: DataType,
  items: ColumnItems,
  { encoding, memory }: { readonly encoding: Encoding; readonly memory: BatchMemory },
): Data {
  const { words, numItems } = items;
  if (encoding === Encoding.bytes) return bytesData(type, items, memory);
  if (encoding === Encoding.bool) {
    const bools = memory.uint8(numItems);
    bools.set(words.subarray(0, numItems));
    return dataOf(type, numItems, { buffers: [undefined, bools] });
  }
  const numWords = numItems * wordsPerValue(encoding);
  const copy = memory.int32(numWords);
  copy.set(words.subarray(0, numWords));
  const { buffer, byteOffset } = copy;
  const { ArrayType } = type as unknown as { readonly ArrayType: WordArray };
  return dataOf(type, numItems, { buffers: [undefined, new ArrayType(buffer, byteOffset, numItems)] });
}

/** A typed array class that views the words of a column: Int32Array, BigUint64Array, Float64Array and so on. */
type WordArray = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => ArrayBufferView;

interface DataParts {
  readonly nullCount?: number;
  /** Offsets, values and bitmap, in this order. */
  readonly buffers?: readonly (ArrayBufferView | undefined)[];
  readonly children?: Data[];
}

/** Creates Arrow data. `makeData` of arrow-js would allocate an empty bitmap for every column without nulls. */
function dataOf(
  type: DataType,
  length: number,
  { nullCount = 0, buffers = [], children = [] }: DataParts,
): Data {
  // arrow-js accepts undefined for missing buffers, although its typings do not say so.
  return new Data(type, 0, length, nullCount, buffers as never, children);
}

/** Counts the columns at all depths. */
function countColumns(selected: readonly SelectedField[]): number {
  return selected.reduce((sum, { message }) => sum + 1 + countColumns(message?.fields ?? []), 0);
}

function itemTypeOf({ type }: Field): DataType {
  return (type as List).children[0]!.type;
}
