import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import * as data from "@tensorflow/tfjs-data";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Dataset, fromItems, tuple } from "@tfxio/dataset";
import { parseSchemaText } from "@tfxio/schema";
import {
  BytesColumn,
  type HostColumn,
  type HostColumns,
  type HostDense,
  RaggedTensor,
  SparseTensor,
} from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { type BatchDataset, datasetTfxio, describeRead, type Tfxio } from "../../src/index.js";
import { collect } from "../fixtures.js";

const dense = (values: HostDense["values"], shape: number[], dtype: HostDense["dtype"]): HostDense => ({
  kind: "dense",
  dtype,
  shape,
  values,
  borrowed: false,
});
const int64 = (...values: number[]): BigInt64Array => BigInt64Array.from(values, BigInt);
const strings = (...values: string[]): BytesColumn =>
  BytesColumn.from(values.map((text) => Buffer.from(text)));

/** Returns the columns without their `borrowed` members, and with byte strings as text. */
function plain(columns: HostColumns): Record<string, unknown> {
  const entries = Object.entries(columns).map(([name, column]) => {
    const values =
      column.values instanceof BytesColumn
        ? column.values.toArray().map((bytes) => Buffer.from(bytes).toString())
        : Array.from(column.values as Float32Array);
    const { borrowed, ...others } = column;
    expect(borrowed).toEqual(expect.any(Boolean));
    return [name, { ...others, values }];
  });
  return Object.fromEntries(entries);
}

/** Returns the host columns that the adapter makes from each batch. */
async function hostOf(tfxio: Tfxio): Promise<HostColumns[]> {
  return (await collect(tfxio.recordBatches())).map((batch) => tfxio.tensorAdapter().toHost(batch));
}

const names = async (element: unknown, featureNames?: string[]): Promise<string[]> => {
  const tfxio = await datasetTfxio(fromItems([element]), { featureNames });
  return [...tfxio.tensorRepresentations().keys()];
};
const column = (): Float32Array => Float32Array.of(1, 2);

beforeAll(async () => {
  await tf.setBackend("cpu");
});

describe("datasetTfxio", () => {
  test("yields batches from which the adapter restores dense, ragged and sparse tensors", async () => {
    const element: Record<string, HostColumn> = {
      bag: {
        kind: "sparse",
        dtype: "float32",
        indices: Int32Array.of(0, 0, 0, 1, 2, 0),
        values: Float32Array.of(1, 2, 3),
        denseShape: [3, 2],
        borrowed: false,
      },
      cube: {
        kind: "sparse",
        dtype: "int64",
        indices: Int32Array.of(0, 1, 4, 2, 0, 3),
        values: int64(7, 8),
        denseShape: [3, 2, 5],
        borrowed: false,
      },
      matrix: dense(Float32Array.of(1, 2, 3, 4, 5, 6), [3, 2], "float32"),
      ragged: {
        kind: "ragged",
        dtype: "int64",
        values: int64(1, 2, 3, 4),
        nestedRowSplits: [Int32Array.of(0, 2, 2, 3), Int32Array.of(0, 1, 3, 4)],
        innerShape: [],
        rowSplitsDtype: "int64",
        borrowed: false,
      },
      text: dense(strings("a", "", "ä"), [3], "string"),
    };
    const tfxio = await datasetTfxio(fromItems([element]));
    const [found] = await hostOf(tfxio);
    expect(plain(found!)).toEqual(plain(element));
    expect(tfxio.arrowSchema().fields.map(String)).toEqual([
      "bag: List<Float32>",
      "cube$values: List<Int64>",
      "cube$index0: List<Int64>",
      "cube$index1: List<Int64>",
      "matrix: List<Float32>",
      "ragged: List<List<Int64>>",
      "text: List<Binary>",
    ]);
    expect(tfxio.schema().feature.map(({ name }) => name)).toEqual(tfxio.arrowSchema().names);
  });

  test("restores the values of TensorFlow.js tensors, and leaks no tensor", async () => {
    const before = tf.memory().numTensors;
    const elements = () => [
      {
        label: tf.tensor1d([true, false], "bool"),
        pixels: tf.tensor2d([0.5, 1, 1.5, 2], [2, 2]),
        rows: new RaggedTensor(tf.tensor1d([1, 2, 3], "int32"), [tf.tensor1d([0, 1, 3], "int32")]),
        bag: new SparseTensor(tf.tensor2d([0, 0, 1, 0], [2, 2], "int32"), tf.tensor1d(["x", "y"]), [2, 1]),
        flags: new RaggedTensor(tf.tensor1d([true, false, true], "bool"), [tf.tensor1d([0, 2, 3], "int32")]),
        marks: new SparseTensor(tf.tensor2d([1, 0], [1, 2], "int32"), tf.tensor1d([true], "bool"), [2, 1]),
      },
    ];
    const source = elements();
    const tfxio = await datasetTfxio(fromItems(source));
    const [found] = await hostOf(tfxio);
    expect(plain(found!)).toEqual({
      bag: {
        kind: "sparse",
        dtype: "string",
        indices: Int32Array.of(0, 0, 1, 0),
        values: ["x", "y"],
        denseShape: [2, 1],
      },
      flags: {
        kind: "ragged",
        dtype: "int64",
        values: [1n, 0n, 1n],
        nestedRowSplits: [Int32Array.of(0, 2, 3)],
        innerShape: [],
        rowSplitsDtype: "int64",
      },
      label: { kind: "dense", dtype: "int64", shape: [2], values: [1n, 0n] },
      marks: {
        kind: "sparse",
        dtype: "int64",
        indices: Int32Array.of(1, 0),
        values: [1n],
        denseShape: [2, 1],
      },
      pixels: { kind: "dense", dtype: "float32", shape: [2, 2], values: [0.5, 1, 1.5, 2] },
      rows: {
        kind: "ragged",
        dtype: "int64",
        values: [1n, 2n, 3n],
        nestedRowSplits: [Int32Array.of(0, 1, 3)],
        innerShape: [],
        rowSplitsDtype: "int64",
      },
    });
    // The source keeps its own tensors, and all their clones are disposed.
    expect(source[0]?.pixels.dataSync()).toEqual(Float32Array.of(0.5, 1, 1.5, 2));
    for (const tensor of Object.values(source[0]!)) tensor.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });

  test("reads a TensorFlow.js dataset anew in each pass, into record batches or training data", async () => {
    const dataset = data.array(Array.from({ length: 5 }, (_, i) => ({ xs: [i, i + 1], ys: i % 2 }))).batch(2);
    const before = tf.memory().numTensors;
    const tfxio = await datasetTfxio(dataset);
    for (let pass = 0; pass < 2; pass++) {
      const batches = await hostOf(tfxio);
      expect(batches.map(({ xs }) => xs && "shape" in xs && xs.shape)).toEqual([
        [2, 2],
        [2, 2],
        [1, 2],
      ]);
      expect(batches.flatMap(({ ys }) => Array.from(ys?.values as Float32Array))).toEqual([0, 1, 0, 1, 0]);
    }
    const [whole] = await collect(tfxio.recordBatches({ batchSize: 5 }));
    expect(whole?.numRows).toBe(5);
    const training = await tfxio.dataset({ batchSize: 3, shuffle: false, labelKey: "ys", tf }).toArray();
    expect(training).toHaveLength(2);
    tf.dispose(training as unknown as tf.TensorContainer);
    expect(tf.memory().numTensors).toBe(before);
  });

  test("converts floats to float32 and integers to int64, and rejects values that would change", async () => {
    const element = {
      double: Float64Array.of(0.5, Number.NaN),
      half: dense(Uint16Array.of(0x3c00, 0xc000), [2], "float16"),
      byte: Uint8Array.of(0, 255),
      short: Int16Array.of(-1, 1),
      unsigned: Uint32Array.of(0, 2 ** 32 - 1),
      long: BigUint64Array.of(0n, 2n ** 63n - 1n),
    };
    const [found] = await hostOf(await datasetTfxio(fromItems([element])));
    expect(
      Object.entries(plain(found!)).map(([name, value]) => [
        name,
        (value as HostDense).dtype,
        (value as HostDense).values,
      ]),
    ).toEqual([
      ["byte", "int64", [0n, 255n]],
      ["double", "float32", [0.5, Number.NaN]],
      ["half", "float32", [1, -2]],
      ["long", "int64", [0n, 2n ** 63n - 1n]],
      ["short", "int64", [-1n, 1n]],
      ["unsigned", "int64", [0n, 2n ** 32n - 1n]],
    ]);
    await expect(datasetTfxio(fromItems([{ x: Float64Array.of(1, 0.1) }]))).rejects.toMatchObject({
      code: "out-of-range",
      reason: "float32-inexact",
      tensorName: "x",
    });
    await expect(datasetTfxio(fromItems([{ x: BigUint64Array.of(2n ** 63n) }]))).rejects.toMatchObject({
      code: "out-of-range",
      reason: "int64",
    });
  });

  test("shares no memory between batches and the dataset", async () => {
    const values = Float32Array.of(1, 2);
    const tfxio = await datasetTfxio(fromItems([{ x: values }]));
    const [batch] = await collect(tfxio.recordBatches());
    values.fill(9);
    expect(Array.from(batch!.getChild("x")!, (list) => list.get(0))).toEqual([1, 2]);
  });

  test("yields no batch for elements without rows", async () => {
    const tfxio = await datasetTfxio(fromItems([{ x: new Float32Array(0) }, { x: column() }]));
    expect((await collect(tfxio.recordBatches())).map(({ numRows }) => numRows)).toEqual([2]);
  });

  test("reports the number of rows read so far", async () => {
    const seen: number[] = [];
    const tfxio = await datasetTfxio(fromItems([{ x: column() }, { x: column() }]));
    await collect(tfxio.recordBatches({ onProgress: ({ numRows }) => seen.push(numRows) }));
    expect(seen).toEqual([2, 4]);
  });
});

describe("names of the parts of an element", () => {
  test("are feature0 for a single part, and feature0, feature1 and so on for parts of tuples and arrays", async () => {
    expect(await names(column())).toEqual(["feature0"]);
    expect(await names(tuple(column(), column()))).toEqual(["feature0", "feature1"]);
    expect(await names([column(), column()])).toEqual(["feature0", "feature1"]);
  });

  test("are joined for nested parts", async () => {
    const element = tuple({ a: column(), b: tuple(column(), column()) }, column());
    expect(await names(element)).toEqual([
      "feature0_a",
      "feature0_b_feature0",
      "feature0_b_feature1",
      "feature1",
    ]);
    expect(await names({ x: { y: column() }, z: column() })).toEqual(["x_y", "z"]);
  });

  test("come from featureNames only if there is one name per part", async () => {
    expect(await names(tuple(column(), column()), ["a", "b"])).toEqual(["a", "b"]);
    expect(await names(tuple(column(), column()), ["a"])).toEqual(["feature0", "feature1"]);
  });

  test("must be unique, unless featureNames replaces them", async () => {
    const element = { a: { b: column() }, a_b: column() };
    await expect(names(element)).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "duplicate-column",
    });
    expect(await names(element, ["one", "two"])).toEqual(["one", "two"]);
  });
});

describe("datasetTfxio with a schema", () => {
  const schema = parseSchemaText(`
    feature { name: "id" type: INT presence { min_fraction: 1 } shape {} }
    feature { name: "tags" type: BYTES }
  `);

  test("opens without reading, and accepts matching elements", async () => {
    let numPasses = 0;
    const elements = fromItems([{ id: Int32Array.of(1, 2), tags: bag(2) }]);
    const dataset: BatchDataset = {
      iterator: () => {
        numPasses++;
        return elements.iterator();
      },
    };
    const tfxio = await datasetTfxio(dataset, { schema });
    expect(numPasses).toBe(0);
    expect(tfxio.schema()).toBe(schema);
    expect((await hostOf(tfxio)).map(({ id }) => id?.values)).toEqual([int64(1, 2)]);
    expect(numPasses).toBe(1);
  });

  test("rejects elements whose types or names differ from the schema", async () => {
    for (const element of [
      { id: Float32Array.of(1), tags: bag(1) },
      { id: Int32Array.of(1) },
      { id: Int32Array.of(1), tags: bag(1), more: Int32Array.of(1) },
    ]) {
      const tfxio = await datasetTfxio(fromItems([element]), { schema });
      await expect(collect(tfxio.recordBatches())).rejects.toMatchObject({
        code: "schema-mismatch",
        reason: "dataset-element",
      });
    }
  });

  test("rejects a schema with tensors that are made of several columns", async () => {
    const sparse = parseSchemaText(`
      feature { name: "i" type: INT } feature { name: "v" type: FLOAT }
      sparse_feature { name: "s" index_feature { name: "i" } value_feature { name: "v" } }
    `);
    await expect(datasetTfxio(fromItems([]), { schema: sparse })).rejects.toMatchObject({
      code: "unsupported",
      reason: "dataset-schema",
    });
  });

  test("opens an empty dataset, which cannot be opened without a schema", async () => {
    await expect(datasetTfxio(fromItems([]))).rejects.toMatchObject({ code: "schema-required" });
    expect(await collect((await datasetTfxio(fromItems([]), { schema })).recordBatches())).toEqual([]);
  });
});

describe("elements of a dataset", () => {
  test.each([
    ["a different shape", { x: dense(column(), [1, 2], "float32") }],
    ["a different dtype", { x: Int32Array.of(1, 2) }],
    ["a different name", { y: column() }],
  ])("must match the first element: %s is a schema-mismatch", async (_title, other) => {
    const tfxio = await datasetTfxio(fromItems<unknown>([{ x: column() }, other]));
    await expect(collect(tfxio.recordBatches())).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "dataset-element",
    });
  });

  test.each([
    ["single numbers", { x: 1 }, "is 1, expected a batch"],
    ["lists of numbers", { x: [1, 2] }, "is a list of length 2, expected a batch"],
    ["text", { x: "a" }, 'is "a", expected a batch'],
    ["null", null, "is null, expected a batch"],
    ["an empty object", {}, "has no parts"],
    [
      "a host column without a row dimension",
      { x: dense(Float32Array.of(1), [], "float32") },
      "is a single value, expected",
    ],
  ])("cannot consist of %s", async (_title, element, found) => {
    await expect(datasetTfxio(fromItems<unknown>([element]))).rejects.toMatchObject({
      code: "not-convertible",
      reason: "not-a-batch",
      message: expect.stringContaining(found),
    });
  });

  test.each([
    ["a dense column without a shape", { kind: "dense", dtype: "float32", values: column() }],
    [
      "a sparse column without indices",
      { kind: "sparse", dtype: "float32", values: column(), denseShape: [2, 1] },
    ],
    [
      "a ragged column without row splits",
      { kind: "ragged", dtype: "float32", values: column(), innerShape: [] },
    ],
    [
      "values that do not match the dtype",
      { kind: "dense", dtype: "float32", values: Int32Array.of(1), shape: [1] },
    ],
    ["an unknown dtype", { kind: "dense", dtype: "float8", values: column(), shape: [2] }],
    ["more values than the shape allows", { kind: "dense", dtype: "float32", values: column(), shape: [1] }],
  ])("cannot contain invalid host columns: %s", async (_title, x) => {
    const reading = datasetTfxio(fromItems<unknown>([{ x }])).then(hostOf);
    await expect(reading).rejects.toMatchObject({ code: "shape-mismatch", reason: "malformed-tensor" });
  });

  test("are rejected if they contain unsupported tensors; no tensor leaks", async () => {
    const before = tf.memory().numTensors;
    const source = [{ x: tf.tensor1d([1]), y: tf.complex([1], [2]), z: tf.scalar(1) }];
    const owned = tf.memory().numTensors;
    await expect(datasetTfxio(fromItems(source))).rejects.toBeInstanceOf(ConversionError);
    expect(tf.memory().numTensors).toBe(owned);
    tf.dispose(source);
    expect(tf.memory().numTensors).toBe(before);
  });
});

describe("passes over a dataset", () => {
  const endless = (): Dataset<unknown> => fromItems([{ x: column() }]).repeat();

  test("require a finite dataset: datasetTfxio rejects an infinite one", async () => {
    for (const dataset of [
      endless(),
      { iterator: () => endless().iterator(), size: Number.POSITIVE_INFINITY },
    ]) {
      await expect(datasetTfxio(dataset)).rejects.toMatchObject({
        code: "invalid-argument",
        reason: "infinite-dataset",
      });
    }
  });

  test("each open a new iterator; opening the TFXIO reads only one element and closes its iterator", async () => {
    const counts = { opened: 0, read: 0, returned: 0 };
    const dataset: BatchDataset = {
      iterator: async () => {
        counts.opened++;
        let left = 3;
        return {
          next: async () => {
            counts.read++;
            return left-- > 0 ? { done: false, value: { x: column() } } : { done: true, value: null };
          },
          return: async () => counts.returned++,
        };
      },
    };
    const tfxio = await datasetTfxio(dataset);
    expect(counts).toEqual({ opened: 1, read: 1, returned: 1 });
    await collect(tfxio.recordBatches());
    expect(counts).toEqual({ opened: 2, read: 5, returned: 1 });
    for await (const _ of tfxio.recordBatches()) break;
    expect(counts).toMatchObject({ opened: 3, returned: 2 });
  });

  test("end on abort without waiting for the next element, and dispose its tensors if it still arrives", async () => {
    const before = tf.memory().numTensors;
    let send: (tensor: tf.Tensor) => void = () => {};
    let numReturned = 0;
    const dataset: BatchDataset = {
      iterator: async () => {
        let index = 0;
        return {
          next: async () => {
            if (index++ === 0) return { value: { x: tf.tensor1d([1]) } };
            return { value: { x: await new Promise<tf.Tensor>((resolve) => (send = resolve)) } };
          },
          return: async () => numReturned++,
        };
      },
    };
    const tfxio = await datasetTfxio(dataset);
    const abort = new AbortController();
    const pass = collect(tfxio.recordBatches({ signal: abort.signal }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const reason = new Error("enough");
    abort.abort(reason);
    await expect(pass).rejects.toBe(reason);
    expect(numReturned).toBe(2);
    send(tf.tensor1d([2]));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(tf.memory().numTensors).toBe(before);
  });

  test("fail with a user-function error whose cause is the dataset's error, even while the TFXIO is being opened", async () => {
    const cause = new Error("no power");
    const dataset: BatchDataset = {
      iterator: async () => ({
        next: async () => {
          throw cause;
        },
      }),
    };
    await expect(datasetTfxio(dataset)).rejects.toMatchObject({
      code: "user-function",
      operator: "dataset",
      cause,
    });
  });

  test("can be cancelled while the TFXIO is being opened", async () => {
    const dataset: BatchDataset = { iterator: async () => ({ next: () => new Promise(() => {}) }) };
    const abort = new AbortController();
    const opening = datasetTfxio(dataset, { signal: abort.signal });
    const reason = new Error("enough");
    setTimeout(() => abort.abort(reason), 5);
    await expect(opening).rejects.toBe(reason);
  });
});

describe("a TFXIO of a dataset", () => {
  test("does not support projections, plans, descriptions, raw records or worker threads", async () => {
    const tfxio = await datasetTfxio(fromItems([{ x: column() }]));
    const unsupported = expect.objectContaining({ code: "unsupported" });
    expect(() => tfxio.project(["x"])).toThrow(unsupported);
    expect(() => describeRead(tfxio)).toThrow(unsupported);
    await expect(tfxio.plan()).rejects.toEqual(unsupported);
    await expect(collect(tfxio.rawRecords())).rejects.toEqual(unsupported);
    await expect(collect(tfxio.recordBatches({ workers: 1 }))).rejects.toEqual(unsupported);
  });

  test("can be split by a column", async () => {
    const ids = Int32Array.from({ length: 40 }, (_, id) => id);
    const { train, validation } = (await datasetTfxio(fromItems([{ id: ids }]))).split({
      validation: 0.5,
      by: "id",
    });
    const parts = await Promise.all([train, validation].map(hostOf));
    const found = parts.map((batches) =>
      batches.flatMap(({ id }) => Array.from(id?.values as BigInt64Array, Number)),
    );
    expect(found.every(({ length }) => length > 0)).toBe(true);
    expect(found.flat().sort((a, b) => a - b)).toEqual([...ids]);
  });

  test.each([
    ["no dataset", undefined, {}, "dataset"],
    ["an array for a dataset", [1], {}, "dataset"],
    ["feature names that are not a list", fromItems([]), { featureNames: "x" }, "featureNames"],
    ["an unknown option", fromItems([]), { columns: ["x"] }, "columns"],
    ["text for a schema", fromItems([]), { schema: "feature {}" }, "schema"],
  ])(
    "cannot be opened with %s, and the error names the argument",
    async (_title, dataset, options, argument) => {
      await expect(datasetTfxio(dataset as never, options as never)).rejects.toMatchObject({
        code: "invalid-argument",
        argument,
      });
    },
  );
});

/** Creates a sparse column of `numRows` rows with one tag each. */
function bag(numRows: number): HostColumn {
  return {
    kind: "sparse",
    dtype: "string",
    indices: Int32Array.from({ length: 2 * numRows }, (_, at) => (at % 2 === 0 ? at / 2 : 0)),
    values: strings(...Array.from({ length: numRows }, (_, row) => `tag ${row}`)),
    denseShape: [numRows, 1],
    borrowed: false,
  };
}
