import { describe, expect, test } from "@jest/globals";
import { type Data, Dictionary, Field, Int8, Int32, List, makeData, makeVector, Utf8 } from "apache-arrow";
import {
  BytesColumn,
  type HostColumn,
  type HostDense,
  type HostRagged,
  type HostSparse,
  TensorAdapter,
} from "../../src/index.js";
import { arrowData, batchOf, recordBatch, type TypeJson } from "../arrow-values.js";
import { adapterFor, codedError, representations } from "../representations.js";

const dense = (size: number, rest = ""): string =>
  `dense_tensor { column_name: "x" shape { dim { size: ${size} } } ${rest} }`;
const varLen = 'varlen_sparse_tensor { column_name: "x" }';
const ragged = 'ragged_tensor { feature_path { step: "x" } }';
const column = (type: TypeJson, values: unknown[], text: string): HostColumn => {
  const batch = recordBatch([{ name: "x", type, values }]);
  return adapterFor(batch, { t: text }).toHost(batch).t as HostColumn;
};
const errorOf = (type: TypeJson, values: unknown[], text: string): ReturnType<typeof codedError> =>
  codedError(() => column(type, values, text));

const childValues = (data: Data): Float32Array => (data.children[0] as Data).values as Float32Array;

/** Creates a batch with a list column in which row 1 is null and hides two values. */
const hiding = (): ReturnType<typeof batchOf> => {
  const child = makeData({ type: new Int32(), data: Int32Array.of(1, 2, 90, 91, 3, 4) });
  const type = new List(new Field("item", new Int32(), true));
  const valueOffsets = Int32Array.of(0, 2, 4, 6);
  return batchOf(
    ["x"],
    [makeData({ type, valueOffsets, nullCount: 1, nullBitmap: Uint8Array.of(0b101), child })],
  );
};

describe("in the result of toHost,", () => {
  for (const type of ["float32", "int64", "uint8", "float64"]) {
    test(`${type} tensors (dense, sparse and ragged) share the batch's values`, () => {
      const data = arrowData({ list: type }, [
        [1, 2],
        [3, 4],
        [5, 6],
      ]);
      const batch = batchOf(["x"], [data]);
      const host = adapterFor(batch, { dense: dense(2), sparse: varLen, ragged }).toHost(batch);
      const { buffer } = childValues(data);
      for (const { values, borrowed } of Object.values(host)) {
        expect((values as Float32Array).buffer).toBe(buffer);
        expect(borrowed).toBe(true);
      }
    });
  }

  test("row splits of a ragged tensor are the column's offsets", () => {
    const data = arrowData({ list: { list: "float32" } }, [[[1], [2, 3]], []]);
    const batch = batchOf(["x"], [data]);
    const { nestedRowSplits } = adapterFor(batch, { t: ragged }).toHost(batch).t as HostRagged;
    expect(nestedRowSplits[0]?.buffer).toBe(data.valueOffsets.buffer);
    expect(nestedRowSplits[1]?.buffer).toBe(data.children[0]?.valueOffsets.buffer);
  });

  test("a dense tensor with a default shares the values of a batch without null rows", () => {
    const data = arrowData({ list: "float32" }, [[1], [2]]);
    const batch = batchOf(["x"], [data]);
    const text = dense(1, "default_value { float_value: 0 }");
    const { values, borrowed } = adapterFor(batch, { t: text }).toHost(batch).t as HostDense;
    expect((values as Float32Array).buffer).toBe(childValues(data).buffer);
    expect(borrowed).toBe(true);
  });

  test("strings share the batch's bytes", () => {
    const data = arrowData({ large_list: "large_string" }, [["ab"], ["c"]]);
    const batch = batchOf(["x"], [data]);
    const { values, dtype } = adapterFor(batch, { t: dense(1) }).toHost(batch).t as HostDense;
    expect(dtype).toBe("string");
    expect((values as BytesColumn).data.buffer).toBe(childValues(data).buffer);
  });

  test("a tensor with filled rows is a copy, so its `borrowed` is false", () => {
    const text = dense(1, "default_value { int_value: 7 }");
    expect(column({ list: "int64" }, [["1"], null], text)).toMatchObject({
      values: BigInt64Array.of(1n, 7n),
      borrowed: false,
    });
  });
});

describe("slices", () => {
  test("of a record batch become tensors of only the rows in the slice", () => {
    const whole = recordBatch([
      { name: "x", type: { list: "int64" }, values: [["1", "2"], null, ["3", "4"], ["5", "6"], null] },
    ]);
    const batch = whole.slice(1, 4);
    const texts = { d: dense(2, "default_value { int_value: -1 }"), s: varLen, r: ragged };
    const host = adapterFor(whole, texts).toHost(batch);
    expect(host.d).toMatchObject({ shape: [3, 2], values: BigInt64Array.of(-1n, -1n, 3n, 4n, 5n, 6n) });
    expect(host.s).toMatchObject({
      indices: Int32Array.of(1, 0, 1, 1, 2, 0, 2, 1),
      denseShape: [3, 2],
      values: BigInt64Array.of(3n, 4n, 5n, 6n),
    });
    expect(host.r).toMatchObject({
      nestedRowSplits: [Int32Array.of(0, 0, 2, 4)],
      values: BigInt64Array.of(3n, 4n, 5n, 6n),
    });
  });

  test("of a struct column apply to its values and its row lengths at every depth", () => {
    const type = {
      list: {
        struct: [
          { name: "v", type: { list: "int32" } },
          { name: "n", type: { large_list: "uint8" } },
        ],
      },
    };
    const values = [
      [{ v: [9, 9], n: [2] }],
      [{ v: [1, 2, 3], n: [1, 2] }, null],
      null,
      [{ v: [4], n: [0, 1] }],
    ];
    const batch = recordBatch([{ name: "x", type, values, slice: [1, 3] }]);
    const text = 'ragged_tensor { feature_path { step: "x" step: "v" } partition { row_length: "n" } }';
    expect(adapterFor(batch, { t: text }).toHost(batch).t).toMatchObject({
      nestedRowSplits: [Int32Array.of(0, 2, 2, 3), Int32Array.of(0, 2, 2, 4), Int32Array.of(0, 1, 3, 3, 4)],
      values: Int32Array.of(1, 2, 3, 4),
    });
  });
});

describe("null rows", () => {
  test("with hidden values are filled with the default in dense tensors", () => {
    const batch = hiding();
    const { t } = adapterFor(batch, { t: dense(2, "default_value { int_value: 0 }") }).toHost(batch);
    expect(t).toMatchObject({ shape: [3, 2], values: Int32Array.of(1, 2, 0, 0, 3, 4) });
  });

  test("with hidden values are empty in sparse and ragged tensors", () => {
    const batch = hiding();
    const { s, r } = adapterFor(batch, { s: varLen, r: ragged }).toHost(batch);
    expect(s).toMatchObject({
      indices: Int32Array.of(0, 0, 0, 1, 2, 0, 2, 1),
      values: Int32Array.of(1, 2, 3, 4),
    });
    expect(r).toMatchObject({
      nestedRowSplits: [Int32Array.of(0, 2, 2, 4)],
      values: Int32Array.of(1, 2, 3, 4),
    });
  });

  test("are empty in a dense tensor with a dimension of 0, which needs no default", () => {
    const batch = recordBatch([{ name: "v", type: { list: "int64" }, values: [null, [], null] }]);
    const tensorRepresentations = representations({
      v: 'dense_tensor { column_name: "v" shape { dim { size: 0 } } }',
    });
    const { v } = new TensorAdapter({ arrowSchema: batch.schema, tensorRepresentations }).toHost(batch);
    expect(v).toMatchObject({ kind: "dense", shape: [3, 0] });
    expect(v?.values).toHaveLength(0);
  });

  test("with hidden values are rejected in a dense tensor without a default, even if the number of values fits", () => {
    const batch = hiding();
    const adapter = adapterFor(batch, { t: dense(2) });
    expect(codedError(() => adapter.toHost(batch))).toMatchObject({
      code: "shape-mismatch",
      reason: "row-shape",
      tensorName: "t",
      columnPath: "x",
      row: 1,
    });
  });
});

describe("when toHost converts columns,", () => {
  test("a FixedSizeList column with a null row becomes dense, sparse and ragged tensors", () => {
    const type = { fixed_size_list: "float32", size: 2 };
    const values = [[1, 2], null, [3, 4]];
    const filled = dense(2, "default_value { float_value: -1 }");
    expect(column(type, values, filled)).toMatchObject({ values: Float32Array.of(1, 2, -1, -1, 3, 4) });
    expect(column(type, values, varLen)).toMatchObject({
      denseShape: [3, 2],
      values: Float32Array.of(1, 2, 3, 4),
    });
    expect(column(type, values, ragged)).toMatchObject({
      nestedRowSplits: [Int32Array.of(0, 2, 2, 4)],
      values: Float32Array.of(1, 2, 3, 4),
    });
  });

  test("dictionary-encoded strings are decoded into a copy", () => {
    const dictionary = makeVector(arrowData("string", ["no", "yes"]) as Data<Utf8>);
    const type = new Dictionary(new Utf8(), new Int8());
    const child = makeData({ type, data: Int8Array.of(1, 0, 1), dictionary });
    const list = new List(new Field("item", type, true));
    const batch = batchOf(["x"], [makeData({ type: list, valueOffsets: Int32Array.of(0, 1, 2, 3), child })]);
    const { dtype, values, borrowed } = adapterFor(batch, { t: dense(1) }).toHost(batch).t as HostDense;
    expect(dtype).toBe("string");
    expect(borrowed).toBe(false);
    expect((values as BytesColumn).toArray().map((bytes) => Buffer.from(bytes).toString())).toEqual([
      "yes",
      "no",
      "yes",
    ]);
  });

  test("float16 keeps its bits, and the default is rounded to float16", () => {
    // 1 is 0x3c00, 65504 is 0x7bff, and 0.1 rounds to 0x2e66 (IEEE 754 binary16).
    const data = makeData({
      type: new List(new Field("item", arrowData("float16", []).type, true)),
      valueOffsets: Int32Array.of(0, 1, 1, 2),
      nullCount: 1,
      nullBitmap: Uint8Array.of(0b101),
      child: makeData({
        type: arrowData("float16", []).type as never,
        data: Uint16Array.of(0x3c00, 0x7bff),
      } as never),
    });
    const batch = batchOf(["x"], [data]);
    const { t } = adapterFor(batch, { t: dense(1, "default_value { float_value: 0.1 }") }).toHost(batch);
    expect(t).toMatchObject({ dtype: "float16", values: Uint16Array.of(0x3c00, 0x2e66, 0x7bff) });
  });

  test("int64 is exact at both ends of its range", () => {
    const ends = ["-9223372036854775808", "9223372036854775807"];
    expect(column({ list: "int64" }, [ends], varLen)).toMatchObject({
      values: BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n),
    });
  });

  test("a default above the range of int64 is accepted for uint64 and rejected for int64", () => {
    const text = dense(1, "default_value { uint_value: 18446744073709551615 }");
    expect(column({ list: "uint64" }, [null], text)).toMatchObject({
      values: BigUint64Array.of(2n ** 64n - 1n),
    });
    expect(errorOf({ list: "int64" }, [null], text)).toMatchObject({
      code: "schema-invalid",
      reason: "bad-default",
    });
  });

  test("null rows of a binary column become the bytes of the default", () => {
    const text = dense(2, 'default_value { bytes_value: "\\377?" }');
    const { values } = column({ list: "binary" }, [null, ["a", "b"]], text) as HostDense;
    expect((values as BytesColumn).toArray().map((bytes) => [...bytes])).toEqual([
      [255, 63],
      [255, 63],
      [97],
      [98],
    ]);
  });

  test("a list of bools and an int64 column without lists have no handler", () => {
    expect(errorOf({ list: "bool" }, [[1]], ragged)).toMatchObject({ reason: "no-handler", tensorName: "t" });
    expect(errorOf("int64", ["1"], dense(1))).toMatchObject({ reason: "no-handler", columnPath: "x" });
  });
});

describe("errors", () => {
  test("name the tensor, column and row if a row has the wrong length", () => {
    const error = errorOf({ list: "int64" }, [["1", "2"], ["3"]], dense(2));
    expect(error).toMatchObject({
      code: "shape-mismatch",
      reason: "row-shape",
      tensorName: "t",
      columnPath: "x",
      row: 1,
    });
    expect(error.message).toBe(
      '[shape-mismatch] Cannot make tensor "t": Row 1 of column "x" has 1 values; shape [2] takes 2.',
    );
    expect(error.cause).toMatchObject({ code: "shape-mismatch" });
  });

  test("are raised for an empty row even if null rows get a default", () => {
    const text = dense(1, "default_value { int_value: 0 }");
    expect(errorOf({ list: "int64" }, [null, []], text)).toMatchObject({ reason: "row-shape", row: 1 });
  });

  test("are raised for a null among the values of a row", () => {
    for (const text of [dense(2), varLen, ragged]) {
      const error = errorOf(
        { list: "float32" },
        [
          [1, 2],
          [3, null],
        ],
        text,
      );
      expect(error).toMatchObject({ code: "not-convertible", reason: "null-value", tensorName: "t", row: 1 });
    }
  });

  test("are raised for a dense tensor that is too large", () => {
    const text = dense(2 ** 30, "default_value { int_value: 0 }");
    expect(errorOf({ list: "int8" }, [null, null], text)).toMatchObject({
      code: "out-of-range",
      reason: "batch-too-large",
    });
  });

  test("name the row whose number of values does not match its row lengths", () => {
    const uniform = 'ragged_tensor { feature_path { step: "x" } partition { uniform_row_length: 2 } }';
    expect(errorOf({ list: { list: "int8" } }, [[[1, 2]], [[3, 4], [5]]], uniform)).toMatchObject({
      code: "shape-mismatch",
      reason: "row-shape",
      row: 1,
    });
    // In the first case, the length is too low by 1 in row 0 and too high by 1 in row 1, so the total is correct.
    for (const lengths of [
      [[1], [3]],
      [[2], [3]],
      [[2], [-1, 3]],
      [[2], []],
    ]) {
      const batch = recordBatch([
        {
          name: "x",
          type: { list: "int8" },
          values: [
            [1, 2],
            [3, 4],
          ],
        },
        { name: "n", type: { list: "int32" }, values: lengths },
      ]);
      const text = 'ragged_tensor { feature_path { step: "x" } partition { row_length: "n" } }';
      const adapter = adapterFor(batch, { t: text });
      expect(codedError(() => adapter.toHost(batch))).toMatchObject({
        code: "shape-mismatch",
        columnPath: "n",
        row: lengths[0]?.[0] === 1 ? 0 : 1,
      });
    }
  });

  test("name the row-length column if one of its rows has 6 lengths, but the uniform lengths require a multiple of 4", () => {
    const batch = recordBatch([
      {
        name: "x",
        type: { list: "int8" },
        values: [
          [1, 2, 3, 4],
          [5, 6, 7],
        ],
      },
      {
        name: "n",
        type: { list: "int32" },
        values: [
          [1, 1, 1, 1],
          [1, 1, 1, 0, 0, 0],
        ],
      },
    ]);
    const text =
      'ragged_tensor { feature_path { step: "x" } partition { uniform_row_length: 2 } ' +
      'partition { uniform_row_length: 2 } partition { row_length: "n" } }';
    const adapter = adapterFor(batch, { t: text });
    expect(codedError(() => adapter.toHost(batch))).toMatchObject({
      message: expect.stringContaining(
        'Row 1 of column "n" has a list of length 6, which is not a multiple of 4.',
      ),
      reason: "row-shape",
      columnPath: "n",
      row: 1,
    });
  });

  test("are raised for sparse indices that do not match the values or exceed int32", () => {
    const text =
      'sparse_tensor { dense_shape { dim { size: -1 } } index_column_names: "i" value_column_name: "x" }';
    const error = (indices: unknown[]): unknown => {
      const batch = recordBatch([
        { name: "x", type: { list: "int8" }, values: [[1], [2]] },
        { name: "i", type: { list: "int64" }, values: indices },
      ]);
      return codedError(() => adapterFor(batch, { t: text }).toHost(batch));
    };
    expect(error([["0", "1"], []])).toMatchObject({ reason: "row-shape", columnPath: "i", row: 0 });
    expect(error([["0"], ["2147483648"]])).toMatchObject({
      code: "out-of-range",
      reason: "sparse-index",
      row: 1,
    });
    expect(error([["0"], ["9007199254740993"]])).toMatchObject({ reason: "sparse-index", row: 1 });
  });

  test("leave the adapter usable", () => {
    const bad = recordBatch([{ name: "x", type: { list: "int64" }, values: [["1"]] }]);
    const good = recordBatch([{ name: "x", type: { list: "int64" }, values: [["1", "2"]] }]);
    const adapter = adapterFor(good, { t: dense(2) });
    expect(codedError(() => adapter.toHost(bad))).toMatchObject({ code: "shape-mismatch" });
    expect(adapter.toHost(good).t).toMatchObject({ shape: [1, 2] });
  });
});

test("a sparse tensor without index columns has one dimension, the rows", () => {
  const text = 'sparse_tensor { dense_shape { } value_column_name: "x" }';
  const { indices, denseShape, values } = column({ list: "int8" }, [[5], [], [7]], text) as HostSparse;
  expect([...indices]).toEqual([0, 2]);
  expect(denseShape).toEqual([3]);
  expect(values).toEqual(Int8Array.of(5, 7));
});
