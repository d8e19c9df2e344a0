import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import {
  createRecordDecoder,
  createSavedModelView,
  createSavedQueryModel,
  decodeDataView,
  encodeDataView,
  type ModelRuntime,
  type QueryModel,
  type SavedModelOutput,
  type SavedModelView,
} from "@tfxio/struct2tensor";
import { loadDataView, saveDataView } from "@tfxio/struct2tensor/directory";
import { canonicalJson } from "../../src/saved/canonical-json.js";
import { sealed } from "./sealed.js";
import { savedModelBytes, type TestTensor } from "./saved-model-bytes.js";

// A fake tfjs-node computes the tensors. `pnpm interop native` decodes records with SavedModels that TensorFlow wrote.

const [FLOAT, STRING, INT64, BOOL] = [1, 7, 9, 10];
const tensors: Readonly<Record<string, TestTensor>> = {
  size: ["call:0", INT64, [-1]],
  point: ["call:1", FLOAT, [-1, 2]],
  words: ["call:2", STRING, [-1]],
  splits: ["call:3", INT64, [-1]],
  spots: ["call:4", INT64, [-1, 2]],
  found: ["call:5", FLOAT, [-1]],
  extent: ["call:6", INT64, [2]],
  flag: ["call:7", BOOL, [-1]],
};

const modelBytes = (
  inputs: Readonly<Record<string, TestTensor>>,
  outputs = tensors,
): Map<string, Uint8Array> =>
  new Map([
    [
      "saved_model.pb",
      savedModelBytes({
        nodes: [
          { name: "records", op: "Placeholder" },
          { name: "call", op: "PartitionedCall", inputs: ["records"], calls: "decode" },
        ],
        functions: {
          decode: { parameters: ["records"], nodes: [{ name: "x", op: "Identity", inputs: ["records"] }] },
        },
        inputs,
        outputs,
      }),
    ],
  ]);
const takesRecords: Readonly<Record<string, TestTensor>> = { records: ["records:0", STRING, [-1]] };

const int64 = (values: readonly bigint[], shape: number[] = [values.length]): tf.Tensor =>
  Object.defineProperty(tf.zeros(shape, "int32"), "dataSync", { value: () => BigInt64Array.from(values) });

type Tensors = Readonly<Record<string, tf.Tensor>>;

/** Returns one row per record. Its `size` is the length of the record, and its `words` contain only the record itself. */
function decodeLengths({ records }: Tensors): Record<string, tf.Tensor> {
  const values = tf.engine().readSync(records!.dataId) as unknown as readonly Uint8Array[];
  const lengths = values.map((value) => BigInt(value.length));
  return {
    size: int64(lengths),
    point: tf.mul(tf.ones([values.length, 2]), 0.5),
    words: records!,
    splits: int64([0n, ...values.map((_, index) => BigInt(index + 1))]),
    spots: int64(
      values.flatMap((_, row) => [BigInt(row), 0n]),
      [values.length, 2],
    ),
    found: tf.zeros([values.length]),
    extent: int64([BigInt(values.length), 1n]),
    flag: tf.zeros([values.length], "bool"),
  };
}

const runtimeOf = (predict: (inputs: Tensors) => Tensors): ModelRuntime => ({
  tf,
  module: { node: { loadSavedModel: async () => ({ predict, dispose: () => {} }) } },
});
const models = runtimeOf(decodeLengths);

const outputs: Readonly<Record<string, SavedModelOutput>> = {
  size: { view: "dense", tensor: "size" },
  point: { view: "dense", tensor: "point" },
  words: { view: "ragged", values: "words", rowSplits: ["splits"] },
  spots: { view: "sparse", indices: "spots", values: "found", denseShape: "extent" },
};
const records = ["one", "three"].map((text) => new TextEncoder().encode(text));

let model: QueryModel;
let view: SavedModelView;
let temporary: string;

beforeAll(async () => {
  await tf.setBackend("cpu");
  model = await createSavedQueryModel(modelBytes(takesRecords), models);
  view = createSavedModelView(model, { outputs });
  temporary = await mkdtemp(path.join(tmpdir(), "tfxio-saved-view-"));
});

afterAll(() => rm(temporary, { recursive: true }));

describe("a view of a SavedModel", () => {
  test("decodes records to dense, ragged and sparse tensors, and disposes every TensorFlow.js tensor", () => {
    const before = tf.memory().numTensors;
    const decoded = createRecordDecoder(view).decode(records);
    expect(decoded.batch.numRows).toBe(2);
    expect(decoded.tensors).toMatchObject({
      size: { shape: [2], values: BigInt64Array.of(3n, 5n) },
      point: { shape: [2, 2], values: Float32Array.of(0.5, 0.5, 0.5, 0.5) },
      words: { nestedRowSplits: [Int32Array.of(0, 1, 2)], rowSplitsDtype: "int64" },
      spots: { indices: Int32Array.of(0, 0, 1, 0), denseShape: [2, 1], values: Float32Array.of(0, 0) },
    });
    expect(tf.memory().numTensors).toBe(before);
  });

  test("returns only the requested tensors after projection", async () => {
    const projected = await createRecordDecoder(view).project(["size"]);
    expect(Object.keys(projected.decode(records).tensors)).toEqual(["size"]);
    expect(projected.arrowSchema.fields.map(({ name }) => name)).toEqual(["size"]);
  });

  test("takes the record index of each row from a ragged output, never a dense one, and rejects an index out of range", () => {
    const indexed = createSavedModelView(model, {
      outputs: { ...outputs, record: { view: "ragged", values: "size", rowSplits: ["splits"] } },
      recordIndex: "record",
    });
    const decode = (lengths: readonly number[]): unknown =>
      createRecordDecoder(indexed).decode(lengths.map((length) => new Uint8Array(length)));
    expect(decode([1, 0])).toMatchObject({ recordIndices: Int32Array.of(1, 0) });
    expect(() => decode([2, 0])).toThrow(expect.objectContaining({ reason: "record-index-value" }));
    const options = { outputs, recordIndex: "size" };
    expect(() => createSavedModelView(model, options)).toThrow(
      expect.objectContaining({ reason: "record-index-type" }),
    );
  });

  test("is saved as a directory, has the same tensors and bytes when loaded, and can be loaded only with tfjs-node", async () => {
    const directory = path.join(temporary, "good");
    await saveDataView(view, directory);
    expect((await readdir(directory)).sort()).toEqual(["dataview.json", "saved_models", "signature.json"]);
    const loaded = await loadDataView(directory, { models });
    expect(createRecordDecoder(loaded).decode(records).tensors).toEqual(
      createRecordDecoder(view).decode(records).tensors,
    );
    expect(await encodeDataView(loaded)).toEqual(await encodeDataView(view));
    await expect(loadDataView(directory)).rejects.toMatchObject({
      code: "unsupported",
      reason: "data-view-requires",
      message: expect.stringContaining("Install @tensorflow/tfjs-node"),
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ["an output that the model lacks", { size: { view: "dense", tensor: "none" } }],
    ["an unknown form", { size: { view: "flat", tensor: "size" } }],
    ["a part that belongs to a different form", { size: { view: "dense", values: "size" } }],
    ["no row splits", { size: { view: "ragged", values: "words", rowSplits: [] } }],
    ["no outputs", {}],
  ])("is rejected if it has %s", (_, wrong) => {
    expect(() => createSavedModelView(model, { outputs: wrong as never })).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });

  test.each<[string, SavedModelOutput]>([
    ["row splits that are not integers", { view: "ragged", values: "words", rowSplits: ["found"] }],
    ["row splits of rank 2", { view: "ragged", values: "words", rowSplits: ["spots"] }],
    [
      "indices that are not int64",
      { view: "sparse", indices: "point", values: "found", denseShape: "extent" },
    ],
    ["values of rank 2", { view: "sparse", indices: "spots", values: "point", denseShape: "extent" }],
  ])("is rejected if it has %s", (_, output) => {
    expect(() => createSavedModelView(model, { outputs: { output } })).toThrow(
      expect.objectContaining({ code: "schema-mismatch", reason: "model-signature" }),
    );
  });

  test("rejects a model unless the records are its only input, and rejects an output that no column can hold", async () => {
    for (const inputs of [
      {},
      { a: tensors["size"]! },
      { a: takesRecords["records"]!, b: takesRecords["records"]! },
    ]) {
      const other = await createSavedQueryModel(modelBytes(inputs), models);
      expect(() => createSavedModelView(other, { outputs })).toThrow(
        expect.objectContaining({ reason: "model-signature" }),
      );
    }
    const bools = createSavedModelView(model, { outputs: { flag: { view: "dense", tensor: "flag" } } });
    expect(() => createRecordDecoder(bools)).toThrow(expect.objectContaining({ reason: "no-handler" }));
  });

  test.each<[string, (all: Record<string, tf.Tensor>) => object, string]>([
    ["missing outputs", ({ point }) => ({ point }), "model-output"],
    ["a different dtype", (all) => ({ ...all, size: tf.zeros([2]) }), "model-output"],
    ["a different number of rows", (all) => ({ ...all, size: int64([1n]) }), "row-count"],
    ["a different width", (all) => ({ ...all, point: tf.zeros([2, 3]) }), "type-spec"],
    ["row splits that decrease", (all) => ({ ...all, splits: int64([0n, 2n, 1n]) }), "malformed-tensor"],
    [
      "row splits beyond int32",
      (all) => ({ ...all, splits: int64([0n, 1n, 2n ** 33n + 2n]) }),
      "batch-too-large",
    ],
    ["fewer indices than values", (all) => ({ ...all, spots: int64([0n, 0n], [1, 2]) }), "malformed-tensor"],
  ])("rejects %s in the results of its model", async (_, change, reason) => {
    const wrong = runtimeOf((inputs) => change(decodeLengths(inputs)) as Tensors);
    const other = await createSavedQueryModel(modelBytes(takesRecords), wrong);
    const decoder = createRecordDecoder(createSavedModelView(other, { outputs }));
    expect(() => decoder.decode(records)).toThrow(expect.objectContaining({ reason }));
  });
});

type Json = Record<string, unknown>;

describe("an untrusted view of a SavedModel", () => {
  const forged = async (file: string, change: (json: Json) => void): Promise<Map<string, Uint8Array>> => {
    const files = new Map(await encodeDataView(view));
    const json = JSON.parse(new TextDecoder().decode(files.get(file))) as Json;
    change(json);
    files.set(file, new TextEncoder().encode(canonicalJson(json as never)));
    return sealed(files);
  };
  const first = (json: Json): Json => (json["outputs"] as Json[])[0]!;

  test("is accepted if it is unchanged", async () => {
    await expect(decodeDataView(await forged("signature.json", () => {}), { models })).resolves.toBeDefined();
  });

  test.each<[string, string, (json: Json) => void]>([
    ["the id of a different model", "signature.json", (json) => (json["model"] = "0123456789abcdef")],
    [
      "a spec that the model does not have",
      "signature.json",
      (json) => ((first(json)["spec"] as Json)["dtype"] = "int64"),
    ],
    [
      "an output that the model does not have",
      "signature.json",
      (json) => (first(json)["output"] = { view: "dense", tensor: "no" }),
    ],
    ["an output without a form", "signature.json", (json) => (first(json)["output"] = null)],
    [
      "two outputs with the same name",
      "signature.json",
      (json) => (json["outputs"] = [first(json), first(json)]),
    ],
    ["an unknown member", "signature.json", (json) => (json["code"] = "")],
    ["no requirements", "dataview.json", (json) => (json["requires"] = [])],
    ["a member that only the view of a query has", "dataview.json", (json) => (json["opsets"] = { core: 1 })],
  ])("is rejected if it has %s", async (_, file, change) => {
    await expect(decodeDataView(await forged(file, change), { models })).rejects.toMatchObject({
      code: "malformed-payload",
      uri: file,
    });
  });

  test("is rejected if it has two models or no model", async () => {
    const files = await encodeDataView(view);
    const none = new Map([...files].filter(([name]) => !name.startsWith("saved_models/")));
    await expect(decodeDataView(sealed(none), { models })).rejects.toMatchObject({ reason: "data-view" });
    const { size } = tensors;
    const other = await createSavedQueryModel(modelBytes(takesRecords, { size: size! }), models);
    const both = new Map(files);
    for (const [name, bytes] of other.files) both.set(`saved_models/${other.id}/${name}`, bytes);
    await expect(decodeDataView(sealed(both), { models })).rejects.toMatchObject({
      reason: "data-view-files",
    });
  });
});
