import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { RaggedTensor, SparseTensor, type TensorOps } from "../../src/index.js";
import { codedError } from "../representations.js";
import { type FakeWebGpu, fakeWebGpu } from "./fake-device.js";

// On WebGPU, the operations gather, slice and concat of TensorFlow.js round int32 values, so they must not be used. `pnpm interop
// webgpu` shows on a real device that the results are correct.

tf.enableProdMode();
let before = 0;
beforeAll(() => tf.setBackend("cpu"));
beforeEach(() => {
  before = tf.memory().numTensors;
});
afterEach(() => {
  expect(tf.memory().numTensors).toBe(before);
});

const ids = [16_777_217, -2_147_483_647, 2_147_483_647];

function opsOf({ tf: fake }: FakeWebGpu): TensorOps {
  const reject = (): never => {
    throw new Error("rounds");
  };
  return { ...tf, ...fake, gather: reject, slice: reject, concat: reject } as TensorOps;
}

/** Creates a ragged tensor with rows of 2, 0 and 1 ids. */
function ragged(): RaggedTensor {
  return new RaggedTensor(tf.tensor(ids, [3], "int32"), [tf.tensor([0, 2, 2, 3], [4], "int32")]);
}

function sparse(): SparseTensor {
  const indices = tf.tensor([0, 0, 0, 1, 2, 0], [3, 2], "int32");
  return new SparseTensor(indices, tf.tensor(ids, [3], "int32"), [3, 2]);
}

function disposeAll(...tensors: readonly { dispose(): void }[]): void {
  for (const tensor of tensors) tensor.dispose();
}

describe("operations on WebGPU", () => {
  test("slice and join ragged tensors without rounding int32 values", () => {
    const fake = fakeWebGpu();
    const [tensor, ops] = [ragged(), opsOf(fake)];
    const part = tensor.slice(1, 3, { tf: ops });
    const none = tensor.slice(1, 2, { tf });
    const joined = RaggedTensor.concat([tensor, none, part], { tf: ops });
    expect([...part.values.dataSync()]).toEqual([2_147_483_647]);
    expect([...joined.values.dataSync()]).toEqual([...ids, 2_147_483_647]);
    expect(fake.numBuffers()).toBe(0);
    disposeAll(tensor, none, part, joined);
  });

  test("slice a sparse tensor and make it dense with a kernel that gathers 32-bit words", () => {
    const fake = fakeWebGpu();
    const [tensor, ops] = [sparse(), opsOf(fake)];
    const dense = tensor.toDense({ tf: ops, defaultValue: -2_147_483_647 });
    const part = tensor.slice(0, 2, { tf: ops });
    const joined = SparseTensor.concat([tensor, tensor], { tf: ops });
    // Parameters: number of words in the result, size of a value, default.
    expect(fake.runs.map(({ params, positions, values }) => [params, positions, values])).toEqual([
      [[6, 1, -2_147_483_647], [0, 1, -1, -1, 2, -1], ids],
      [[2, 1, 0], [0, 1], ids],
    ]);
    expect([...joined.values.dataSync()]).toEqual([...ids, ...ids]);
    expect(fake.numBuffers()).toBe(0);
    disposeAll(tensor, dense, part, joined);
  });

  test("do not use the device for a tensor without values", () => {
    const fake = fakeWebGpu();
    const ops = opsOf(fake);
    const none = new SparseTensor(tf.tensor([], [0, 2], "int32"), tf.tensor([], [0], "float32"), [2, 1]);
    const dense = none.toDense({ tf: ops, defaultValue: 0.5 });
    expect([...dense.dataSync()]).toEqual([0.5, 0.5]);
    expect(fake.runs).toEqual([]);
    disposeAll(none, dense);
  });

  test("reject a buffer that is too large for the device, and leak no buffer or tensor", () => {
    const fake = fakeWebGpu({ maxBytes: 8 });
    const [tensor, list, ops] = [sparse(), ragged(), opsOf(fake)];
    for (const run of [
      () => tensor.toDense({ tf: ops }),
      () => SparseTensor.concat([tensor, tensor], { tf: ops }),
      () => list.slice(0, 3, { tf: ops }),
    ]) {
      expect(codedError(run)).toMatchObject({ code: "out-of-range", reason: "batch-too-large" });
    }
    expect(fake.numBuffers()).toBe(0);
    disposeAll(tensor, list);
  });

  test("leak nothing if the device fails", () => {
    const fake = fakeWebGpu({ failIn: "createTensorFromGPUData" });
    const [tensor, ops] = [sparse(), opsOf(fake)];
    expect(() => tensor.toDense({ tf: ops })).toThrow("createTensorFromGPUData failed");
    expect(() => SparseTensor.concat([tensor, tensor], { tf: ops })).toThrow("failed");
    expect(fake.numBuffers()).toBe(0);
    tensor.dispose();
  });
});

describe("operations on WebGPU without device layouts", () => {
  const onWebGpu = { ...tf, getBackend: () => "webgpu" } as TensorOps;

  test("are rejected for int32 values, which TensorFlow.js would round", () => {
    const [list, coo] = [ragged(), sparse()];
    for (const run of [
      () => list.slice(0, 1, { tf: onWebGpu }),
      () => list.toDense({ tf: onWebGpu }),
      () => coo.toDense({ tf: onWebGpu }),
      () => SparseTensor.concat([coo, coo], { tf: onWebGpu }),
    ]) {
      expect(codedError(run)).toMatchObject({
        code: "unsupported",
        reason: "no-device-layouts",
        message: expect.stringContaining("pass withDeviceLayouts(tf) as tf"),
      });
    }
    disposeAll(list, coo);
  });

  test("leave float32 values to TensorFlow.js", () => {
    const list = new RaggedTensor(tf.tensor([0.5, 1.5, 2.5]), [tf.tensor([0, 2, 2, 3], [4], "int32")]);
    const part = list.slice(0, 1, { tf: onWebGpu });
    const dense = list.toDense({ tf: onWebGpu });
    expect([...part.values.dataSync()]).toEqual([0.5, 1.5]);
    expect([...dense.dataSync()]).toEqual([0.5, 1.5, 0, 0, 2.5, 0]);
    disposeAll(list, part, dense);
  });
});

test("on WebGPU, toDense of 2^24 values is rejected while a gradient is computed", () => {
  const ops = opsOf(fakeWebGpu());
  const numValues = 2 ** 24;
  const splits = Int32Array.of(0, 1, numValues);
  const tensor = new RaggedTensor(
    tf.tensor(new Float32Array(numValues), [numValues]),
    [tf.tensor(splits, [3], "int32")],
    [splits],
  );
  const inGradient = { ...ops, engine: () => ({ state: { gradientDepth: 1 } }) } as never;
  expect(codedError(() => tensor.toDense({ tf: inGradient, shape: [2, 1] }))).toMatchObject({
    code: "unsupported",
  });
  tensor.dispose();
});
