import { ConversionError } from "@tfxio/wire";
import { bitmapOf, recordBatchOf } from "@tfxio/arrow-encoding";
import {
  BytesColumn,
  type DType,
  type HostColumn,
  type HostDense,
  type HostSparse,
  type HostValues,
} from "@tfxio/tensor-adapter";
import {
  Binary,
  Bool,
  type Data,
  type DataType,
  Field,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  List,
  makeData,
  type RecordBatch,
  Schema as ArrowSchema,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
} from "apache-arrow";
import { columnOfOne, gatherColumns } from "../columns/column-rows.js";
import { gatherValues } from "../columns/gather-values.js";
import { wholeSources } from "../columns/row-ranges.js";
import { leavesOf, numColumnsOf, type StoredStructure } from "./stored-structure.js";

/** Metadata key under which the Arrow schema stores the structure of the elements, as JSON. */
export const STRUCTURE_KEY = "tfxio:element";

/** The rows of one leaf: a column, or separate rows of equal rank whose shapes may differ. */
export type LeafRows = HostColumn | readonly HostDense[] | readonly HostSparse[];

const types: Readonly<Record<DType, () => DataType>> = {
  int8: () => new Int8(),
  int16: () => new Int16(),
  int32: () => new Int32(),
  int64: () => new Int64(),
  uint8: () => new Uint8(),
  uint16: () => new Uint16(),
  uint32: () => new Uint32(),
  uint64: () => new Uint64(),
  // Stores the raw bits, as host columns do, because reading an Arrow Float16 column converts its values to float32.
  float16: () => new Uint16(),
  float32: () => new Float32(),
  float64: () => new Float64(),
  bool: () => new Bool(),
  string: () => new Binary(),
};

/**
 * Returns the Arrow schema of stored elements. Each leaf has a column for its values. Sparse leaves also have a column for
 * indices. All sparse leaves, and dense leaves of rank 2 or more, also have a column for shapes.
 */
export function storedSchemaOf(structure: StoredStructure): ArrowSchema {
  const fields = leavesOf(structure).flatMap(({ leaf, path }) => {
    const name = path === "" ? "value" : path;
    const int32s = listOf(new Int32());
    let type = types[leaf.dtype]();
    if (leaf.kind === "ragged") for (let level = 0; level < leaf.levels; level++) type = listOf(type);
    else if (leaf.kind === "sparse" || leaf.rank > 0) type = listOf(type);
    const values = new Field(name, type, false);
    const shape = new Field(`${name}.shape`, int32s, false);
    if (leaf.kind === "sparse") return [values, new Field(`${name}.indices`, int32s, false), shape];
    return numColumnsOf(leaf) === 1 ? [values] : [values, shape];
  });
  return new ArrowSchema(fields, new Map([[STRUCTURE_KEY, JSON.stringify(structure)]]));
}

/**
 * Encodes rows as a record batch with the schema of {@link storedSchemaOf}. Borrows the numeric values of columns. Copies text,
 * booleans and separate rows.
 * @param leaves In the order of the structure.
 */
export function storedBatchOf(
  schema: ArrowSchema,
  numRows: number,
  leaves: readonly LeafRows[],
): RecordBatch {
  return recordBatchOf(
    schema,
    numRows,
    leaves.flatMap((leaf) => dataOf(leaf)),
  );
}

function dataOf(leaf: LeafRows): readonly Data[] {
  if (isRows(leaf)) return isSparseRows(leaf) ? sparseRowsData(leaf) : denseRowsData(leaf);
  switch (leaf.kind) {
    case "dense":
      return denseData(leaf);
    case "sparse":
      return sparseData(
        leaf,
        Array.from({ length: leaf.denseShape[0] as number }, () => leaf.denseShape.slice(1)),
      );
    case "ragged": {
      const innerSize = sizeOf(leaf.innerShape);
      // With an inner size of 0, every innermost list would be stored without values, so the number of its items would be lost.
      if (innerSize === 0)
        throw new ConversionError(
          "not-convertible",
          `To be stored, ragged rows must not have a 0 in their inner shape, found [${leaf.innerShape.join(", ")}].`,
          {
            reason: "stored-value",
          },
        );
      const innermost = leaf.nestedRowSplits.at(-1) as Int32Array;
      const splits = [...leaf.nestedRowSplits.slice(0, -1), innermost.map((split) => split * innerSize)];
      const values = flatData(leaf.dtype, leaf.values);
      return [splits.reduceRight((child, each) => listData(each, child), values)];
    }
  }
}

function denseData({ dtype, values, shape: [numRows = 0, ...row] }: HostDense): readonly Data[] {
  if (row.length === 0) return [flatData(dtype, values)];
  const list = listData(evenSplits(numRows, sizeOf(row)), flatData(dtype, values));
  return row.length === 1 ? [list] : [list, shapesData(Array.from({ length: numRows }, () => row))];
}

function denseRowsData(rows: readonly HostDense[]): readonly Data[] {
  const { dtype, shape } = rows[0] as HostDense;
  const lengths = rows.map((row) => sizeOf(row.shape));
  const values = gatherValues(
    rows.map((row) => row.values),
    dtype,
    wholeSources(lengths),
    1,
  );
  const list = listData(splitsOf(lengths), flatData(dtype, values));
  return shape.length === 1 ? [list] : [list, shapesData(rows.map((row) => row.shape))];
}

function sparseRowsData(rows: readonly HostSparse[]): readonly Data[] {
  const column = gatherColumns(rows.map(columnOfOne), wholeSources(rows.map(() => 1)), "") as HostSparse;
  return sparseData(
    column,
    rows.map(({ denseShape }) => denseShape),
  );
}

function sparseData(
  { dtype, values, indices, denseShape }: HostSparse,
  shapes: readonly (readonly number[])[],
): readonly Data[] {
  const rank = denseShape.length;
  const lengths = shapes.map(() => 0);
  const own = new Int32Array(values.length * (rank - 1));
  for (let entry = 0; entry < values.length; entry++) {
    (lengths[indices[entry * rank] as number] as number)++;
    own.set(indices.subarray(entry * rank + 1, (entry + 1) * rank), entry * (rank - 1));
  }
  const splits = splitsOf(lengths);
  return [
    listData(splits, flatData(dtype, values)),
    listData(
      splits.map((split) => split * (rank - 1)),
      flatData("int32", own),
    ),
    shapesData(shapes),
  ];
}

function shapesData(shapes: readonly (readonly number[])[]): Data {
  return listData(
    splitsOf(shapes.map(({ length }) => length)),
    flatData("int32", Int32Array.from(shapes.flat())),
  );
}

function flatData(dtype: DType, values: HostValues): Data {
  const type = types[dtype]();
  const { length } = values;
  if (values instanceof BytesColumn) {
    // In a view, offsets may begin above 0. Copies only the bytes of its rows, not those before the first offset.
    const own = gatherValues([values], "string", wholeSources([length]), 1) as BytesColumn;
    return makeData({
      type: type as Binary,
      length,
      nullCount: 0,
      valueOffsets: own.offsets,
      data: own.data,
    });
  }
  const data = dtype === "bool" ? bitmapOf(length, (row) => values[row] === 1) : values;
  return makeData({ type: type as Float32, length, nullCount: 0, data: data as Float32Array });
}

function listData(valueOffsets: Int32Array, child: Data): Data {
  return makeData({
    type: listOf(child.type),
    length: valueOffsets.length - 1,
    nullCount: 0,
    valueOffsets,
    child,
  });
}

function listOf(type: DataType): List {
  return new List(new Field("item", type, false));
}

function evenSplits(numRows: number, size: number): Int32Array {
  return Int32Array.from({ length: numRows + 1 }, (_, row) => row * size);
}

function splitsOf(lengths: readonly number[]): Int32Array {
  const splits = new Int32Array(lengths.length + 1);
  lengths.forEach((length, row) => {
    splits[row + 1] = (splits[row] as number) + length;
  });
  return splits;
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Returns true for separate rows, and false for a column. */
export function isRows(leaf: LeafRows): leaf is readonly HostDense[] | readonly HostSparse[] {
  return Array.isArray(leaf);
}

function isSparseRows(rows: readonly HostColumn[]): rows is readonly HostSparse[] {
  return rows[0]?.kind === "sparse";
}
