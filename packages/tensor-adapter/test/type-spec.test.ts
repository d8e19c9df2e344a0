import { describe, expect, test } from "@jest/globals";
import {
  type HostDense,
  type HostRagged,
  type HostSparse,
  RaggedTensorSpec,
  SparseTensorSpec,
  TensorSpec,
} from "../src/index.js";
import { codedError } from "./representations.js";

const dense: HostDense = {
  kind: "dense",
  dtype: "float32",
  shape: [2, 3],
  values: new Float32Array(6),
  borrowed: false,
};
const sparse: HostSparse = {
  kind: "sparse",
  dtype: "float32",
  indices: Int32Array.of(0, 1),
  values: Float32Array.of(5),
  denseShape: [2, -1],
  borrowed: false,
};
const ragged: HostRagged = {
  kind: "ragged",
  dtype: "float32",
  values: new Float32Array(4),
  nestedRowSplits: [Int32Array.of(0, 1, 2)],
  innerShape: [2],
  rowSplitsDtype: "int64",
  borrowed: false,
};

describe("type specs", () => {
  test("are equal only to specs with the same members", () => {
    const spec = new TensorSpec([null, 3], "float32");
    expect(spec.equals(new TensorSpec([null, 3], "float32"))).toBe(true);
    expect(spec.equals(new TensorSpec([2, 3], "float32"))).toBe(false);
    expect(spec.equals(new TensorSpec([null, 3], "float64"))).toBe(false);
    expect(spec.equals(new SparseTensorSpec([null, 3], "float32"))).toBe(false);
    const rows = new RaggedTensorSpec([null, null], "int64", 1, "int64");
    expect(rows.equals(new RaggedTensorSpec([null, null], "int64", 1, "int64"))).toBe(true);
    expect(rows.equals(new RaggedTensorSpec([null, null], "int64", 1, "int32"))).toBe(false);
  });

  test("are compatible only with columns that they describe", () => {
    expect(new TensorSpec([null, 3], "float32").isCompatibleWith(dense)).toBe(true);
    expect(new TensorSpec([2, 3], "float32").isCompatibleWith(dense)).toBe(true);
    expect(new TensorSpec([null, 4], "float32").isCompatibleWith(dense)).toBe(false);
    expect(new TensorSpec([null], "float32").isCompatibleWith(dense)).toBe(false);
    expect(new TensorSpec([null, 3], "int32").isCompatibleWith(dense)).toBe(false);
    expect(new TensorSpec([null, null], "float32").isCompatibleWith(sparse)).toBe(false);
    expect(new SparseTensorSpec([null, null], "float32").isCompatibleWith(sparse)).toBe(true);
    expect(new SparseTensorSpec([null, 10], "float32").isCompatibleWith(sparse)).toBe(false);
    expect(new RaggedTensorSpec([null, null, 2], "float32", 1, "int64").isCompatibleWith(ragged)).toBe(true);
    expect(new RaggedTensorSpec([null, null, 3], "float32", 1, "int64").isCompatibleWith(ragged)).toBe(false);
    expect(new RaggedTensorSpec([null, null, 2], "float32", 1, "int32").isCompatibleWith(ragged)).toBe(false);
    expect(new RaggedTensorSpec([null, null, 2], "float32", 2, "int64").isCompatibleWith(ragged)).toBe(false);
  });

  test("are compatible with more specific specs, but not with more general specs", () => {
    const open = new TensorSpec([null, 3], "float32");
    const fixed = new TensorSpec([2, 3], "float32");
    expect(open.isCompatibleWith(fixed)).toBe(true);
    expect(fixed.isCompatibleWith(open)).toBe(false);
  });

  test("reject an unknown dtype, and more ragged dimensions than the shape allows", () => {
    for (const make of [
      () => new TensorSpec([null], "bogus" as "int32"),
      () => new SparseTensorSpec(null, undefined as never),
      () => new RaggedTensorSpec([null, null], "" as "int32", 1, "int64"),
    ]) {
      expect(codedError(make)).toMatchObject({ code: "invalid-argument", argument: "dtype" });
    }
    for (const [shape, raggedRank] of [
      [[null], 1],
      [[null], 3],
      [[null, null, 2], 3],
    ] as const) {
      const make = (): unknown => new RaggedTensorSpec(shape, "int32", raggedRank, "int64");
      expect(codedError(make)).toMatchObject({ code: "invalid-argument", argument: "raggedRank" });
    }
  });

  test("are incompatible with malformed values", () => {
    const specs = [
      new TensorSpec([null], "int32"),
      new SparseTensorSpec([null], "int32"),
      new RaggedTensorSpec([null, null], "int32", 1, "int32"),
    ];
    const dtype = "int32";
    const splits = Int32Array.of(0, 1);
    for (const value of [
      { kind: "tensor", dtype: "bogus", shape: [1] },
      { kind: "tensor", dtype, shape: [1.5] },
      { kind: "sparse", dtype },
      { kind: "sparse", dtype, shape: 5 },
      { kind: "sparse", dtype, denseShape: [0.5] },
      { kind: "ragged", dtype, shape: "x", raggedRank: 1 },
      { kind: "ragged", dtype, nestedRowSplits: [5], innerShape: [] },
      { kind: "ragged", dtype, nestedRowSplits: [null], innerShape: [] },
      { kind: "ragged", dtype, nestedRowSplits: [new Int32Array(0)], innerShape: [] },
      { kind: "ragged", dtype, nestedRowSplits: [splits] },
      { dtype, nestedRowSplits: [splits], values: null },
    ]) {
      expect(specs.map((spec) => spec.isCompatibleWith(value as never))).toEqual([false, false, false]);
    }
  });

  test("of sparse tensors may have an unknown rank", () => {
    const open = new SparseTensorSpec(null, "float32");
    expect(open.isCompatibleWith(sparse)).toBe(true);
    expect(open.isCompatibleWith(new SparseTensorSpec([null, 3, 4], "float32"))).toBe(true);
    expect(new SparseTensorSpec([null, null], "float32").isCompatibleWith(open)).toBe(false);
    expect(open.equals(new SparseTensorSpec(null, "float32"))).toBe(true);
    expect(open.equals(new SparseTensorSpec([null, null], "float32"))).toBe(false);
    expect(String(open)).toBe("SparseTensorSpec(shape=?, dtype=float32)");
  });

  test("print their shape with ? for an unknown size", () => {
    expect(String(new TensorSpec([null, 3], "float32"))).toBe("TensorSpec(shape=[?, 3], dtype=float32)");
    expect(String(new SparseTensorSpec([null, null], "string"))).toBe(
      "SparseTensorSpec(shape=[?, ?], dtype=string)",
    );
    expect(String(new RaggedTensorSpec([null, null], "int64", 1, "int32"))).toBe(
      "RaggedTensorSpec(shape=[?, ?], dtype=int64, raggedRank=1, rowSplitsDtype=int32)",
    );
  });
});
