import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Data } from "apache-arrow";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import "@tensorflow/tfjs-backend-wasm";
import {
  type DType,
  type HostDense,
  type HostValues,
  type RaggedTensor,
  type SparseTensor,
  type TensorFactory,
  toTensor,
} from "../../src/index.js";
import { arrowData, batchOf, recordBatch } from "../arrow-values.js";
import { adapterFor, codedError } from "../representations.js";

const host = (dtype: DType, values: HostValues, shape: number[] = [values.length]): HostDense => ({
  kind: "dense",
  dtype,
  shape,
  values,
  borrowed: false,
});

// Without production mode, the cpu backend prints advice to use the native backend.
tf.enableProdMode();

/** A batch with columns for every kind of tensor, including strings and 64-bit integers. */
const batch = recordBatch([
  {
    name: "x",
    type: { list: "float32" },
    values: [
      [1, 2],
      [3, 4],
    ],
  },
  { name: "v", type: { list: "int64" }, values: [["5"], ["6", "-7"]] },
  { name: "s", type: { list: "string" }, values: [["é"], [""]] },
  { name: "i", type: { list: "uint8" }, values: [[4], [0, 2]] },
]);
const texts = {
  dense: 'dense_tensor { column_name: "x" shape { dim { size: 2 } } }',
  varlen: 'varlen_sparse_tensor { column_name: "v" }',
  sparse: 'sparse_tensor { dense_shape { dim { size: 9 } } index_column_names: "i" value_column_name: "v" }',
  ragged: 'ragged_tensor { feature_path { step: "v" } }',
  uniform: 'ragged_tensor { feature_path { step: "x" } partition { uniform_row_length: 2 } }',
  text: 'dense_tensor { column_name: "s" shape { } }',
};

/** Overwrites the memory of a batch, as may happen after a leased batch is released. */
function overwrite(data: Data): void {
  for (const buffer of [data.values, data.valueOffsets, data.nullBitmap]) {
    if (ArrayBuffer.isView(buffer)) {
      new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).fill(0xee);
    }
  }
  for (const child of data.children) overwrite(child);
}

for (const backend of ["cpu", "wasm"]) {
  describe(`on the ${backend} backend,`, () => {
    let before = 0;
    beforeAll(async () => {
      if (!(await tf.setBackend(backend))) throw new Error(`no backend ${backend}`);
    });
    beforeEach(() => {
      before = tf.memory().numTensors;
    });
    afterEach(() => {
      const leaked = tf.memory().numTensors - before;
      if (leaked !== 0) throw new Error(`${leaked} tensors leaked`);
    });

    test("strings and row splits remain valid after the batch's memory is overwritten", async () => {
      const lent = recordBatch([
        { name: "s", type: { list: "string" }, values: [["é", "b"], [], ["cd"]] },
        { name: "v", type: { list: { list: "int64" } }, values: [[["5"], ["6", "-7"]], [], [["8"]]] },
      ]);
      const { words, deep, text } = adapterFor(lent, {
        words: 'varlen_sparse_tensor { column_name: "s" }',
        text: 'ragged_tensor { feature_path { step: "s" } }',
        deep: 'ragged_tensor { feature_path { step: "v" } }',
      }).toTensors(lent, { tf }) as { words: SparseTensor; text: RaggedTensor; deep: RaggedTensor };
      overwrite(lent.data);
      expect(await words.values.data<"string">()).toEqual(["é", "b", "cd"]);
      expect(await text.values.data<"string">()).toEqual(["é", "b", "cd"]);
      expect(text.rowSplits).toEqual([Int32Array.of(0, 2, 2, 3)]);
      expect(deep.rowSplits).toEqual([Int32Array.of(0, 2, 2, 3), Int32Array.of(0, 1, 3, 4)]);
      expect(await deep.nestedRowSplits[1]?.array()).toEqual([0, 1, 3, 4]);
      const last = deep.slice(2, 3, { tf });
      expect([last.rowSplits.map((splits) => [...splits]), await last.values.array()]).toEqual([
        [
          [0, 1],
          [0, 1],
        ],
        [8],
      ]);
      for (const tensor of [words, deep, text, last]) tensor.dispose();
    });

    test("every kind of tensor has the values of the batch", async () => {
      const tensors = adapterFor(batch, texts).toTensors(batch, { tf });
      const dense = tensors.dense as tf.Tensor;
      expect([dense.shape, dense.dtype, Array.from(await dense.data())]).toEqual([
        [2, 2],
        "float32",
        [1, 2, 3, 4],
      ]);
      const varlen = tensors.varlen as SparseTensor;
      expect(varlen.dtype).toBe("int32");
      expect(varlen.denseShape).toEqual([2, 2]);
      expect(await varlen.indices.array()).toEqual([
        [0, 0],
        [1, 0],
        [1, 1],
      ]);
      expect(await varlen.values.array()).toEqual([5, 6, -7]);
      const sparse = tensors.sparse as SparseTensor;
      expect(sparse.denseShape).toEqual([2, 9]);
      expect(await sparse.indices.array()).toEqual([
        [0, 4],
        [1, 0],
        [1, 2],
      ]);
      const ragged = tensors.ragged as RaggedTensor;
      expect(ragged.raggedRank).toBe(1);
      expect(await ragged.nestedRowSplits[0]?.array()).toEqual([0, 1, 3]);
      expect(await ragged.values.array()).toEqual([5, 6, -7]);
      const uniform = tensors.uniform as RaggedTensor;
      expect(uniform.values.shape).toEqual([2, 2]);
      expect(await uniform.nestedRowSplits[0]?.array()).toEqual([0, 1, 2]);
      const text = tensors.text as tf.Tensor;
      expect([text.dtype, await text.data<"string">()]).toEqual(["string", ["é", ""]]);
      for (const tensor of Object.values(tensors)) tensor.dispose();
    });

    test("tensors of a batch without rows are empty and keep their rank", () => {
      const none = batch.slice(0, 0);
      const tensors = adapterFor(batch, texts).toTensors(none, { tf });
      expect((tensors.dense as tf.Tensor).shape).toEqual([0, 2]);
      expect((tensors.text as tf.Tensor).shape).toEqual([0]);
      expect((tensors.sparse as SparseTensor).indices.shape).toEqual([0, 2]);
      expect((tensors.varlen as SparseTensor).denseShape).toEqual([0, 0]);
      expect((tensors.uniform as RaggedTensor).values.shape).toEqual([0, 2]);
      for (const tensor of Object.values(tensors)) tensor.dispose();
    });

    test("disposing a tensor twice is safe", () => {
      for (const tensor of Object.values(adapterFor(batch, texts).toTensors(batch, { tf }))) {
        tensor.dispose();
        tensor.dispose();
      }
      expect(tf.memory().numTensors).toBe(before);
    });

    test("tf.tidy disposes the tensors of a batch, except those that its function returns", () => {
      const adapter = adapterFor(batch, texts);
      const kept = tf.tidy(() => {
        const { varlen, ragged } = adapter.toTensors(batch, { tf });
        return { varlen, ragged } as unknown as tf.TensorContainerObject;
      }) as unknown as { varlen: SparseTensor; ragged: RaggedTensor };
      expect(tf.memory().numTensors).toBe(before + 4);
      kept.varlen.dispose();
      kept.ragged.dispose();
    });

    test("an error names the tensor and row of an int64 value that does not fit int32, and no tensor leaks", () => {
      const wide = recordBatch([
        { name: "x", type: { list: "float32" }, values: [[1, 2]] },
        { name: "v", type: { list: "int64" }, values: [["2147483648"]] },
        { name: "s", type: { list: "string" }, values: [["a"]] },
        { name: "i", type: { list: "uint8" }, values: [[4]] },
      ]);
      const adapter = adapterFor(wide, texts);
      const error = codedError(() => adapter.toTensors(wide, { tf }));
      expect(error).toMatchObject({
        code: "out-of-range",
        reason: "int32-range",
        tensorName: "varlen",
        row: 0,
      });
      expect(error.message).toContain('Tensor "varlen", row 0: int64 value 2147483648 does not fit int32');
    });

    test("a name that is requested twice yields only one tensor", () => {
      const tensors = adapterFor(batch, texts).toTensors(batch, { tf, names: ["dense", "dense"] });
      expect(tf.memory().numTensors).toBe(before + 1);
      tensors["dense"]?.dispose();
    });

    test("toTensors leaks no tensor if the creation of a tensor fails", () => {
      for (const names of [["ragged"], ["sparse"], ["dense", "varlen"]]) {
        let calls = 0;
        const tensor = (...[values, shape, dtype]: Parameters<typeof tf.tensor>): tf.Tensor => {
          if (++calls === 2) throw new Error("out of memory");
          return tf.tensor(values, shape, dtype);
        };
        const failing = { tensor } as TensorFactory;
        const adapter = adapterFor(batch, texts);
        expect(() => adapter.toTensors(batch, { tf: failing, names })).toThrow("out of memory");
      }
    });
  });
}

describe("during conversion to tensors,", () => {
  const read = (column: HostDense, options: object = {}): [string, number[]] => {
    const tensor = toTensor(column, { tf, ...options });
    const result: [string, number[]] = [tensor.dtype, Array.from(tensor.dataSync())];
    tensor.dispose();
    return result;
  };
  beforeAll(() => tf.setBackend("cpu"));

  test("narrow integers become int32, and float16 becomes float32", () => {
    expect(read(host("int8", Int8Array.of(-128, 127)))).toEqual(["int32", [-128, 127]]);
    expect(read(host("int16", Int16Array.of(-32768)))).toEqual(["int32", [-32768]]);
    expect(read(host("uint8", Uint8Array.of(255)))).toEqual(["int32", [255]]);
    expect(read(host("uint16", Uint16Array.of(65535)))).toEqual(["int32", [65535]]);
    // IEEE 754 binary16: 1, -2, largest, smallest subnormal, infinity.
    const halves = Uint16Array.of(0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00);
    expect(read(host("float16", halves))).toEqual([
      "float32",
      [1, -2, 65504, 2 ** -24, Number.POSITIVE_INFINITY],
    ]);
  });

  test("int64, uint64 and uint32 become int32 only if every value fits", () => {
    const ends = [-(2n ** 31n), -1n, 2n ** 31n - 1n];
    expect(read(host("int64", BigInt64Array.from(ends)))).toEqual(["int32", ends.map(Number)]);
    for (const value of [2n ** 31n, -(2n ** 31n) - 1n, 2n ** 32n, 2n ** 63n - 1n, -(2n ** 63n)]) {
      const column = host("int64", BigInt64Array.of(0n, value), [2, 1]);
      expect(codedError(() => toTensor(column, { tf }))).toMatchObject({ reason: "int32-range", row: 1 });
    }
    expect(read(host("uint64", BigUint64Array.of(2n ** 31n - 1n)))).toEqual(["int32", [2147483647]]);
    for (const value of [2n ** 31n, 2n ** 64n - 1n, 2n ** 32n]) {
      const column = host("uint64", BigUint64Array.of(value));
      expect(codedError(() => toTensor(column, { tf }))).toMatchObject({ reason: "int32-range", row: 0 });
    }
    expect(read(host("uint32", Uint32Array.of(2147483647)))).toEqual(["int32", [2147483647]]);
    const column = host("uint32", Uint32Array.of(1, 2147483648));
    expect(codedError(() => toTensor(column, { tf }))).toMatchObject({ reason: "int32-range", row: 1 });
  });

  test('the int64 policy "float32" rejects inexact values, and "float32-lossy" rounds them', () => {
    const exact = [2n ** 24n, 2n ** 40n, -(2n ** 63n)];
    expect(read(host("int64", BigInt64Array.from(exact)), { int64: "float32" })).toEqual([
      "float32",
      exact.map(Number),
    ]);
    // As a double, 2^60 + 1 is already rounded to 2^60.
    for (const value of [2n ** 24n + 1n, 2n ** 60n + 1n]) {
      const column = host("int64", BigInt64Array.of(value));
      expect(codedError(() => toTensor(column, { tf, int64: "float32" }))).toMatchObject({
        code: "out-of-range",
        reason: "float32-inexact",
      });
    }
    const odd = host("int64", BigInt64Array.of(2n ** 24n + 1n));
    expect(read(odd, { int64: "float32-lossy" })).toEqual(["float32", [2 ** 24]]);
    expect(read(host("uint32", Uint32Array.of(2 ** 31)), { int64: "float32" })).toEqual([
      "float32",
      [2 ** 31],
    ]);
  });

  test("float64 values must be exact in float32 unless rounding is requested", () => {
    const fine = Float64Array.of(0.5, Number.NaN, Number.NEGATIVE_INFINITY, -0);
    expect(read(host("float64", fine))).toEqual(["float32", [0.5, Number.NaN, Number.NEGATIVE_INFINITY, -0]]);
    for (const value of [0.1, 1e300, 5e-324]) {
      const column = host("float64", Float64Array.of(value));
      const error = codedError(() => toTensor(column, { tf, tensorName: "t" }));
      expect(error).toMatchObject({
        code: "out-of-range",
        reason: "float32-inexact",
        tensorName: "t",
        row: 0,
      });
      expect(error.message).toContain('pass float64: { "t": "float32-lossy" }');
    }
    expect(read(host("float64", Float64Array.of(0.1)), { float64: "float32-lossy" })).toEqual([
      "float32",
      [Math.fround(0.1)],
    ]);
  });

  test("the error for a rejected value names its row in sparse and ragged columns", () => {
    const wide = recordBatch([
      { name: "v", type: { list: "int64" }, values: [["1", "2"], [], ["3", "4294967296"]] },
    ]);
    const adapter = adapterFor(wide, { varlen: texts.varlen, ragged: texts.ragged });
    for (const name of ["varlen", "ragged"]) {
      expect(codedError(() => adapter.toTensors(wide, { tf, names: [name] }))).toMatchObject({ row: 2 });
    }
  });

  test('policies can be given per tensor, the policy "host" keeps host columns, and an unknown tensor name is rejected', () => {
    const adapter = adapterFor(batch, texts);
    const before = tf.memory().numTensors;
    const names = ["varlen", "ragged", "dense"];
    const made = adapter.toTensors(batch, { tf, names, int64: { varlen: "host", ragged: "float32" } });
    expect(made.varlen).toMatchObject({ kind: "sparse", values: BigInt64Array.of(5n, 6n, -7n) });
    expect((made.ragged as RaggedTensor).dtype).toBe("float32");
    for (const tensor of Object.values(made)) if ("dispose" in tensor) tensor.dispose();
    expect(tf.memory().numTensors).toBe(before);
    const misspelt = (): unknown => adapter.toTensors(batch, { tf, int64: { raged: "int32" } });
    expect(codedError(misspelt)).toMatchObject({ code: "invalid-argument", reason: "unknown-tensor" });
  });

  test("an unknown policy is rejected", () => {
    const column = host("float32", Float32Array.of(1));
    for (const misspelt of [{ int64: "int64" }, { float64: "int32" }]) {
      const error = codedError(() => toTensor(column, { tf, ...(misspelt as object) }));
      expect(error).toMatchObject({ code: "invalid-argument", argument: Object.keys(misspelt)[0] });
    }
  });

  test("the float32 values of a sparse tensor share the batch's memory on the cpu backend", () => {
    const data = arrowData({ list: "float32" }, [[1], [2]]);
    const shared = batchOf(["x"], [data]);
    const { t } = adapterFor(shared, { t: 'varlen_sparse_tensor { column_name: "x" }' }).toTensors(shared, {
      tf,
    });
    const { values } = t as SparseTensor;
    expect((values.dataSync() as Float32Array).buffer).toBe(
      ((data.children[0] as Data).values as Float32Array).buffer,
    );
    (t as SparseTensor).dispose();
  });
});
