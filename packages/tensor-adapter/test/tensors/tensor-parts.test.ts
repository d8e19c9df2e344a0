import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import { RaggedTensor, readTensor, SparseTensor, TensorsToRecordBatchConverter } from "../../src/index.js";
import { RaggedTensorSpec, toTensor } from "../../src/index.js";
import { codedError } from "../representations.js";

// Tests tensors that the caller made, or that were disposed.

let before = 0;
beforeAll(() => {
  tf.enableProdMode();
  return tf.setBackend("cpu");
});
beforeEach(() => {
  before = tf.memory().numTensors;
});
afterEach(() => {
  expect(tf.memory().numTensors).toBe(before);
});

const int32 = (values: readonly number[], shape: number[] = [values.length]): tf.Tensor =>
  tf.tensor([...values], shape, "int32");

describe("a ragged tensor built by the caller", () => {
  test.each([
    ["do not start at 0", [[1, 3]], undefined],
    ["decrease", [[0, 2, 1, 3]], undefined],
    ["end beyond the values", [[0, 1000]], undefined],
    ["end before the last value", [[0, 2]], undefined],
    [
      "end beyond the lists of the next level",
      [
        [0, 3],
        [0, 1, 3],
      ],
      undefined,
    ],
    ["are shorter on the host than on the device", [[0, 1, 3]], [Int32Array.of(0, 3)]],
    [
      "have fewer levels on the host than on the device",
      [
        [0, 1],
        [0, 3],
      ],
      [Int32Array.of(0, 3)],
    ],
    ["are not a list on the host", [[0, 3]], 5],
  ])("is rejected on use if its row splits %s", (_what, splits, known) => {
    const values = tf.tensor([1, 2, 3]);
    const device = splits.map((each) => int32(each));
    const make = (): RaggedTensor => new RaggedTensor(values, device, known as Int32Array[] | undefined);
    for (const run of [
      () => make().rowLengths(),
      () => make().toDense({ tf }),
      () => make().toMask({ tf }),
      () => make().toSparse({ tf }),
      () => make().slice(0, 0, { tf }),
      () => RaggedTensor.concat([make()], { tf }),
    ]) {
      expect(codedError(run)).toMatchObject({ code: "shape-mismatch", reason: "malformed-tensor" });
    }
    make().dispose();
  });

  test("requires non-empty one-dimensional int32 row splits, and values with at least one dimension", () => {
    const values = tf.tensor([1, 2, 3]);
    const right = int32([0, 3]);
    const wrong = [tf.tensor([0, 3]), int32([0, 3], [1, 2]), tf.tensor(["0"]), int32([])];
    for (const splits of wrong) {
      expect(codedError(() => new RaggedTensor(values, [right, splits]))).toMatchObject({
        code: "invalid-argument",
        argument: "nestedRowSplits",
      });
    }
    const scalar = tf.tensor(1);
    expect(codedError(() => new RaggedTensor(scalar, [right]))).toMatchObject({ argument: "values" });
    for (const each of [values, right, scalar, ...wrong]) each.dispose();
  });
});

describe("a sparse tensor built by the caller", () => {
  test.each([
    ["a row beyond the dense shape", [0, 0, 2, 0], [2, 2], 2, "dimension 0, whose size is 2. Indices"],
    ["a negative row", [-1, 0, 1, 0], [2, 2], -1, "dimension 0, whose size is 2. Indices"],
    ["a position beyond the dense shape", [0, 0, 1, 2], [2, 2], 1, "or more, and less than the size."],
    ["a negative position in a dimension of unknown size", [0, 0, 1, -2], [2, -1], 1, "dimension 1. Indices"],
  ])(
    "rejects, on use, an index with %s, and reports the row of the index",
    (_what, indices, denseShape, row, problem) => {
      const tensor = new SparseTensor(int32(indices, [2, 2]), tf.tensor([5, 6]), denseShape);
      for (const run of [
        () => tensor.rowLengths(),
        () => tensor.toDense({ tf }),
        () => tensor.toDense({ tf, shape: [1, 1] }),
        () => tensor.slice(0, 1, { tf }),
        () => SparseTensor.concat([tensor, tensor], { tf }),
      ]) {
        expect(codedError(run)).toMatchObject({
          code: "out-of-range",
          reason: "sparse-index",
          row,
          message: expect.stringContaining(problem),
        });
      }
      tensor.dispose();
    },
  );

  test("requires int32 indices, one-dimensional values, a valid dense shape and complete host indices", () => {
    const indices = int32([0, 0], [1, 2]);
    const values = tf.tensor([1]);
    const [floats, square] = [tf.tensor([[0, 0]]), tf.tensor([[1]])];
    const make = (i: tf.Tensor, v: tf.Tensor, shape: number[]) => () => new SparseTensor(i, v, shape);
    for (const [run, argument] of [
      [make(floats, values, [1, 1]), "indices"],
      [make(indices, square, [1, 1]), "values"],
      [make(indices, values, [-1, 1]), "denseShape"],
      [make(indices, values, [1, -2]), "denseShape"],
      [make(indices, values, [1, 0.5]), "denseShape"],
    ] as const) {
      expect(codedError(run)).toMatchObject({ code: "invalid-argument", argument });
    }
    const short = new SparseTensor(indices, values, [1, 1], Int32Array.of(0));
    expect(codedError(() => short.rowLengths())).toMatchObject({ reason: "malformed-tensor" });
    for (const each of [indices, values, floats, square]) each.dispose();
  });
});

test("a disposed tensor is rejected by every operation", async () => {
  const alive = toTensor(
    {
      kind: "ragged",
      dtype: "int32",
      values: Int32Array.of(1, 2, 3),
      nestedRowSplits: [Int32Array.of(0, 2, 3)],
      innerShape: [],
      rowSplitsDtype: "int32",
      borrowed: false,
    },
    { tf },
  );
  const ragged = alive.slice(0, 2, { tf });
  const sparse = alive.toSparse({ tf });
  const other = alive.toSparse({ tf });
  ragged.dispose();
  // A tensor counts as disposed if one of its parts is disposed.
  sparse.indices.dispose();
  const converter = new TensorsToRecordBatchConverter(
    new Map([["x", new RaggedTensorSpec([null, null], "int32", 1, "int32")]]),
  );
  for (const run of [
    () => ragged.rowLengths(),
    () => ragged.toDense({ tf }),
    () => ragged.toMask({ tf }),
    () => ragged.toSparse({ tf }),
    () => ragged.slice(0, 1, { tf }),
    () => RaggedTensor.concat([alive, ragged], { tf }),
    () => ragged.equals(ragged),
    () => alive.equals(ragged),
    () => sparse.rowLengths(),
    () => sparse.toDense({ tf }),
    () => sparse.slice(0, 1, { tf }),
    () => SparseTensor.concat([other, sparse], { tf }),
    () => other.equals(sparse),
    () => readTensor(ragged),
    () => readTensor(sparse),
    () => readTensor(sparse.indices),
    () => converter.convertTensors({ x: ragged }),
  ]) {
    await expect((async () => run())()).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "disposed",
    });
  }
  for (const each of [alive, sparse, other]) each.dispose();
});
