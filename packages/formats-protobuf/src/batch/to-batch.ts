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
import type { Column } from "../kernel/column.js";
import { Encoding, wordsPerValue } from "../kernel/encoding.js";
import type { SelectedField } from "../plan/selection.js";
import type { ColumnItems } from "./column-items.js";
import { withDefaults } from "./implicit-defaults.js";

/** What a batch is made of. */
export interface BatchParts {
  readonly arrowSchema: ArrowSchema;
  readonly selected: readonly SelectedField[];
  readonly columns: readonly Column[];
  readonly numRows: number;
  /** Gives fields without presence their zero where they are absent. */
  readonly implicitDefaults: boolean;
  /** Rows of records that are damaged: null, whatever the defaults. */
  readonly damagedRows: ReadonlySet<number>;
}

const NO_ROWS: ReadonlySet<number> = new Set();

/** A batch that owns its memory. */
export function toBatch({ arrowSchema, selected, columns, ...rest }: BatchParts): RecordBatch {
  const { numRows } = rest;
  const children = arrowSchema.fields.map((field, index) =>
    listData(field, selected[index]!, columns[index]!, { ...rest, numParents: numRows }),
  );
  return recordBatchOf(arrowSchema, numRows, children);
}

/** The batch with the serialized record of each row as its last column. */
export function withRawRecords(
  batch: RecordBatch,
  field: Field,
  { numItems, words, data }: Column,
): RecordBatch {
  const offsets = Int32Array.from({ length: numItems + 1 }, (_, row) => row);
  const values = bytesData(itemTypeOf(field), { offsets, numItems, words, data });
  const splits = DataType.isLargeList(field.type) ? BigInt64Array.from(offsets, BigInt) : offsets;
  const column = dataOf(field.type, numItems, { buffers: [splits], children: [values] });
  const arrowSchema = new ArrowSchema([...batch.schema.fields, field], batch.schema.metadata);
  return recordBatchOf(arrowSchema, numItems, [...batch.data.children, column], batch.metadata);
}

/** What a list column is made with. */
interface ListContext extends Pick<BatchParts, "implicitDefaults" | "damagedRows"> {
  readonly numParents: number;
}

function listData(field: Field, selected: SelectedField, column: Column, context: ListContext): Data {
  const { numParents, implicitDefaults, damagedRows } = context;
  const isFilled = implicitDefaults && selected.kind === "field" && selected.field.isImplicit;
  const items = isFilled ? withDefaults(column, numParents, damagedRows) : itemsOf(column, numParents);
  const { offsets } = items;
  const child =
    selected.message === undefined
      ? valueData(itemTypeOf(field), items, column)
      : structData(itemTypeOf(field) as Struct, selected.message.fields, column, context);
  const splits = DataType.isLargeList(field.type) ? BigInt64Array.from(offsets, BigInt) : offsets;
  const { nullCount, validity } = validityOf(offsets);
  return dataOf(field.type, numParents, {
    nullCount,
    buffers: [splits, undefined, validity],
    children: [child],
  });
}

/** A list without items is null, since no record can have an empty one. */
function validityOf(offsets: Int32Array): { readonly nullCount: number; readonly validity?: Uint8Array } {
  const numLists = offsets.length - 1;
  const validity = new Uint8Array((numLists + 7) >> 3);
  let numValid = 0;
  for (let list = 0; list < numLists; list++) {
    if (offsets[list + 1] === offsets[list]) continue;
    validity[list >> 3]! |= 1 << (list & 7);
    numValid++;
  }
  return numValid === numLists ? { nullCount: 0 } : { nullCount: numLists - numValid, validity };
}

function itemsOf(column: Column, numParents: number): ColumnItems {
  const { numItems, words, data } = column;
  return { offsets: column.offsets(numParents), numItems, words, data };
}

function structData(
  type: Struct,
  selected: readonly SelectedField[],
  column: Column,
  { implicitDefaults }: ListContext,
): Data {
  const context = { implicitDefaults, damagedRows: NO_ROWS, numParents: column.numItems };
  const children = type.children.map((field, index) =>
    listData(field, selected[index]!, column.message!.columns[index]!, context),
  );
  return dataOf(type, column.numItems, { children });
}

function bytesData(type: DataType, { words, data, numItems }: ColumnItems): Data {
  const ends = words.slice(0, numItems + 1);
  const splits = DataType.isLargeBinary(type) ? BigInt64Array.from(ends, BigInt) : ends;
  return dataOf(type, numItems, { buffers: [splits, data.slice(0, ends[numItems])] });
}

/** Copies of the items, as the Arrow type has them. */
function valueData(type: DataType, items: ColumnItems, { encoding }: Column): Data {
  const { words, numItems } = items;
  if (encoding === Encoding.bytes) return bytesData(type, items);
  if (encoding === Encoding.bool) {
    return dataOf(type, numItems, { buffers: [undefined, Uint8Array.from(words.subarray(0, numItems))] });
  }
  const copy = words.slice(0, numItems * wordsPerValue(encoding));
  const { ArrayType } = type as unknown as { readonly ArrayType: WordArray };
  return dataOf(type, numItems, { buffers: [undefined, new ArrayType(copy.buffer)] });
}

/** A typed array over the words of a column: Int32Array, BigUint64Array, Float64Array and so on. */
type WordArray = new (buffer: ArrayBufferLike) => ArrayBufferView;

interface DataParts {
  readonly nullCount?: number;
  /** Offsets, values and bitmap. */
  readonly buffers?: readonly (ArrayBufferView | undefined)[];
  readonly children?: Data[];
}

/** As `makeData`, which makes an empty bitmap for every column without nulls. */
function dataOf(
  type: DataType,
  length: number,
  { nullCount = 0, buffers = [], children = [] }: DataParts,
): Data {
  // Arrow takes undefined for buffers that there are not, which its typings do not say.
  return new Data(type, 0, length, nullCount, buffers as never, children);
}

function itemTypeOf({ type }: Field): DataType {
  return (type as List).children[0]!.type;
}
