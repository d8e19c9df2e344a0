import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import type { Tfxio } from "@tfxio/io";
import type { ModelRuntime } from "@tfxio/struct2tensor";
import {
  type Artifact,
  dataViewBinder,
  dataViewProvider,
  type MetadataStore,
  openExamples,
  publishExamples,
  runComponent,
} from "../src/index.js";
import { temporaryFolder, temporaryStore } from "./temporary-store.js";
import { VISITS, writeSplit } from "./visits.js";

const moduleFile = path.join(import.meta.dirname, "fixtures", "decoder.mjs");
let root: string;
let store: MetadataStore;

beforeEach(async () => {
  root = temporaryFolder();
  store = await temporaryStore();
});

/** Publishes visits as Examples, and binds a view from fixtures/decoder.mjs to them. */
async function boundVisits(
  span: number,
  records: readonly Uint8Array[],
  createDecoderFunc = "createDecoder",
): Promise<Artifact> {
  const uri = path.join(root, `visits-${span}`);
  await writeSplit(uri, "train", records);
  const visits = publishExamples(store, { uri, splitNames: ["train"], payloadFormat: "FORMAT_PROTO", span });
  const place = { pipelineRoot: root, pipeline: "shop", run: `run-${span}` };
  const { outputs } = await runComponent(store, dataViewProvider, {
    ...place,
    parameters: { createDecoderFunc, moduleFile },
  });
  const bound = await runComponent(store, dataViewBinder, {
    ...place,
    inputs: { input_examples: [visits], data_view: [outputs["data_view"] as Artifact] },
  });
  return bound.outputs["output_examples"] as Artifact;
}

async function rowsOf(tfxio: Tfxio): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const row of tfxio.rows()) rows.push(row);
  return rows;
}

function viewFolder({ customProperties }: Artifact): string {
  return String(customProperties["data_view_uri"]);
}

test("openExamples decodes protobuf records with the view that is bound to them", async () => {
  const tfxio = await openExamples([await boundVisits(1, VISITS)]);
  expect(await rowsOf(tfxio)).toMatchObject([
    { page: ["a"], ms: [5] },
    { page: ["b"], ms: [300] },
    { page: ["c"], ms: [0] },
  ]);
  expect([...tfxio.tensorAdapter().typeSpecs()].map(([name, { kind }]) => [name, kind])).toEqual([
    ["ms", "tensor"],
    ["page", "ragged"],
    ["visit", "ragged"],
  ]);
});

test("openExamples adds the raw record of each row, and filters rows", async () => {
  const examples = await boundVisits(1, VISITS);
  const tfxio = await openExamples([examples], {
    rawRecordColumnName: "raw",
    read: { filter: "ms >= 5" },
  });
  const raws: unknown[] = [];
  for await (const batch of tfxio.recordBatches()) {
    for (const row of batch.getChild("raw") ?? []) raws.push(...(row as Iterable<Uint8Array>));
  }
  expect(raws).toEqual([VISITS[0], VISITS[0]]);
});

test("the newest view decodes all artifacts that are read together", async () => {
  const older = await boundVisits(1, VISITS.slice(0, 1));
  await new Promise((resolve) => setTimeout(resolve, 5));
  const newer = await boundVisits(2, VISITS.slice(2), "createNewerDecoder");
  expect(await rowsOf(await openExamples([older, newer]))).toMatchObject([
    { url: ["a"], ms: [5] },
    { url: ["b"], ms: [300] },
    { url: ["c"], ms: [0] },
  ]);
});

test("protobuf records without a view can be read only as raw records", async () => {
  const uri = path.join(root, "plain");
  await writeSplit(uri, "train", VISITS);
  const plain = publishExamples(store, { uri, splitNames: ["train"], payloadFormat: "FORMAT_PROTO" });
  await expect(openExamples([plain])).rejects.toMatchObject({ reason: "data-view-required" });
  const raw = await openExamples([plain], { readAsRawRecords: true, rawRecordColumnName: "raw" });
  expect(await raw.countRows()).toBe(3);
});

test("openExamples rejects a read option that does not apply to a view, instead of ignoring it", async () => {
  const examples = await boundVisits(1, VISITS);
  await expect(openExamples([examples], { read: { columns: ["ms"] } })).rejects.toMatchObject({
    code: "invalid-argument",
    reason: "unknown-option",
  });
});

test("openExamples rejects a view that was changed, has extra files or a link, is missing or is in an object store", async () => {
  const examples = await boundVisits(1, VISITS);
  const folder = viewFolder(examples);
  const graph = path.join(folder, "graph.json");
  const text = readFileSync(graph, "utf8");
  writeFileSync(graph, text.replace("page", "user"));
  await expect(openExamples([examples])).rejects.toMatchObject({ reason: "data-view-checksum" });
  writeFileSync(graph, text);
  const script = path.join(folder, "run-me.mjs");
  copyFileSync(moduleFile, script);
  await expect(openExamples([examples])).rejects.toMatchObject({ reason: "data-view-files" });
  rmSync(script);
  rmSync(graph);
  symlinkSync("/etc/passwd", graph);
  await expect(openExamples([examples])).rejects.toMatchObject({ reason: "data-view-files" });
  rmSync(folder, { recursive: true });
  await expect(openExamples([examples])).rejects.toMatchObject({ code: "not-found" });
  mkdirSync(folder);
  await expect(openExamples([examples])).rejects.toMatchObject({ reason: "data-view" });
  const customProperties = { ...examples.customProperties, data_view_uri: "s3://views/1" };
  await expect(openExamples([{ ...examples, customProperties }])).rejects.toMatchObject({
    code: "unsupported",
    reason: "data-view-uri",
  });
});

test("openExamples rejects a view that was replaced by a different view after binding, if a digest was recorded", async () => {
  const examples = await boundVisits(1, VISITS);
  const newer = await boundVisits(2, VISITS, "createNewerDecoder");
  expect(viewFolder(newer)).not.toBe(viewFolder(examples));
  rmSync(viewFolder(examples), { recursive: true });
  cpSync(viewFolder(newer), viewFolder(examples), { recursive: true });
  await expect(openExamples([examples])).rejects.toMatchObject({
    code: "malformed-payload",
    reason: "data-view-checksum",
    uri: viewFolder(examples),
  });
  // TFX records no digest.
  const { data_view_digest: _digest, ...customProperties } = examples.customProperties;
  expect(await rowsOf(await openExamples([{ ...examples, customProperties }]))).toHaveLength(3);
});

test("binding a view without a digest removes the digest of the view that was bound before", async () => {
  const bound = await boundVisits(1, VISITS);
  const [id = 0] = store.artifacts.put([{ type: "DataView", uri: "/views/tfx", state: "LIVE" }]);
  const again = await runComponent(store, dataViewBinder, {
    pipelineRoot: root,
    pipeline: "shop",
    run: "again",
    inputs: { input_examples: [bound], data_view: store.artifacts.byId([id]) },
  });
  expect(again.outputs["output_examples"]?.customProperties).toMatchObject({ data_view_uri: "/views/tfx" });
  expect(again.outputs["output_examples"]?.customProperties).not.toHaveProperty("data_view_digest");
});

test("a process leaves no files outside the view's folder if it is killed while saving the view", () => {
  const parent = path.join(root, "data_view");
  const script = path.join(import.meta.dirname, "killed-save.mjs");
  const { signal, stderr } = spawnSync(process.execPath, [script, path.join(parent, "7")], {
    encoding: "utf8",
  });
  expect([signal, stderr]).toEqual(["SIGKILL", ""]);
  expect(readdirSync(parent)).toEqual(["7"]);
  expect(readdirSync(path.join(parent, "7"))).toEqual([".saving"]);
});

// Runs the built package in a process where importing the peer dependency fails as if it were not installed.
test("openExamples names the package to install if struct2tensor is missing", async () => {
  const examples = await boundVisits(1, VISITS);
  const script = path.join(import.meta.dirname, "without-struct2tensor.mjs");
  const { stdout, stderr } = spawnSync(process.execPath, [script, store.path, String(examples.id)], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({
    code: "unsupported",
    reason: "data-views",
    message: expect.stringContaining("npm install @tfxio/struct2tensor"),
  });
});

test("openExamples runs the models of a view with the given runtime, and rejects the view if no runtime is given", async () => {
  const uri = path.join(root, "visits");
  // Two visits in protobuf's wire format: one with a click of price 2.5, and one without clicks.
  await writeSplit(uri, "train", [Uint8Array.of(0x12, 5, 0x0d, 0, 0, 0x20, 0x40), new Uint8Array(0)]);
  const visits = publishExamples(store, { uri, splitNames: ["train"], payloadFormat: "FORMAT_PROTO" });
  const place = { pipelineRoot: root, pipeline: "shop", run: "run" };
  const withModel = path.join(import.meta.dirname, "fixtures", "model-decoder.mjs");
  const { outputs } = await runComponent(store, dataViewProvider, {
    ...place,
    parameters: { createDecoderFunc: "createDecoder", moduleFile: withModel },
  });
  const bound = await runComponent(store, dataViewBinder, {
    ...place,
    inputs: { input_examples: [visits], data_view: [outputs["data_view"] as Artifact] },
  });
  const examples = [bound.outputs["output_examples"] as Artifact];
  await expect(openExamples(examples)).rejects.toMatchObject({
    code: "unsupported",
    reason: "data-view-requires",
  });
  const { models } = (await import(withModel)) as { models: () => Promise<ModelRuntime> };
  const tfxio = await openExamples(examples, { models: await models() });
  expect(await rowsOf(tfxio)).toMatchObject([{ refund: [[-2.5]] }, { refund: [] }]);
  await expect(openExamples([visits], { models: await models() })).rejects.toMatchObject({
    code: "invalid-argument",
  });
});
