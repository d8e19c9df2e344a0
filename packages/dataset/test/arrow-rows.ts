import { BytesColumn, columnElements, flatValues, listElements } from "@tfxio/arrow-encoding";
import type { DType, HostColumns, HostDense, HostValues } from "@tfxio/tensor-adapter";
import {
  type Data,
  Field,
  Float32,
  List,
  makeData,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";

const list = new List(new Field("item", new Float32()));

/** Schema of {@link rowsBatch}. */
export const rowsSchema: ArrowSchema = new ArrowSchema([
  new Field("x", new Float32()),
  new Field("name", new Utf8()),
  new Field("list", list),
]);

/** Creates a batch with one row per id: a number, a string and a list, all derived from the id. */
export function rowsBatch(ids: readonly number[]): RecordBatch {
  const columns = [
    vectorFromArray(ids, new Float32()),
    vectorFromArray(
      ids.map((id) => `row ${id}`),
      new Utf8(),
    ),
    vectorFromArray(
      ids.map((id) => Array.from({ length: id % 4 }, (_, i) => id + i)),
      list,
    ),
  ];
  const children = columns.map((column) => column.data[0] as Data);
  const type = new Struct(rowsSchema.fields);
  return new RecordBatch(rowsSchema, makeData({ type, length: ids.length, nullCount: 0, children }));
}

/** Converts a batch to columns of numbers, text, ragged lists and sparse lists, as a tensor adapter would. */
export function rowsToHost(batch: RecordBatch): HostColumns {
  const [x, name, lists] = batch.data.children.map((data) => columnElements(data));
  if (x === undefined || name === undefined || lists === undefined) throw new Error("columns are missing");
  const { rowSplits, elements } = listElements(lists);
  const values = flatValues(elements).values;
  const indices: number[] = [];
  for (let row = 0; row < batch.numRows; row++) {
    const first = rowSplits[row] as number;
    for (let at = first; at < (rowSplits[row + 1] as number); at++) indices.push(row, at - first);
  }
  const { numRows } = batch;
  return {
    x: dense("float32", numRows, flatValues(x).values),
    name: dense("string", numRows, flatValues(name).values),
    list: {
      kind: "ragged",
      dtype: "float32",
      values,
      nestedRowSplits: [rowSplits],
      innerShape: [],
      rowSplitsDtype: "int32",
      borrowed: true,
    },
    bag: {
      kind: "sparse",
      dtype: "float32",
      indices: Int32Array.from(indices),
      values,
      denseShape: [numRows, 4],
      borrowed: true,
    },
  };
}

function dense(dtype: DType, numRows: number, values: HostValues): HostDense {
  return { kind: "dense", dtype, shape: [numRows], values, borrowed: true };
}

/** Prepares a value for comparison: drops `borrowed` members, and turns typed arrays and columns of bytes into plain arrays. */
export function plain(value: unknown): unknown {
  if (value instanceof BytesColumn) return value.toArray().map(plain);
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "borrowed");
  return Object.fromEntries(entries.map(([key, each]) => [key, plain(each)]));
}
