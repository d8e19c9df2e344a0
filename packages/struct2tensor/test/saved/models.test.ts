import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import "@tensorflow/tfjs-backend-cpu";
import { loadGraphModel } from "@tensorflow/tfjs-converter";
import * as tf from "@tensorflow/tfjs-core";
import * as layers from "@tensorflow/tfjs-layers";
import { parseProto } from "@tfxio/formats-protobuf";
import {
  createDataView,
  createQueryModel,
  createRecordDecoder,
  type DataView,
  dataViewDecoder,
  decodeDataView,
  type DecoderDescription,
  encodeDataView,
  type Expression,
  type ModelArtifacts,
  type ModelDecoderConfig,
  type ModelRuntime,
  modelViewDecoder,
  protoPlaceholder,
  type QueryModel,
  type RecordDecoder,
} from "@tfxio/struct2tensor";
import { loadDataView, saveDataView } from "@tfxio/struct2tensor/directory";
import { canonicalJson } from "../../src/saved/canonical-json.js";
import { hash, sealed } from "./sealed.js";

const proto = `syntax = "proto2"; package shop;
  message Item { optional float price = 1; repeated float size = 2; optional int64 n = 3; optional string sku = 4; }
  message Order { optional int32 id = 1; repeated Item item = 2; }`;
const records = [
  {
    id: 1,
    item: [
      { price: 2, size: [1, 10], n: 1 },
      { price: 3, size: [5] },
    ],
  },
  {},
  { id: 3, item: [{ price: 4, size: [] }] },
].map((record) => new TextEncoder().encode(JSON.stringify(record)));

const runtime: ModelRuntime = { tf, loadLayersModel: layers.loadLayersModel, loadGraphModel };

/** Returns the artifacts of a LayersModel that computes `3 * price + size[0] - size[1] + 0.5`, with fixed weights. */
async function layersArtifacts(): Promise<ModelArtifacts> {
  const price = layers.input({ shape: [1], name: "price" });
  const size = layers.input({ shape: [2], name: "size" });
  const joined = layers.layers.concatenate({ name: "joined" }).apply([price, size]);
  const dense = layers.layers.dense({ units: 1, name: "score" });
  const output = dense.apply(joined) as layers.SymbolicTensor;
  const model = layers.model({ inputs: [price, size], outputs: output });
  dense.setWeights([tf.tensor2d([3, 1, -1], [3, 1]), tf.tensor1d([0.5])]);
  let saved: ModelArtifacts = {};
  await model.save({
    save: async (artifacts) => {
      saved = artifacts;
      return { modelArtifactsInfo: { dateSaved: new Date(0), modelTopologyType: "JSON" } };
    },
  });
  return saved;
}

type Attr = Readonly<Record<string, unknown>>;
const node = (name: string, op: string, input: readonly string[], attr: Attr = {}): object => ({
  name,
  op,
  input,
  attr,
});
const float = { type: "DT_FLOAT" };

/** Returns the artifacts of a GraphModel that computes `lengths = splits[1:] - splits[:-1]`. */
function graphArtifacts(change: (nodes: object[]) => void = () => {}): ModelArtifacts {
  const int = { type: "DT_INT32" };
  const constants = ["zero", "one", "minus", "last"].map((name) =>
    node(name, "Const", [], { dtype: int, value: { tensor: { dtype: "DT_INT32", tensorShape: {} } } }),
  );
  const slice = (begin: string, end: string, name: string, endMask: number): object =>
    node(name, "StridedSlice", ["splits", begin, end, "one"], {
      T: int,
      Index: int,
      begin_mask: { i: "0" },
      end_mask: { i: String(endMask) },
      ellipsis_mask: { i: "0" },
      new_axis_mask: { i: "0" },
      shrink_axis_mask: { i: "0" },
    });
  const nodes = [
    node("splits", "Placeholder", [], { dtype: int, shape: { shape: { dim: [{ size: "-1" }] } } }),
    ...constants,
    slice("one", "last", "after", 1),
    slice("zero", "minus", "before", 0),
    node("lengths", "Sub", ["after", "before"], { T: int }),
  ];
  change(nodes);
  const scalar = (name: string): object => ({ name, shape: [1], dtype: "int32" });
  return {
    format: "graph-model",
    modelTopology: { node: nodes, versions: { producer: 1 } },
    weightSpecs: ["zero", "one", "minus", "last"].map(scalar),
    weightData: Int32Array.of(0, 1, -1, 0).buffer,
  };
}

const order = async (): Promise<Expression> =>
  protoPlaceholder(await parseProto(proto, "shop.Order"), { messageFormat: "json" });

const scored = (query: Expression, model: QueryModel): Expression =>
  query.callModel("item", model, {
    inputs: { price: { field: "price" }, size: { field: "size", width: 2, padding: 0 } },
    outputs: { [model.outputNames[0]!]: { as: "score", dtype: "float32" } },
  });

let artifacts: ModelArtifacts;
let model: QueryModel;
let view: DataView;
let folder: string;

beforeAll(async () => {
  await tf.setBackend("cpu");
  artifacts = await layersArtifacts();
  model = await createQueryModel(artifacts, runtime);
  view = await createDataView(scored(await order(), model), {
    outputs: { score: { path: "item.score", view: "ragged" } },
  });
  folder = await mkdtemp(path.join(tmpdir(), "tfxio-models-"));
});

afterAll(() => rm(folder, { recursive: true }));

test("a model frees its weights when it is disposed", async () => {
  const before = tf.memory().numTensors;
  const other = await createQueryModel(graphArtifacts(), runtime);
  expect(tf.memory().numTensors).toBeGreaterThan(before);
  other.dispose();
  expect(tf.memory().numTensors).toBe(before);
});

describe("a query that calls a model", () => {
  test("computes a field from the leaves of each message, and disposes every tensor", () => {
    const before = tf.memory().numTensors;
    const { tensors } = createRecordDecoder(view).decode(records);
    // 3 * 2 + 1 - 10 + 0.5, 3 * 3 + 5 - 0 + 0.5, 3 * 4 + 0.5
    expect(tensors["score"]).toMatchObject({
      values: Float32Array.of(-2.5, 14.5, 12.5),
      nestedRowSplits: [Int32Array.of(0, 2, 2, 3), Int32Array.of(0, 1, 2, 3)],
    });
    expect(tf.memory().numTensors).toBe(before);
  });

  test("returns no values for a batch without messages", () => {
    const { tensors } = createRecordDecoder(view).decode(records.slice(1, 2));
    expect(tensors["score"]).toMatchObject({ values: new Float32Array(0) });
  });

  test("keeps the order of the rows, even with more rows than TensorFlow.js predicts in one batch by default", () => {
    const item = Array.from({ length: 100 }, (_, price) => ({ price }));
    const record = new TextEncoder().encode(JSON.stringify({ item }));
    const { tensors } = createRecordDecoder(view).decode([record]);
    expect(tensors["score"]!.values).toEqual(Float32Array.from(item, ({ price }) => 3 * price + 0.5));
  });

  test("reads only the fields that the model takes as inputs", () => {
    expect(view.plan.sourcePaths["records"]!.map(String)).toEqual(["item.price", "item.size"]);
  });

  test("passes row splits to a graph model, and returns the same tensors after saving and loading", async () => {
    const graph = await createQueryModel(graphArtifacts(), runtime);
    const query = (await order()).callModel("item", graph, {
      inputs: { splits: { field: "size", part: "rowSplits" } },
      outputs: { lengths: { as: "num_sizes", dtype: "int32" } },
    });
    const counted = await createDataView(query, {
      outputs: { counts: { path: "item.num_sizes", view: "ragged" } },
    });
    const decoded = createRecordDecoder(counted).decode(records);
    expect(decoded.tensors["counts"]!.values).toEqual(Int32Array.of(2, 1, 0));
    const again = await decodeDataView(await encodeDataView(counted), { models: runtime });
    expect(createRecordDecoder(again).decode(records).tensors).toEqual(decoded.tensors);
  });

  test("rejects 64-bit integers, a missing input, an unknown output and an unknown member of a binding", async () => {
    const query = await order();
    const call = (inputs: object, outputs: object): (() => Expression) => {
      return () => query.callModel("item", model, { inputs, outputs } as never);
    };
    const score = { [model.outputNames[0]!]: { as: "score", dtype: "float32" } };
    const size = { field: "size", width: 2 };
    const mismatch = { code: "schema-mismatch", reason: "int64-to-model" };
    expect(call({ price: { field: "n" }, size }, score)).toThrow(expect.objectContaining(mismatch));
    const invalid = expect.objectContaining({ code: "invalid-argument" });
    expect(call({ price: { field: "price" } }, score)).toThrow(invalid);
    expect(call({ price: { field: "price" }, size }, { nope: { as: "a", dtype: "float32" } })).toThrow(
      invalid,
    );
    expect(call({ price: { field: "price", code: 1 }, size }, score)).toThrow(invalid);
  });

  test("rejects invalid bindings with a message that names the problem", async () => {
    const query = await order();
    const name = model.outputNames[0]!;
    const call = (price: object, outputs: object): (() => Expression) => {
      const inputs = { price: { field: "price", ...price }, size: { field: "size", width: 2 } };
      return () => query.callModel("item", model, { inputs, outputs } as never);
    };
    const output = { as: "a", dtype: "float32" };
    expect(call({}, { nope: output })).toThrow(
      `bindings.outputs must name only outputs of the model (${name}), found "nope".`,
    );
    expect(call({}, {})).toThrow(
      "outputs must be a list of one or more bindings of the model's outputs, found an empty list.",
    );
    expect(call({}, { [name]: output, nope: output })).toThrow(
      'outputs must each have a different `as`, found "a" twice.',
    );
    expect(call({ part: "values", width: 2 }, { [name]: output })).toThrow(
      'bindings.inputs.price: width has no effect with part "values", only with "dense".',
    );
    expect(call({ part: "rowSplits", padding: 0 }, { [name]: output })).toThrow(
      'bindings.inputs.price: padding has no effect with part "rowSplits", only with "dense".',
    );
    expect(call({ field: "sku", padding: 0 }, { [name]: output })).toThrow(
      "padding for a string field must be text, found ",
    );
  });

  test("rejects an output whose dtype is not the declared one, and an input with too few values and no padding", async () => {
    const inputs = { price: { field: "price" }, size: { field: "size", width: 2, padding: 0 } };
    const wrong = (await order()).callModel("item", model, {
      inputs,
      outputs: { [model.outputNames[0]!]: { as: "score", dtype: "int32" } },
    });
    const bad = await createDataView(wrong, { outputs: { s: { path: "item.score", view: "ragged" } } });
    expect(() => createRecordDecoder(bad).decode(records)).toThrow(
      expect.objectContaining({ code: "shape-mismatch", reason: "model-output" }),
    );
    const unpadded = (await order()).callModel("item", model, {
      inputs: { ...inputs, size: { field: "size", width: 2 } },
      outputs: { [model.outputNames[0]!]: { as: "score", dtype: "float32" } },
    });
    const short = await createDataView(unpadded, { outputs: { s: { path: "item.score", view: "ragged" } } });
    expect(() => createRecordDecoder(short).decode(records)).toThrow(
      expect.objectContaining({
        reason: "missing-value",
        message: expect.stringContaining("Set padding for the missing ones."),
      }),
    );
    const narrow = (await order()).callModel("item", model, {
      inputs: { ...inputs, size: { field: "size", width: 1, padding: 0 } },
      outputs: { [model.outputNames[0]!]: { as: "score", dtype: "float32" } },
    });
    const cut = await createDataView(narrow, { outputs: { s: { path: "item.score", view: "ragged" } } });
    expect(() => createRecordDecoder(cut).decode(records)).toThrow(
      'width must be at least 2, the size of this dimension of "size" in this batch, found 1.',
    );
  });
});

describe("a saved view with a model", () => {
  test("contains the model's files, and has the same tensors and bytes after loading", async () => {
    const directory = path.join(folder, "good");
    await saveDataView(view, directory);
    expect(await readdir(path.join(directory, "models", model.id))).toEqual(["model.json", "weights.bin"]);
    const loaded = await loadDataView(directory, { models: runtime });
    expect(createRecordDecoder(loaded).decode(records).tensors).toEqual(
      createRecordDecoder(view).decode(records).tensors,
    );
    expect(await encodeDataView(loaded)).toEqual(await encodeDataView(view));
  });

  test("reports which part of TensorFlow.js is missing", async () => {
    const files = await encodeDataView(view);
    const missing = { code: "unsupported", reason: "data-view-requires" };
    await expect(decodeDataView(files)).rejects.toMatchObject({
      ...missing,
      message: expect.stringContaining("loadLayersModel from @tensorflow/tfjs-layers"),
    });
    await expect(
      decodeDataView(files, { models: { ...runtime, loadLayersModel: undefined } }),
    ).rejects.toMatchObject(missing);
  });

  test("is rejected for a link or an extra file among its models, but not for an empty folder", async () => {
    const directory = path.join(folder, "bad");
    await saveDataView(view, directory);
    const inside = path.join(directory, "models", model.id);
    await writeFile(path.join(inside, "run.js"), "");
    const rejected = { code: "malformed-payload", reason: "data-view-files" };
    const load = (): Promise<unknown> => loadDataView(directory, { models: runtime });
    await expect(load()).rejects.toMatchObject({ ...rejected, uri: `models/${model.id}/run.js` });
    await rm(path.join(inside, "run.js"));
    await mkdir(path.join(directory, "models", "0123456789abcdef"));
    await symlink("/etc", path.join(directory, "models", "etc"));
    await expect(load()).rejects.toMatchObject({ ...rejected, uri: "models/etc" });
    await rm(path.join(directory, "models", "etc"));
    // The empty folder is still there, but it adds no file to the view.
    await expect(load()).resolves.toBeDefined();
  });
});

type Files = Map<string, Uint8Array>;
type Json = Record<string, unknown>;

/** Returns the saved view with changed model files, and with recomputed ids and checksums. */
async function forged(
  change: (model: Json, weights: Uint8Array) => Uint8Array | void,
  changeCall: (call: Json) => void = () => {},
): Promise<Files> {
  const files: Files = new Map(await encodeDataView(view));
  const names = [`models/${model.id}/model.json`, `models/${model.id}/weights.bin`] as const;
  const json = JSON.parse(new TextDecoder().decode(files.get(names[0]))) as Json;
  const weights = change(json, files.get(names[1])!) ?? files.get(names[1])!;
  const bytes = new TextEncoder().encode(canonicalJson(json as never));
  const id = hash(`${hash(bytes)} ${hash(weights)}`).slice(0, 16);
  names.forEach((name) => files.delete(name));
  files.set(`models/${id}/model.json`, bytes).set(`models/${id}/weights.bin`, weights);
  let graph = new TextDecoder().decode(files.get("graph.json"));
  let signature = new TextDecoder().decode(files.get("signature.json"));
  const ids = new Map<string, string>();
  const parsed = JSON.parse(graph) as { nodes: Json[] };
  for (const each of parsed.nodes) {
    if (each["op"] === "callModel") {
      const call = each["attrs"] as Json;
      call["model"] = id;
      changeCall(call);
    }
    each["in"] = (each["in"] as string[]).map((input) => ids.get(input) ?? input);
    const renamed = hash(canonicalJson([each["op"], each["attrs"], each["in"]] as never)).slice(0, 16);
    ids.set(each["id"] as string, renamed);
    each["id"] = renamed;
  }
  graph = canonicalJson(parsed as never);
  for (const [before, after] of ids) signature = signature.replaceAll(before, after);
  files.set("graph.json", new TextEncoder().encode(graph));
  files.set("signature.json", new TextEncoder().encode(signature));
  return sealed(files);
}

const topology = (json: Json): string => JSON.stringify(json["modelTopology"]);
const replaced = (json: Json, from: string, to: string): void => {
  expect(topology(json)).toContain(from);
  json["modelTopology"] = JSON.parse(topology(json).replaceAll(from, to));
};
const firstWeight = (json: Json): Json => (json["weightsManifest"] as { weights: Json[] }[])[0]!.weights[0]!;

describe("the decoder of a view with a model", () => {
  const url = new URL("./layers-runtime.ts", import.meta.url).href;
  const decoderBy = async (models: ModelRuntime): Promise<RecordDecoder> => {
    return createRecordDecoder(await decodeDataView(await encodeDataView(view), { models }));
  };

  test("can be described as JSON with the URL of its runtime module, and recreated from that description", async () => {
    const decoder = await decoderBy({ ...runtime, url });
    const { id, config } = JSON.parse(JSON.stringify(await decoder.describe())) as DecoderDescription;
    expect(id).toBe(modelViewDecoder.id);
    const created = await modelViewDecoder.createDecoder(config as ModelDecoderConfig);
    expect(created.decode(records).tensors).toEqual(decoder.decode(records).tensors);
    expect(await created.describe()).toMatchObject({ id, config });
  });

  test("cannot be described without the URL of its runtime module, or recreated without that module", async () => {
    const rejected = { code: "unsupported", reason: "model-runtime" };
    await expect((await decoderBy(runtime)).describe()).rejects.toMatchObject(rejected);
    const { config } = await (await decoderBy({ ...runtime, url })).describe();
    const { files } = config as ModelDecoderConfig;
    const missing = new URL("./nothing.js", import.meta.url).href;
    await expect(modelViewDecoder.createDecoder({ files, models: missing })).rejects.toMatchObject(rejected);
    const other = new URL("./sealed.ts", import.meta.url).href;
    await expect(modelViewDecoder.createDecoder({ files, models: other })).rejects.toMatchObject(rejected);
    const invalid = { code: "invalid-argument" };
    await expect(modelViewDecoder.createDecoder({ files } as never)).rejects.toMatchObject(invalid);
    await expect(dataViewDecoder.createDecoder(config as never)).rejects.toMatchObject(invalid);
    // This decoder imports no runtime module, so it cannot decode a view that calls models.
    await expect(dataViewDecoder.createDecoder(files)).rejects.toMatchObject({
      reason: "data-view-requires",
    });
  });
});

describe("an untrusted model", () => {
  test("is accepted if it is unchanged", async () => {
    await expect(decodeDataView(await forged(() => {}), { models: runtime })).resolves.toBeDefined();
  });

  test.each<[string, (model: Json, weights: Uint8Array) => Uint8Array | void]>([
    ["a layer outside the allowed set", (json) => replaced(json, '"Dense"', '"Lambda"')],
    ["a layer named like a member of Object.prototype", (json) => replaced(json, '"Dense"', '"constructor"')],
    ["a layer with more units than weights", (json) => replaced(json, '"units":1', '"units":1000000000')],
    ["an input of 10^15 values", (json) => replaced(json, "[null,2]", "[null,1000000000000000]")],
    ["too few bytes of weights", (_, weights) => weights.slice(4)],
    ["too many bytes of weights", (_, weights) => Uint8Array.of(...weights, 0, 0, 0, 0)],
    ["a weight of 2^60 values", (json) => void (firstWeight(json)["shape"] = [2 ** 30, 2 ** 30])],
    ["a weight with negative sizes", (json) => void (firstWeight(json)["shape"] = [-3, -1])],
    ["a weight of strings", (json) => void (firstWeight(json)["dtype"] = "string")],
    ["a quantized weight", (json) => void (firstWeight(json)["quantization"] = { dtype: "uint8" })],
    [
      "weights in a file outside its folder",
      (json) => void ((json["weightsManifest"] as Json[])[0]!["paths"] = ["../../../etc/passwd"]),
    ],
    ["an unsupported format", (json) => void (json["format"] = "tfjs-node")],
    ["an unknown member", (json) => void (json["trainingConfig"] = {})],
    ["no topology", (json) => void (json["modelTopology"] = null)],
  ])("with %s is rejected", async (_, change) => {
    await expect(decodeDataView(await forged(change), { models: runtime })).rejects.toMatchObject({
      code: "malformed-payload",
      uri: expect.stringMatching(/^models\/[0-9a-f]{16}\/model\.json$/),
    });
  });

  test.each([{ float: "abc" }, { int: "5" }, { double: "5" }, "5"])(
    "is rejected if a float input has the padding %j",
    async (padding) => {
      const changed = await forged(
        () => {},
        (call) => void ((call["inputs"] as Json[])[1]!["padding"] = padding),
      );
      await expect(decodeDataView(changed, { models: runtime })).rejects.toMatchObject({
        code: "malformed-payload",
        reason: "data-view",
        uri: "graph.json",
      });
    },
  );

  test.each<[string, Json]>([
    ["a width although its part is not dense", { part: "values" }],
    ["no width although its part is dense", { width: null }],
    ["an extra member", { size: 2 }],
  ])("is rejected if an input has %s", async (_, members) => {
    const changed = await forged(
      () => {},
      (call) => void Object.assign((call["inputs"] as Json[])[1]!, members),
    );
    await expect(decodeDataView(changed, { models: runtime })).rejects.toMatchObject({
      message: expect.stringContaining(
        "inputs[1] must be a binding with exactly the members name, part, width and padding; " +
          'for part "dense", width must be a positive integer; for other parts, width and padding must be null, found',
      ),
    });
  });

  test("is rejected if its folder is renamed or incomplete, the manifest omits its runtime, or no node calls it", async () => {
    const good = new Map(await encodeDataView(view));
    const moved = new Map(
      [...good].map(([name, bytes]) => [name.replace(model.id, "0123456789abcdef"), bytes] as const),
    );
    await expect(decodeDataView(sealed(moved), { models: runtime })).rejects.toMatchObject({
      reason: "data-view-checksum",
    });
    const plain = sealed(new Map(good), (manifest) => void (manifest["requires"] = []));
    await expect(decodeDataView(plain, { models: runtime })).rejects.toMatchObject({ uri: "dataview.json" });
    const half = new Map(good);
    half.delete(`models/${model.id}/weights.bin`);
    await expect(decodeDataView(sealed(half), { models: runtime })).rejects.toMatchObject({
      reason: "data-view-files",
    });
    const other = await createDataView(await order(), { outputs: { id: { path: "id", view: "ragged" } } });
    const unused = new Map(await encodeDataView(other));
    for (const [name, bytes] of good) if (name.startsWith("models/")) unused.set(name, bytes);
    await expect(decodeDataView(sealed(unused), { models: runtime })).rejects.toMatchObject({
      reason: "data-view-files",
    });
  });

  test.each(["While", "StatelessWhile", "If", "Fill", "HashTableV2", "PartitionedCall", "Custom"])(
    "with the operator %s is rejected",
    async (op) => {
      const hostile = graphArtifacts((nodes) => nodes.push(node("extra", op, ["splits"], { T: float })));
      await expect(createQueryModel(hostile, runtime)).rejects.toMatchObject({
        code: "malformed-payload",
        message: expect.stringContaining(op),
      });
    },
  );
});
