import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import type { SparseTensor } from "../../src/index.js";
import { recordBatch } from "../arrow-values.js";
import { adapterFor, codedError } from "../representations.js";
import { fakeWebGpu } from "./fake-device.js";

// These tests check which tensors the adapter leaves to the device, and what it uploads for them. `pnpm interop webgpu` shows on
// a real device that the kernels return the same bits as the host.

tf.enableProdMode();
let before = 0;
beforeAll(() => tf.setBackend("cpu"));
beforeEach(() => {
  before = tf.memory().numTensors;
});
afterEach(() => {
  expect(tf.memory().numTensors).toBe(before);
});

const batch = recordBatch([
  { name: "wide", type: { list: "int64" }, values: [["5", "-6"], null, ["7", "8"]] },
  { name: "full", type: { list: "float32" }, values: [[1], [2], [3]] },
  { name: "text", type: { list: "string" }, values: [["a"], null, ["b", "c"]] },
  { name: "small", type: { list: "uint8" }, values: [[1], [], [2, 3]] },
]);
const texts = {
  padded: 'dense_tensor { column_name: "wide" shape { dim { size: 2 } } default_value { int_value: -1 } }',
  full: 'dense_tensor { column_name: "full" shape { dim { size: 1 } } default_value { float_value: 0 } }',
  words: 'varlen_sparse_tensor { column_name: "text" }',
  small: 'varlen_sparse_tensor { column_name: "small" }',
};
const adapter = adapterFor(batch, texts);

function disposeAll(tensors: Readonly<Record<string, unknown>>): void {
  for (const tensor of Object.values(tensors)) (tensor as tf.Tensor).dispose();
}

describe("toTensors on WebGPU", () => {
  test("uploads row splits and narrowed values, and leaves padding to the device", () => {
    const { tf: fake, runs, numBuffers } = fakeWebGpu();
    const { padded } = adapter.toTensors(batch, { tf: fake, names: ["padded"], minDeviceBytes: 0 });
    expect([padded?.dtype, (padded as tf.Tensor).shape]).toEqual(["int32", [3, 2]]);
    // 6 elements, 1 ragged dimension, innermost size 1, fill -1, row stride 2. The ragged dimension has stride 1, and its row
    // splits begin at position 0.
    expect(runs).toEqual([
      {
        params: [6, 1, 1, -1, 2, 1, 0],
        positions: [0, 2, 2, 4],
        values: [5, -6, 7, 8],
        numResultBytes: 24,
      },
    ]);
    expect(numBuffers()).toBe(0);
    padded?.dispose();
  });

  test("leaves everything to the host if tf has no device layouts", () => {
    const { bare, runs } = fakeWebGpu();
    const made = adapter.toTensors(batch, { tf: bare, minDeviceBytes: 0 });
    expect([...(made["padded"] as tf.Tensor).dataSync()]).toEqual([5, -6, -1, -1, 7, 8]);
    expect(runs).toEqual([]);
    disposeAll(made);
  });

  test("narrows the values and the default according to the int64 policy", () => {
    const { tf: fake, runs } = fakeWebGpu();
    const options = { tf: fake, names: ["padded"], minDeviceBytes: 0 } as const;
    const tensors = adapter.toTensors(batch, { ...options, int64: "float32" });
    expect(tensors["padded"]?.dtype).toBe("float32");
    const bits = (...values: number[]): number[] => [...new Int32Array(Float32Array.from(values).buffer)];
    expect(runs[0]).toMatchObject({ values: bits(5, -6, 7, 8) });
    expect(runs[0]?.params[3]).toBe(bits(-1)[0]);
    disposeAll(tensors);
    const onHost = adapter.toTensors(batch, { ...options, int64: "host" });
    expect(onHost["padded"]).toMatchObject({ values: BigInt64Array.of(5n, -6n, -1n, -1n, 7n, 8n) });
    expect(runs).toHaveLength(1);
  });

  test("computes sparse indices on the device for strings and integers, and on the host when hostIndices is read", async () => {
    const { tf: fake, runs } = fakeWebGpu();
    const { words, small } = adapter.toTensors(batch, {
      tf: fake,
      names: ["words", "small"],
      minDeviceBytes: 0,
    });
    // 3 values, 1 ragged dimension, innermost size 1, 0 inner dimensions, position 0 of the row splits, 3 rows.
    const expected = {
      params: [3, 1, 1, 0, 0, 3],
      positions: [0, 1, 1, 3],
      values: undefined,
      numResultBytes: 24,
    };
    expect(runs).toEqual([expected, expected]);
    const sparse = words as SparseTensor;
    expect(sparse.denseShape).toEqual([3, 2]);
    // The host indices are correct even after the batch's memory is overwritten.
    const offsets = batch.data.children[2]?.valueOffsets as Int32Array;
    const kept = offsets.slice();
    offsets.fill(0);
    expect(sparse.hostIndices).toEqual(Int32Array.of(0, 0, 2, 0, 2, 1));
    offsets.set(kept);
    expect(await sparse.values.data<"string">()).toEqual(["a", "b", "c"]);
    expect([small?.dtype, Array.from(await (small as SparseTensor).values.data())]).toEqual([
      "int32",
      [1, 2, 3],
    ]);
    disposeAll({ words, small });
  });

  test("does not use the device for empty tensors, dense strings or tensors that need no padding", () => {
    const { tf: fake, runs } = fakeWebGpu();
    const text = 'dense_tensor { column_name: "text" shape { } default_value { bytes_value: "" } }';
    const one = recordBatch([{ name: "text", type: { list: "string" }, values: [["a"], null] }]);
    disposeAll(adapterFor(one, { text }).toTensors(one, { tf: fake, minDeviceBytes: 0 }));
    disposeAll(adapter.toTensors(batch, { tf: fake, names: ["full"], minDeviceBytes: 0 }));
    const none = batch.slice(0, 0);
    disposeAll(adapter.toTensors(none, { tf: fake, minDeviceBytes: 0 }));
    expect(runs).toEqual([]);
  });

  test("rejects a tensor whose strings are too large in total, and names the tensor, as toHost does", () => {
    const { tf: fake } = fakeWebGpu();
    const one = recordBatch([{ name: "text", type: { list: "string" }, values: [["a"], null] }]);
    const filler = "x".repeat(2 ** 20);
    const text = `dense_tensor { column_name: "text" shape { dim { size: 4096 } } default_value { bytes_value: "${filler}" } }`;
    const make = adapterFor(one, { text }, { onShort: "pad" });
    for (const run of [() => make.toHost(one), () => make.toTensors(one, { tf: fake })]) {
      expect(codedError(run)).toMatchObject({ reason: "batch-too-large", tensorName: "text" });
    }
  });

  test("uses the device for tensors of at least minDeviceBytes, and rejects an invalid minDeviceBytes", () => {
    const { tf: fake, runs } = fakeWebGpu();
    for (const [minDeviceBytes, numRuns] of [
      [24, 1],
      [25, 0],
      [Number.POSITIVE_INFINITY, 0],
      [undefined, 0],
    ] as const) {
      runs.length = 0;
      disposeAll(adapter.toTensors(batch, { tf: fake, names: ["padded"], minDeviceBytes }));
      expect([minDeviceBytes, runs.length]).toEqual([minDeviceBytes, numRuns]);
    }
    for (const minDeviceBytes of [-1, Number.NaN, "1" as never]) {
      const run = (): unknown => adapter.toTensors(batch, { tf: fake, minDeviceBytes });
      expect(codedError(run)).toMatchObject({ code: "invalid-argument", argument: "minDeviceBytes" });
    }
  });

  test("builds tensors of 4 MiB or more on a hardware device by default, and none on a software device", () => {
    const values = Array.from({ length: 1024 }, () => null);
    const nulls = recordBatch([{ name: "x", type: { list: "float32" }, values }]);
    const text =
      'dense_tensor { column_name: "x" shape { dim { size: 1024 } } default_value { float_value: 1 } }';
    const make = adapterFor(nulls, { x: text });
    for (const [isFallbackAdapter, from, numRuns] of [
      [undefined, 0, 1],
      [false, 0, 1],
      [false, 1, 0],
      [true, 0, 0],
    ] as const) {
      const { tf: fake, runs } = fakeWebGpu(isFallbackAdapter === undefined ? {} : { isFallbackAdapter });
      disposeAll(make.toTensors(nulls.slice(from), { tf: fake }));
      expect([isFallbackAdapter, from, runs.length]).toEqual([isFallbackAdapter, from, numRuns]);
    }
  });

  test("leaves a tensor to the host if the device cannot bind its buffers", () => {
    for (const [maxBytes, numRuns] of [
      [32, 1],
      [23, 0],
    ] as const) {
      const { tf: fake, runs } = fakeWebGpu({ maxBytes });
      disposeAll(adapter.toTensors(batch, { tf: fake, names: ["padded"], minDeviceBytes: 0 }));
      expect([maxBytes, runs.length]).toEqual([maxBytes, numRuns]);
    }
  });

  test("rejects a value that does not fit int32 and names its row, but does not check values that truncation removes", () => {
    const { tf: fake, runs } = fakeWebGpu();
    const large = recordBatch([
      { name: "wide", type: { list: "int64" }, values: [["1"], null, ["2", "4294967296"]] },
    ]);
    const pair =
      'dense_tensor { column_name: "wide" shape { dim { size: 2 } } default_value { int_value: 0 } }';
    const single = 'dense_tensor { column_name: "wide" shape { } default_value { int_value: 4294967296 } }';
    const sparse = 'varlen_sparse_tensor { column_name: "wide" }';
    const options = { tf: fake, minDeviceBytes: 0 };
    const failing = {
      pair: { text: pair, row: 2 },
      sparse: { text: sparse, row: 2 },
      single: { text: single, row: 1 },
    };
    for (const [name, { text, row }] of Object.entries(failing)) {
      const make = adapterFor(large, { [name]: text }, { onShort: "pad", onLong: "truncate" });
      expect(codedError(() => make.toTensors(large, options))).toMatchObject({
        reason: "int32-range",
        tensorName: name,
        row,
      });
    }
    const zero = single.replace("4294967296", "0");
    const cut = adapterFor(large, { zero }, { onLong: "truncate" }).toTensors(large, options);
    expect(Array.from((cut["zero"] as tf.Tensor).dataSync())).toEqual([1, 0, 2]);
    disposeAll(cut);
    expect(runs.map(({ values }) => values)).toEqual([undefined]);
  });

  test("leaks no buffer or tensor, wherever the device fails", () => {
    for (const failIn of ["createBuffer", "createBindGroup", "submit", "tensor of a buffer"]) {
      const { tf: fake, numBuffers } = fakeWebGpu({ failIn });
      for (const names of [["padded"], ["small"], ["full", "padded"]]) {
        const run = (): unknown => adapter.toTensors(batch, { tf: fake, names, minDeviceBytes: 0 });
        expect(run).toThrow(`${failIn} failed`);
        expect(numBuffers()).toBe(0);
      }
    }
  });
});
