import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import type { HostRagged } from "../../src/index.js";
import { fillNullRows, raggedIndices, raggedToDense } from "../../src/webgpu/index.js";
import { codedError } from "../representations.js";

// Without WebGPU, the host computes the results. `pnpm interop webgpu` compares the kernels' results with them bit by bit.

tf.enableProdMode();
let before = 0;
beforeAll(() => tf.setBackend("cpu"));
beforeEach(() => {
  before = tf.memory().numTensors;
});
afterEach(() => {
  expect(tf.memory().numTensors).toBe(before);
});

function ragged(
  values: Int32Array | Float32Array,
  nestedRowSplits: readonly (readonly number[])[],
  innerShape: readonly number[] = [],
): HostRagged {
  return {
    kind: "ragged",
    dtype: values[Symbol.toStringTag] === "Int32Array" ? "int32" : "float32",
    values,
    nestedRowSplits: nestedRowSplits.map((splits) => Int32Array.from(splits)),
    innerShape,
    rowSplitsDtype: "int32",
    borrowed: false,
  };
}

function read(tensor: tf.Tensor): unknown {
  const found = { dtype: tensor.dtype, value: tensor.arraySync() };
  tensor.dispose();
  return found;
}

describe("raggedToDense", () => {
  test("pads every list at its end", () => {
    const column = ragged(Float32Array.of(1, 2, 3), [[0, 2, 2, 3]]);
    expect(read(raggedToDense(column, { tf, defaultValue: -1 }))).toEqual({
      dtype: "float32",
      value: [
        [1, 2],
        [-1, -1],
        [3, -1],
      ],
    });
  });

  test("accepts sizes for some dimensions, and truncates longer lists", () => {
    // [[[1, 2, 3], [4]], [[5]]]
    const column = ragged(Int32Array.of(1, 2, 3, 4, 5), [
      [0, 2, 3],
      [0, 3, 4, 5],
    ]);
    expect(read(raggedToDense(column, { tf, sizes: [null, 2] }))).toEqual({
      dtype: "int32",
      value: [
        [
          [1, 2],
          [4, 0],
        ],
        [
          [5, 0],
          [0, 0],
        ],
      ],
    });
    expect(read(raggedToDense(column, { tf, sizes: [1, 1] }))).toEqual({
      dtype: "int32",
      value: [[[1]], [[5]]],
    });
  });

  test("keeps the inner shape", () => {
    const column = ragged(Int32Array.of(1, 2, 3, 4), [[0, 0, 2]], [2]);
    expect(read(raggedToDense(column, { tf }))).toEqual({
      dtype: "int32",
      value: [
        [
          [0, 0],
          [0, 0],
        ],
        [
          [1, 2],
          [3, 4],
        ],
      ],
    });
  });

  test("returns the same tensors as TensorFlow.js's raggedTensorToTensor, for random columns", () => {
    let state = 1;
    const below = (limit: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % limit;
    };
    for (let round = 0; round < 100; round++) {
      const nestedRowSplits: number[][] = [];
      let numLists = 1 + below(8);
      for (let level = below(3); level >= 0; level--) {
        const splits = [0];
        for (let list = 0; list < numLists; list++) splits.push((splits[list] ?? 0) + below(4));
        nestedRowSplits.push(splits);
        numLists = splits.at(-1)!;
      }
      const column = ragged(
        Float32Array.from({ length: numLists }, () => below(1000)),
        nestedRowSplits,
      );
      const expected = tf.tidy(() =>
        tf
          .raggedTensorToTensor(
            tf.tensor1d([-1, ...nestedRowSplits.map(() => -1)], "int32"),
            tf.tensor1d(column.values as Float32Array),
            tf.scalar(9),
            nestedRowSplits.map((splits) => tf.tensor1d(splits, "int32")),
            nestedRowSplits.map(() => "ROW_SPLITS"),
          )
          .arraySync(),
      );
      expect(read(raggedToDense(column, { tf, defaultValue: 9 }))).toEqual({
        dtype: "float32",
        value: expected,
      });
    }
  });

  test("rejects int64 values, invalid options and malformed columns", () => {
    const column = ragged(Int32Array.of(1), [[0, 1]]);
    const error = (run: () => unknown): unknown => {
      const { code, reason, argument } = codedError(run);
      return [code, reason ?? argument];
    };
    expect(
      error(() => raggedToDense({ ...column, dtype: "int64", values: BigInt64Array.of(1n) }, { tf })),
    ).toEqual(["unsupported", "device-dtype"]);
    expect(error(() => raggedToDense(column, { tf, sizes: [1, 1] }))).toEqual(["invalid-argument", "sizes"]);
    expect(error(() => raggedToDense(column, { tf, sizes: [-1] }))).toEqual(["invalid-argument", "sizes"]);
    expect(error(() => raggedToDense(column, { tf, sizes: [2 ** 31] }))).toEqual([
      "out-of-range",
      "batch-too-large",
    ]);
    expect(() => raggedToDense(column, { tf, defaultValue: 0.5 })).toThrow(
      "defaultValue must be a number of dtype int32, found 0.5.",
    );
    expect(error(() => raggedToDense(column, { tf, defaultValue: 0.5 }))).toEqual([
      "invalid-argument",
      "defaultValue",
    ]);
    expect(error(() => raggedToDense(column, { tf, minDeviceBytes: -1 }))).toEqual([
      "invalid-argument",
      "minDeviceBytes",
    ]);
    expect(error(() => raggedToDense(ragged(Int32Array.of(1), [[0, 2]]), { tf }))).toEqual([
      "shape-mismatch",
      "malformed-tensor",
    ]);
  });
});

describe("raggedIndices", () => {
  test("returns the row of every value and its position in each dimension", () => {
    // [[[1, 2], []], [], [[3]]]
    const column = ragged(Int32Array.of(1, 2, 3), [
      [0, 2, 2, 3],
      [0, 2, 2, 3],
    ]);
    expect(read(raggedIndices(column, { tf }))).toEqual({
      dtype: "int32",
      value: [
        [0, 0, 0],
        [0, 0, 1],
        [2, 0, 0],
      ],
    });
  });

  test("includes the positions in the inner dimensions", () => {
    const column = ragged(Int32Array.of(1, 2, 3, 4), [[0, 0, 2]], [2]);
    expect(read(raggedIndices(column, { tf }))).toEqual({
      dtype: "int32",
      value: [
        [1, 0, 0],
        [1, 0, 1],
        [1, 1, 0],
        [1, 1, 1],
      ],
    });
  });
});

describe("fillNullRows", () => {
  test("rejects values or null flags in an array of the wrong type", () => {
    for (const [dtype, values] of [
      ["float32", Int32Array.of(1)],
      ["float32", Float64Array.of(1.5)],
      ["int32", Float32Array.of(1.5)],
      ["int32", [1]],
      ["int32", null],
    ] as const) {
      const rows = { dtype, values: values as Int32Array, isNull: Uint8Array.of(0, 1), rowShape: [] };
      expect(codedError(() => fillNullRows(rows, { tf }))).toMatchObject({
        code: "invalid-argument",
        argument: "values",
      });
    }
    const isNull = new DataView(new ArrayBuffer(2)) as never;
    const rows = { dtype: "int32", values: Int32Array.of(1), isNull, rowShape: [] } as const;
    expect(codedError(() => fillNullRows(rows, { tf }))).toMatchObject({ argument: "isNull" });
  });

  const rows = {
    dtype: "float32",
    values: Float32Array.of(1, 2, 3, 4),
    isNull: Uint8Array.of(1, 0, 1, 0),
    rowShape: [2],
  } as const;

  test("fills only null rows", () => {
    expect(read(fillNullRows(rows, { tf, defaultValue: 0.5 }))).toEqual({
      dtype: "float32",
      value: [
        [0.5, 0.5],
        [1, 2],
        [0.5, 0.5],
        [3, 4],
      ],
    });
  });

  test("rejects too few values for the non-null rows", () => {
    const error = codedError(() => fillNullRows({ ...rows, isNull: Uint8Array.of(0, 0, 0) }, { tf }));
    expect(error).toMatchObject({ code: "shape-mismatch", reason: "malformed-tensor" });
    expect(error.message).toContain("The 3 non-null rows of shape [2] take 6 values, found 4.");
  });
});
