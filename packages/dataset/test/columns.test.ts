import { describe, expect, test } from "@jest/globals";
import type { HostColumn, HostDense, HostRagged } from "@tfxio/tensor-adapter";
import { columnOfOne, gatherColumns, rowOf, sliceColumn } from "../src/columns/column-rows.js";
import { singleRows, wholeSources } from "../src/columns/row-ranges.js";
import { dense, ragged, sparse, strings } from "./host-columns.js";

function take(column: HostColumn, ...rows: number[]): HostColumn {
  return gatherColumns([column], singleRows(new Uint32Array(rows.length), Uint32Array.from(rows)), "c");
}

function concat(...columns: HostColumn[]): HostColumn {
  const numRows = columns.map((column) =>
    column.kind === "ragged"
      ? (column.nestedRowSplits[0] as Int32Array).length - 1
      : ((column.kind === "dense" ? column.shape : column.denseShape)[0] as number),
  );
  return gatherColumns(columns, wholeSources(numRows), "c");
}

describe("dense columns", () => {
  const matrix = dense(Float32Array.of(1, 2, 3, 4, 5, 6), [3, 2]);

  test("gather rows in any order, with repeats", () => {
    expect(take(matrix, 2, 0, 2)).toEqual(dense(Float32Array.of(5, 6, 1, 2, 5, 6), [3, 2]));
  });

  test("concatenate, keeping int64 exact", () => {
    const big = 2n ** 60n + 1n;
    const column = concat(
      dense(BigInt64Array.of(big), [1], "int64"),
      dense(BigInt64Array.of(-1n, 0n), [2], "int64"),
    );
    expect(column).toEqual(dense(BigInt64Array.of(big, -1n, 0n), [3], "int64"));
  });

  test("slice without a copy", () => {
    const slice = sliceColumn(matrix, 1, 3);
    expect(slice).toEqual(dense(Float32Array.of(3, 4, 5, 6), [2, 2]));
    expect((slice.values as Float32Array).buffer).toBe((matrix.values as Float32Array).buffer);
  });

  test("gather rows of 40 values", () => {
    const wide = dense(
      Float32Array.from({ length: 120 }, (_, i) => i),
      [3, 40],
    );
    const taken = take(wide, 2, 1).values as Float32Array;
    expect([taken[0], taken[39], taken[40], taken[79]]).toEqual([80, 119, 40, 79]);
  });

  test("return scalar rows as plain values, strings as bytes, and other rows as views", () => {
    expect(rowOf(dense(Float32Array.of(7, 8), [2]), 1)).toBe(8);
    expect(rowOf(dense(BigInt64Array.of(7n), [1], "int64"), 0)).toBe(7n);
    expect(rowOf(strings("a", "bc"), 1)).toEqual(new TextEncoder().encode("bc"));
    const row = rowOf(matrix, 1) as HostDense;
    expect(row).toEqual(dense(Float32Array.of(3, 4), [2]));
    expect((row.values as Float32Array).buffer).toBe((matrix.values as Float32Array).buffer);
  });

  test("gather and slice strings of any length", () => {
    const column = strings("one", "", "three", "four");
    expect(take(column, 3, 1, 0)).toEqual(strings("four", "", "one"));
    const slice = sliceColumn(column, 2, 4);
    expect(concat(slice, strings("five"))).toEqual(strings("three", "four", "five"));
  });

  test("reject a concatenation of different shapes or dtypes", () => {
    expect(() => concat(matrix, dense(Float32Array.of(1, 2, 3), [1, 3]))).toThrow(
      '[shape-mismatch] All rows of component "c" must have the same layout, ' +
        "found dense float32 of row shape [3] after dense float32 of row shape [2]",
    );
    expect(() => concat(matrix, dense(Int32Array.of(1, 2), [1, 2], "int32"))).toThrow("[shape-mismatch]");
    expect(() => concat(matrix, ragged([[1]]))).toThrow("[shape-mismatch]");
  });
});

describe("sparse columns", () => {
  const column = sparse(
    [
      [[1, 10]],
      [],
      [
        [0, 20],
        [3, 30],
      ],
      [[2, 40]],
    ],
    4,
  );

  test("gather rows in any order, including empty rows", () => {
    expect(take(column, 2, 1, 0)).toEqual(
      sparse(
        [
          [
            [0, 20],
            [3, 30],
          ],
          [],
          [[1, 10]],
        ],
        4,
      ),
    );
  });

  test("concatenate to the largest dense shape", () => {
    expect(concat(sparse([[[0, 1]]], 2), column)).toEqual(
      sparse(
        [
          [[0, 1]],
          [[1, 10]],
          [],
          [
            [0, 20],
            [3, 30],
          ],
          [[2, 40]],
        ],
        4,
      ),
    );
  });

  test("keep a dimension unknown if it is unknown in one part", () => {
    expect(concat(sparse([[[0, 1]]], 2), sparse([[]], -1))).toEqual(sparse([[[0, 1]], []], -1));
  });

  test("count the rows of a slice from 0", () => {
    expect(sliceColumn(column, 2, 4)).toEqual(
      sparse(
        [
          [
            [0, 20],
            [3, 30],
          ],
          [[2, 40]],
        ],
        4,
      ),
    );
  });

  test("return a row as a sparse vector, and accept the vector as a row", () => {
    const row = rowOf(column, 2) as HostColumn;
    expect(row).toEqual({
      kind: "sparse",
      dtype: "float32",
      indices: Int32Array.of(0, 3),
      values: Float32Array.of(20, 30),
      denseShape: [4],
      borrowed: false,
    });
    expect(columnOfOne(row)).toEqual(
      sparse(
        [
          [
            [0, 20],
            [3, 30],
          ],
        ],
        4,
      ),
    );
  });
});

describe("ragged columns", () => {
  const column = ragged([[1, 2], [], [3, 4, 5]]);
  /** Rows [[1], [2, 3]], [] and [[]], where each n stands for the pair [n, -n], because the inner shape is [2]. */
  const nested: HostRagged = {
    kind: "ragged",
    dtype: "int32",
    values: Int32Array.of(1, -1, 2, -2, 3, -3),
    nestedRowSplits: [Int32Array.of(0, 2, 2, 3), Int32Array.of(0, 1, 3, 3)],
    innerShape: [2],
    rowSplitsDtype: "int64",
    borrowed: false,
  };

  test("gather rows in any order", () => {
    expect(take(column, 2, 1, 0)).toEqual(ragged([[3, 4, 5], [], [1, 2]]));
  });

  test("concatenate and slice", () => {
    expect(concat(column, ragged([[6]]))).toEqual(ragged([[1, 2], [], [3, 4, 5], [6]]));
    expect(sliceColumn(column, 1, 3)).toEqual(ragged([[], [3, 4, 5]]));
  });

  test("gather rows through every level, inner shapes included", () => {
    expect(take(nested, 2, 0)).toEqual({
      ...nested,
      values: Int32Array.of(1, -1, 2, -2, 3, -3),
      nestedRowSplits: [Int32Array.of(0, 1, 3), Int32Array.of(0, 0, 1, 3)],
    });
  });

  test("return a row with one less ragged dimension, which columnOfOne turns into a column", () => {
    const vector = rowOf(column, 2) as HostDense;
    expect(vector).toEqual(dense(Float32Array.of(3, 4, 5), [3]));
    expect(columnOfOne(vector)).toEqual(dense(Float32Array.of(3, 4, 5), [1, 3]));
    const row = rowOf(nested, 0) as HostRagged;
    expect(row.nestedRowSplits).toEqual([Int32Array.of(0, 1, 3)]);
    expect(row.values).toEqual(Int32Array.of(1, -1, 2, -2, 3, -3));
    expect(columnOfOne(row)).toEqual({
      ...row,
      nestedRowSplits: [Int32Array.of(0, 2), Int32Array.of(0, 1, 3)],
    });
  });
});
