import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import { parseProto } from "@tfxio/formats-protobuf";
import {
  createDataView,
  createRecordDecoder,
  createSavedQueryModel,
  type DataView,
  decodeDataView,
  encodeDataView,
  type Expression,
  type ModelBindings,
  type ModelRuntime,
  protoPlaceholder,
  type QueryModel,
} from "@tfxio/struct2tensor";
import { loadDataView, readSavedModel, saveDataView } from "@tfxio/struct2tensor/directory";
import { canonicalJson } from "../../src/saved/canonical-json.js";
import { hash, sealed } from "./sealed.js";
import { savedModelBytes, type TestModel, type TestNode } from "./saved-model-bytes.js";

// These tests use a fake tfjs-node, which does not run the models' graphs. `pnpm interop native` runs real models in TensorFlow.

const proto = `syntax = "proto2"; package shop;
  message Item { optional float price = 1; optional int64 n = 2; optional bytes sku = 3; optional int32 small = 4; }
  message Order { repeated Item item = 1; }`;
const records = [
  {
    item: [
      { price: 2, n: "-5", sku: "/w==" },
      { price: 3, n: "9007199254740993", sku: "Yg==" },
    ],
  },
  {},
].map((record) => new TextEncoder().encode(JSON.stringify(record)));

const [FLOAT, STRING, INT64] = [1, 7, 9];
const pricing: TestModel = {
  nodes: [
    { name: "price", op: "Placeholder" },
    { name: "n", op: "Placeholder" },
    { name: "sku", op: "Placeholder" },
    { name: "call", op: "StatefulPartitionedCall", inputs: ["price", "n", "sku"], calls: "compute" },
    { name: "filename", op: "Placeholder" },
    { name: "restore", op: "StatefulPartitionedCall", inputs: ["filename"], calls: "read" },
    // SavedModels have operators for saving, which never run here.
    { name: "save", op: "SaveV2", inputs: ["filename"] },
  ],
  functions: {
    compute: { parameters: ["a"], nodes: [{ name: "twice", op: "AddV2", inputs: ["a", "a"] }] },
    read: { parameters: ["path"], nodes: [{ name: "variables", op: "RestoreV2", inputs: ["path"] }] },
  },
  inputs: { price: ["price:0", FLOAT, [-1, 1]], n: ["n:0", INT64, [-1, 1]], sku: ["sku:0", STRING, [-1, 1]] },
  outputs: {
    twice: ["call:0", FLOAT, [-1, 1]],
    next: ["call:1", INT64, [-1, 1]],
    text: ["call:2", STRING, [-1, 1]],
  },
  filename: "filename:0",
  restore: "restore",
};

const files = (model: TestModel = pricing): Map<string, Uint8Array> =>
  new Map([
    ["saved_model.pb", savedModelBytes(model)],
    ["variables/variables.index", Uint8Array.of(1)],
    ["variables/variables.data-00000-of-00001", Uint8Array.of(2, 3)],
    ["fingerprint.pb", Uint8Array.of(4)],
  ]);

type Tensors = Readonly<Record<string, tf.Tensor>>;

/** Creates an int64 tensor as tfjs-node represents it: labelled int32, with a BigInt64Array. */
const int64Tensor = (values: BigInt64Array): tf.Tensor =>
  Object.defineProperty(tf.zeros([values.length, 1], "int32"), "dataSync", { value: () => values });

function predictPrices({ price, n, sku }: Tensors): Tensors {
  const numbers = n!.dataSync() as unknown as BigInt64Array;
  return {
    twice: tf.mul(price!, 2),
    next: int64Tensor(numbers.map((value) => value + 1n)),
    text: sku!,
  };
}

const folders: string[] = [];
const runtimeOf = (predict: (inputs: Tensors) => Tensors = predictPrices): ModelRuntime => ({
  tf,
  module: {
    node: {
      loadSavedModel: async (folder: string, tags: readonly string[], signature: string) => {
        expect(tags).toEqual(["serve"]);
        expect(signature).toBe("serving_default");
        const names = await readdir(folder, { recursive: true });
        expect(names.sort()).toEqual([
          "saved_model.pb",
          "variables",
          path.join("variables", "variables.data-00000-of-00001"),
          path.join("variables", "variables.index"),
        ]);
        folders.push(folder);
        return { predict, dispose: () => {} };
      },
    },
  },
});
const models = runtimeOf();

const inputs = { price: { field: "price" }, n: { field: "n" }, sku: { field: "sku" } };
const bindings: ModelBindings = {
  inputs,
  outputs: {
    twice: { as: "twice", dtype: "float32" },
    next: { as: "next", dtype: "int64" },
    text: { as: "text", dtype: "string" },
  },
};

const order = async (): Promise<Expression> =>
  protoPlaceholder(await parseProto(proto, "shop.Order"), { messageFormat: "json" });

const viewOf = async (model: QueryModel, as: ModelBindings = bindings): Promise<DataView> =>
  createDataView((await order()).callModel("item", model, as), {
    outputs: {
      twice: { path: "item.twice", view: "ragged" },
      next: { path: "item.next", view: "ragged" },
      text: { path: "item.text", view: "ragged" },
    },
  });

let model: QueryModel;
let view: DataView;
let temporary: string;

beforeAll(async () => {
  await tf.setBackend("cpu");
  model = await createSavedQueryModel(files(), models);
  view = await viewOf(model);
  temporary = await mkdtemp(path.join(tmpdir(), "tfxio-saved-"));
});

afterAll(() => rm(temporary, { recursive: true }));

describe("a query that calls a SavedModel", () => {
  test("computes new fields from the fields of each message, with exact int64 values and strings as bytes", () => {
    const before = tf.memory().numTensors;
    const { tensors } = createRecordDecoder(view).decode(records);
    expect(tensors["twice"]!.values).toEqual(Float32Array.of(4, 6));
    expect(tensors["next"]!.values).toEqual(BigInt64Array.of(-4n, 9007199254740994n));
    expect(tensors["text"]).toMatchObject({ values: { data: Uint8Array.of(0xff, 0x62) } });
    expect(tf.memory().numTensors).toBe(before);
  });

  test("returns no values for a batch without messages", () => {
    const { tensors } = createRecordDecoder(view).decode(records.slice(1));
    expect(tensors["next"]!.values).toEqual(new BigInt64Array(0));
    expect(tensors["text"]).toMatchObject({ values: { length: 0 } });
  });

  test("leaves no temporary model files behind", () => {
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
  });

  test.each<[string, ModelRuntime, string]>([
    ["no tfjs-node module", { tf }, "Install @tensorflow/tfjs-node"],
    ["a module without loadSavedModel", { tf, module: {} }, "has no node.loadSavedModel"],
  ])("fails with an explanation if the runtime has %s", async (_, runtime, message) => {
    const rejected = { code: "unsupported", reason: "data-view-requires" };
    await expect(createSavedQueryModel(files(), runtime)).rejects.toMatchObject({
      ...rejected,
      message: expect.stringContaining(message),
    });
    await expect(decodeDataView(await encodeDataView(view), { models: runtime })).rejects.toMatchObject(
      rejected,
    );
  });

  test("rejects inputs whose type or shape differs from the signature, and outputs whose type differs", async () => {
    const query = await order();
    const call = (changed: object, outputs: object = bindings.outputs): (() => Expression) => {
      return () => query.callModel("item", model, { inputs: { ...inputs, ...changed }, outputs } as never);
    };
    const mismatch = { code: "schema-mismatch", reason: "function-input" };
    expect(call({ n: { field: "small" } })).toThrow(expect.objectContaining(mismatch));
    expect(call({ price: { field: "price", width: 2, padding: 0 } })).toThrow(
      expect.objectContaining(mismatch),
    );
    expect(call({ price: { field: "price", part: "values" } })).toThrow(expect.objectContaining(mismatch));
    const invalid = expect.objectContaining({ code: "invalid-argument" });
    expect(call({}, { next: { as: "next", dtype: "int32" } })).toThrow(invalid);
  });

  test("accepts padding that fits an int64 input, and rejects a bool, a fraction and 2^63 as padding", async () => {
    const query = await order();
    const call = (padding: number | bigint | boolean) => (): Expression =>
      query.callModel("item", model, { ...bindings, inputs: { ...inputs, n: { field: "n", padding } } });
    expect(call(5)).not.toThrow();
    expect(call(2n ** 60n)).not.toThrow();
    for (const padding of [true, 0.5, 2n ** 63n]) {
      expect(call(padding)).toThrow(
        expect.objectContaining({ code: "invalid-argument", argument: "padding" }),
      );
    }
  });

  test("rejects results that differ from the signature, and reports a failure of the model", async () => {
    const decode = async (predict: (given: Tensors) => Tensors): Promise<() => unknown> => {
      const decoder = createRecordDecoder(
        await viewOf(await createSavedQueryModel(files(), runtimeOf(predict))),
      );
      return () => decoder.decode(records);
    };
    const output = { code: "shape-mismatch", reason: "model-output" };
    const narrow = await decode((given) => ({ ...predictPrices(given), next: tf.zeros([2, 1], "int32") }));
    expect(narrow).toThrow(expect.objectContaining(output));
    const missing = await decode((given) => ({ twice: given["price"]! }));
    expect(missing).toThrow(expect.objectContaining(output));
    const thrown = await decode(() => {
      throw new Error("no kernel");
    });
    expect(thrown).toThrow(expect.objectContaining({ code: "not-convertible", reason: "model-failed" }));
  });

  test("reports TensorFlow's reason if TensorFlow cannot load the model", async () => {
    const loadSavedModel = (): Promise<never> => Promise.reject(new Error("data loss"));
    const runtime = { tf, module: { node: { loadSavedModel } } };
    await expect(createSavedQueryModel(files(), runtime)).rejects.toMatchObject({
      code: "malformed-payload",
      message: expect.stringContaining("data loss"),
    });
  });
});

describe("a SavedModel in a saved view", () => {
  test("computes the same tensors and is saved as the same bytes after loading", async () => {
    const directory = path.join(temporary, "good");
    await saveDataView(view, directory);
    const inside = path.join(directory, "saved_models", model.id);
    expect((await readdir(inside)).sort()).toEqual(["model.json", "saved_model.pb", "variables"]);
    const loaded = await loadDataView(directory, { models });
    expect(createRecordDecoder(loaded).decode(records).tensors).toEqual(
      createRecordDecoder(view).decode(records).tensors,
    );
    expect(await encodeDataView(loaded)).toEqual(await encodeDataView(view));
    expect(await readSavedModel(inside)).toEqual(
      new Map([...files()].filter(([name]) => name !== "fingerprint.pb")),
    );
  });

  test("is rejected if its folder contains an extra folder, an extra file, a huge file or a link", async () => {
    const directory = path.join(temporary, "bad");
    await saveDataView(view, directory);
    const inside = path.join(directory, "saved_models", model.id);
    const load = (): Promise<unknown> => loadDataView(directory, { models });
    const rejected = { code: "malformed-payload", reason: "data-view-files" };
    await mkdir(path.join(inside, "assets"));
    await expect(load()).rejects.toMatchObject(rejected);
    await rm(path.join(inside, "assets"), { recursive: true });
    await writeFile(path.join(inside, "variables", "run.so"), "");
    await expect(load()).rejects.toMatchObject(rejected);
    await rm(path.join(inside, "variables", "run.so"));
    const data = path.join(inside, "variables", "variables.data-00000-of-00001");
    await truncate(data, 2 ** 30);
    await expect(load()).rejects.toMatchObject({ ...rejected, reason: "data-view-size" });
    await rm(data);
    await symlink("/etc/passwd", data);
    await expect(load()).rejects.toMatchObject(rejected);
    await rm(path.join(inside, "variables"), { recursive: true });
    await symlink("/etc", path.join(inside, "variables"));
    await expect(load()).rejects.toMatchObject(rejected);
    await expect(readSavedModel(inside)).rejects.toMatchObject(rejected);
  });

  test.each<[string, string, (json: Record<string, unknown>) => void]>([
    [
      "an output type that differs from the graph's",
      "model.json",
      (json) => edit(json, (each) => (each["dtype"] = "int32")),
    ],
    [
      "an output shape that differs from the graph's",
      "model.json",
      (json) => edit(json, (each) => (each["shape"] = [null, 2])),
    ],
    [
      "an output name that differs from the graph's",
      "model.json",
      (json) => edit(json, (each) => (each["name"] = "cost")),
    ],
    ["a shape with a negative size", "model.json", (json) => edit(json, (each) => (each["shape"] = [-1]))],
    ["an unsupported type", "model.json", (json) => edit(json, (each) => (each["dtype"] = "float64"))],
    [
      "a signature that the graph lacks",
      "saved_model.pb",
      (json) => ((json["signature"] as Json)["name"] = "other"),
    ],
    ["an unsupported format", "model.json", (json) => (json["format"] = "graph-model")],
  ])("is rejected if model.json has %s", async (_, file, change) => {
    const json = JSON.parse(new TextDecoder().decode(model.files.get("model.json"))) as Json;
    change(json);
    const forged = new Map(model.files).set(
      "model.json",
      new TextEncoder().encode(canonicalJson(json as never)),
    );
    await expect(decodeDataView(await withModel(forged), { models })).rejects.toMatchObject({
      code: "malformed-payload",
      uri: expect.stringMatching(new RegExp(`^saved_models/[0-9a-f]{16}/${file}$`)),
    });
  });
});

type Json = Record<string, unknown>;

function edit(json: Json, change: (tensor: Json) => void): void {
  const { outputs } = json["signature"] as { readonly outputs: readonly Json[] };
  change(outputs[0]!);
}

/**
 * Returns the saved view with `content` as its only model, in a folder named after the model's id, and with a matching manifest.
 */
async function withModel(content: ReadonlyMap<string, Uint8Array>): Promise<Map<string, Uint8Array>> {
  const lines = [...content]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => `${name}\0${hash(bytes)}\n`);
  const id = hash(lines.join("")).slice(0, 16);
  const saved = new Map(
    [...(await encodeDataView(view))].filter(([name]) => !name.startsWith("saved_models/")),
  );
  for (const [name, bytes] of content) saved.set(`saved_models/${id}/${name}`, bytes);
  return sealed(saved);
}

const withNode = (node: TestNode): TestModel => ({
  ...pricing,
  nodes: pricing.nodes.map((each) => (each.name === "price" ? { ...node, name: "price" } : each)),
});
const computing = (...nodes: readonly TestNode[]): TestModel => ({
  ...pricing,
  functions: { ...pricing.functions, compute: { parameters: ["a"], nodes } },
});

describe("the graph of a SavedModel", () => {
  test.each<[string, TestModel, string]>([
    ["an operator that writes files", withNode({ name: "", op: "WriteFile" }), "WriteFile"],
    ["a forbidden operator in a function", computing({ name: "x", op: "ReadFile" }), "ReadFile"],
    [
      "a forbidden operator in a nested function",
      {
        ...pricing,
        functions: {
          ...pricing.functions,
          compute: { nodes: [{ name: "x", op: "PartitionedCall", calls: "inner" }] },
          inner: { nodes: [{ name: "y", op: "While" }] },
        },
      },
      "While",
    ],
    [
      "a forbidden operator as a control input",
      {
        ...pricing,
        nodes: [
          ...withNode({ name: "", op: "NoOp", inputs: ["^late"] }).nodes,
          { name: "late", op: "PyFunc" },
        ],
      },
      "PyFunc",
    ],
    [
      "a forbidden operator in the initializer",
      { ...pricing, nodes: [...pricing.nodes, { name: "init", op: "WriteFile" }], initializer: "init" },
      "WriteFile",
    ],
    [
      "a RestoreV2 that reads a path other than the model's",
      computing({ name: "x", op: "RestoreV2", inputs: ["a"] }),
      "the model's own variables",
    ],
    [
      "a restore function that reads a path other than the model's",
      {
        ...pricing,
        nodes: pricing.nodes.map((each) => (each.name === "restore" ? { ...each, inputs: ["price"] } : each)),
      },
      "the model's own variables",
    ],
    [
      "a function that calls itself",
      computing({ name: "x", op: "PartitionedCall", calls: "compute" }),
      "call itself",
    ],
    [
      "a call to a missing function",
      computing({ name: "x", op: "PartitionedCall", calls: "none" }),
      "is missing",
    ],
    [
      "an input from a missing node",
      withNode({ name: "", op: "Identity", inputs: ["none:1"] }),
      "is missing",
    ],
    [
      "2^40 nodes in nested functions",
      {
        ...pricing,
        functions: {
          ...pricing.functions,
          compute: { nodes: [{ name: "x", op: "PartitionedCall", calls: "f0" }] },
          ...Object.fromEntries(
            Array.from({ length: 40 }, (_, index) => {
              const call = { op: "PartitionedCall", calls: `f${index + 1}` };
              return [
                `f${index}`,
                {
                  nodes: [
                    { name: "a", ...call },
                    { name: "b", ...call },
                  ],
                },
              ];
            }),
          ),
          f40: { nodes: [{ name: "x", op: "NoOp" }] },
        },
      },
      "nodes may run",
    ],
    [
      "a constant of 2^60 values",
      withNode({ name: "", op: "Const", tensorShape: [2 ** 30, 2 ** 30] }),
      "elements",
    ],
    [
      "two nodes with the same name",
      { ...pricing, nodes: [...pricing.nodes, { name: "n", op: "NoOp" }] },
      "occurs twice",
    ],
    [
      "a tag other than serve",
      { ...pricing, tags: ["train"] },
      'whose only tag is "serve"; found the tags ["train"]',
    ],
    [
      "no signature with the requested name",
      { ...pricing, signature: "other" },
      'its signatures are "other"',
    ],
    [
      "no signatures",
      { ...pricing, signature: "__saved_model_init_op" },
      "it has no signatures; pass them to tf.saved_model.save",
    ],
    ["a float64 output", { ...pricing, outputs: { twice: ["call:0", 2, [-1]] } }, "the TensorFlow type 2"],
    ["a sparse output", { ...pricing, outputs: { twice: ["", FLOAT, [-1]] } }, "must name one dense tensor"],
  ])("is rejected if it has %s", async (_, hostile, message) => {
    await expect(createSavedQueryModel(files(hostile), models)).rejects.toMatchObject({
      code: "malformed-payload",
      reason: "data-view",
      message: expect.stringContaining(message),
    });
  });

  test("is rejected if a second graph also has the tag `serve`, because TensorFlow could choose either", async () => {
    const two = files().set(
      "saved_model.pb",
      savedModelBytes(pricing, { ...pricing, tags: ["serve", "serve"] }),
    );
    await expect(createSavedQueryModel(two, models)).rejects.toMatchObject({ reason: "data-view" });
  });

  test("is rejected if saved_model.pb is truncated or missing", async () => {
    const bytes = files().get("saved_model.pb")!;
    for (let length = 0; length < bytes.length; length += 7) {
      const cut = files().set("saved_model.pb", bytes.slice(0, length));
      await expect(createSavedQueryModel(cut, models)).rejects.toMatchObject({ code: "malformed-payload" });
    }
    const none = new Map([...files()].filter(([name]) => name !== "saved_model.pb"));
    await expect(createSavedQueryModel(none, models)).rejects.toMatchObject({ reason: "data-view-files" });
  });

  test("is accepted if it is unchanged, and the model gets the same id when it is loaded again", async () => {
    await expect(createSavedQueryModel(files(), models)).resolves.toMatchObject({ id: model.id });
  });
});
