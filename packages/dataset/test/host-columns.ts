import {
  BytesColumn,
  type DType,
  type HostDense,
  type HostRagged,
  type HostSparse,
  type HostValues,
} from "@tfxio/tensor-adapter";

export function dense(values: HostValues, shape: readonly number[], dtype: DType = "float32"): HostDense {
  return { kind: "dense", dtype, shape, values, borrowed: false };
}

/** Creates a column of byte strings, one per row. */
export function strings(...values: string[]): HostDense {
  const bytes = values.map((value) => new TextEncoder().encode(value));
  return dense(BytesColumn.from(bytes), [values.length], "string");
}

/** Creates a sparse matrix from the entries of each row: `[column, value]`. */
export function sparse(
  rows: readonly (readonly (readonly [number, number])[])[],
  numColumns: number,
): HostSparse {
  const entries = rows.flatMap((row, index) => row.map(([column, value]) => ({ index, column, value })));
  return {
    kind: "sparse",
    dtype: "float32",
    indices: Int32Array.from(entries.flatMap(({ index, column }) => [index, column])),
    values: Float32Array.from(entries, ({ value }) => value),
    denseShape: [rows.length, numColumns],
    borrowed: false,
  };
}

/** Creates a ragged column from its rows. */
export function ragged(rows: readonly (readonly number[])[]): HostRagged {
  let total = 0;
  const splits = [0, ...rows.map((row) => (total += row.length))];
  return {
    kind: "ragged",
    dtype: "float32",
    values: Float32Array.from(rows.flat()),
    nestedRowSplits: [Int32Array.from(splits)],
    innerShape: [],
    rowSplitsDtype: "int32",
    borrowed: false,
  };
}
