import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeEach, expect, test } from "@jest/globals";
import { openTfxio, type Tfxio } from "@tfxio/io";
import {
  type Artifact,
  type Component,
  type ComponentRun,
  dataViewBinder,
  dataViewProvider,
  examplesOf,
  examplesWriter,
  keepLargestGroups,
  keepNewest,
  lineageMermaid,
  lineageText,
  localFiles,
  markForDeletion,
  type MetadataStore,
  openExamples,
  publishExamples,
  runComponent,
  type RunOptions,
  sweep,
} from "../src/index.js";
import { temporaryFolder, temporaryStore } from "./temporary-store.js";

let root: string;
let store: MetadataStore;

beforeEach(async () => {
  root = temporaryFolder();
  store = await temporaryStore();
});

const failing = (code: string, reason?: string): unknown => expect.objectContaining({ code, reason });

function run(component: Component, options: Partial<RunOptions> = {}): Promise<ComponentRun> {
  return runComponent(store, component, { pipelineRoot: root, pipeline: "p", run: "r", ...options });
}

/** Opens a table with these values in the column `x`. */
function rows(...items: readonly number[]): Promise<Tfxio> {
  const text = items.map((x) => `${JSON.stringify({ x })}\n`).join("");
  return openTfxio(new TextEncoder().encode(text), { format: "jsonl", inferSchema: "full" });
}

async function values(tfxio: Tfxio): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const batch of tfxio.recordBatches()) {
    for (const row of batch.getChild("x") ?? []) found.push(...(row as Iterable<unknown>));
  }
  return found;
}

/** Returns the column names of each batch. */
async function columnsOf(tfxio: Tfxio): Promise<unknown[]> {
  const columns: unknown[] = [];
  for await (const batch of tfxio.recordBatches()) columns.push(batch.schema.names);
  return columns;
}

/** Publishes Examples whose only file of protobuf records is empty. */
function protoExamples(): Artifact {
  const uri = path.join(root, "proto");
  mkdirSync(path.join(uri, "Split-train"), { recursive: true });
  writeFileSync(path.join(uri, "Split-train", "data_tfrecord-00000-of-00001"), "");
  return publishExamples(store, { uri, splitNames: ["train"], payloadFormat: "FORMAT_PROTO" });
}

const decoderModule = path.join(import.meta.dirname, "fixtures", "decoder.mjs");

test("examplesWriter writes examples in the TFX layout, and openExamples reads them, decoded or as raw records", async () => {
  const writer = examplesWriter({
    splits: { train: () => rows(1, 2, 3), eval: () => rows(4) },
    numShards: 2,
  });
  const { outputs, executionId } = await run(writer, { parameters: { span: 7n, version: 1n } });
  const [artifact] = Object.values(outputs) as [Artifact];
  expect(artifact).toMatchObject({
    type: "Examples",
    uri: path.join(root, "ExamplesWriter", "examples", String(executionId)),
    state: "LIVE",
    properties: { span: 7n, version: 1n, split_names: '["train","eval"]' },
    customProperties: {
      payload_format: "FORMAT_TF_EXAMPLE",
      file_format: "FORMAT_TFRECORDS_GZIP",
      // Without this property, TFX would look for the folder `train`.
      tfx_version: "1.21.0",
    },
  });
  expect(readdirSync(path.join(artifact.uri, "Split-train"))).toEqual([
    "data_tfrecord-00000-of-00002.gz",
    "data_tfrecord-00001-of-00002.gz",
  ]);
  expect(
    gunzipSync(readFileSync(path.join(artifact.uri, "Split-eval", "data_tfrecord-00000-of-00002.gz"))).length,
  ).toBeGreaterThan(16);
  expect(store.types.get("artifact", "Examples")).toMatchObject({
    baseType: "mlmd.Dataset",
    properties: { span: "INT", version: "INT", split_names: "STRING" },
  });
  expect(examplesOf(artifact)).toMatchObject({
    span: 7n,
    splitNames: ["train", "eval"],
    dataViewUri: undefined,
  });
  expect(new Set(await values(await openExamples([artifact], { splits: ["train"] })))).toEqual(
    new Set([1n, 2n, 3n]),
  );
  expect(new Set(await values(await openExamples([artifact])))).toEqual(new Set([1n, 2n, 3n, 4n]));
  await expect(openExamples([artifact], { splits: ["test"] })).rejects.toMatchObject({
    reason: "unknown-split",
    argument: "splits",
    message: expect.stringContaining("has no files for split test; it has files for train, eval."),
  });
  const empty = { ...artifact, properties: { ...artifact.properties, split_names: "[]" } };
  await expect(openExamples([empty], { splits: ["test"] })).rejects.toThrow(
    "has no files for split test, nor for any other split.",
  );
  await expect(openExamples([artifact], { readAsRawRecords: true })).rejects.toMatchObject({
    reason: "raw-column-name",
    argument: "rawRecordColumnName",
  });
  const raw = await openExamples([artifact], {
    splits: ["eval"],
    readAsRawRecords: true,
    rawRecordColumnName: "bytes",
  });
  expect(await columnsOf(raw)).toEqual([["bytes"]]);
  const both = await openExamples([artifact], { splits: ["eval"], rawRecordColumnName: "bytes" });
  expect(await columnsOf(both)).toEqual([["x", "bytes"]]);
});

test("Parquet examples can be written and read back", async () => {
  const writer = examplesWriter({ splits: { train: () => rows(5, 6) }, payloadFormat: "FORMAT_PARQUET" });
  const { outputs } = await run(writer);
  const [artifact] = Object.values(outputs) as [Artifact];
  expect(artifact.customProperties).toMatchObject({ file_format: "FILE_FORMAT_PARQUET" });
  expect(await values(await openExamples([artifact]))).toEqual([5n, 6n]);
});

test("openExamples reads the folder layout of older TFX versions, and ignores hidden files and marker files", async () => {
  const uri = path.join(root, "old {a,b}*");
  mkdirSync(path.join(uri, "train", "_temporary"), { recursive: true });
  const { outputs } = await run(examplesWriter({ splits: { train: () => rows(8) } }));
  const written = path.join(outputs["examples"]?.uri ?? "", "Split-train", "data_tfrecord-00000-of-00001.gz");
  writeFileSync(path.join(uri, "train", "data.gz"), readFileSync(written));
  writeFileSync(path.join(uri, "train", "_SUCCESS"), "");
  writeFileSync(path.join(uri, "train", ".hidden"), "no record");
  const artifact = publishExamples(store, { uri, splitNames: ["train"] });
  expect(await values(await openExamples([artifact]))).toEqual([8n]);
  const empty = publishExamples(store, { uri: path.join(root, "nothing"), splitNames: ["train"] });
  await expect(openExamples([empty])).rejects.toMatchObject({ code: "not-found" });
});

test("custom patterns select a split's files, as in TFX, but must not be empty or lead outside the artifact", async () => {
  const { outputs } = await run(examplesWriter({ splits: { train: () => rows(8), eval: () => rows(9) } }));
  const { uri, ...artifact } = outputs["examples"] as Artifact;
  const withPattern = (pattern: string): Artifact => ({
    ...artifact,
    uri,
    customProperties: {
      ...artifact.customProperties,
      custom_split_pattern: JSON.stringify({ all: pattern }),
    },
  });
  const all = await openExamples([withPattern("Split-*/data_*")], { splits: ["all"] });
  expect(new Set(await values(all))).toEqual(new Set([8n, 9n]));
  await expect(openExamples([withPattern("Split-*/*")])).rejects.toMatchObject({
    reason: "unknown-split",
    argument: "artifacts",
    message: expect.stringContaining("has no files for split train; it has files for all."),
  });
  for (const pattern of ["../*", "/etc/passwd", "{a,../..}/*", "a\\b", ""]) {
    expect(() => examplesOf(withPattern(pattern))).toThrow(failing("corrupt-record", "artifact-property"));
  }
});

test("a split name that is empty or could lead outside the artifact is rejected", () => {
  for (const name of ["../secret", "a/b", "", "a\\b", "a\0"]) {
    expect(() => publishExamples(store, { uri: root, splitNames: [name] })).toThrow(
      failing("invalid-argument"),
    );
    const artifact = { ...protoExamples(), properties: { split_names: JSON.stringify([name]) } };
    expect(() => examplesOf(artifact)).toThrow(failing("corrupt-record", "artifact-property"));
  }
});

test("a view is created from a function and bound to examples, and the store records the lineage of both", async () => {
  const raw = protoExamples();
  const provided = await run(dataViewProvider, {
    parameters: { createDecoderFunc: "createDecoder", moduleFile: decoderModule },
  });
  const view = provided.outputs["data_view"] as Artifact;
  const bound = await run(dataViewBinder, { inputs: { input_examples: [raw], data_view: [view] } });
  const examples = bound.outputs["output_examples"] as Artifact;
  expect(examples).toMatchObject({
    uri: raw.uri,
    properties: raw.properties,
    customProperties: {
      ...raw.customProperties,
      data_view_uri: view.uri,
      data_view_create_time_since_epoch: String(view.createTimeMs),
      data_view_id: BigInt(view.id),
      data_view_digest: view.customProperties["data_view_digest"],
      gc_context: JSON.stringify({ v: 1, uris: [view.uri] }),
    },
  });
  const manifest = readFileSync(path.join(view.uri, "dataview.json"), "utf8");
  expect(view.customProperties).toEqual({
    data_view_digest: (JSON.parse(manifest) as { readonly digest: string }).digest,
  });
  expect(examples.id).not.toBe(raw.id);
  // The folder that the runner created for the output is removed.
  expect(existsSync(path.join(root, "DataViewBinder", "output_examples", String(bound.executionId)))).toBe(
    false,
  );
  await expect(openExamples([raw])).rejects.toMatchObject({ reason: "data-view-required" });
  const lineage = store.lineage({ fromArtifacts: `id = ${examples.id}`, direction: "upstream" });
  expect(lineageText(store, lineage)).toBe(
    [
      `Examples ${raw.id} LIVE ${raw.uri}`,
      `└─ DataViewBinder ${bound.executionId} COMPLETE`,
      `   └─ Examples ${examples.id} LIVE ${raw.uri}`,
      `DataViewProvider ${provided.executionId} COMPLETE`,
      `└─ DataView ${view.id} LIVE ${view.uri}`,
      `   └─ DataViewBinder ${bound.executionId} COMPLETE (above)`,
    ].join("\n"),
  );
  expect(lineageMermaid(store, lineage).split("\n")).toEqual([
    "flowchart LR",
    `  a${raw.id}("Examples ${raw.id} LIVE ${raw.uri}")`,
    `  a${view.id}("DataView ${view.id} LIVE ${view.uri}")`,
    `  a${examples.id}("Examples ${examples.id} LIVE ${raw.uri}")`,
    `  e${provided.executionId}["DataViewProvider ${provided.executionId} COMPLETE"]`,
    `  e${bound.executionId}["DataViewBinder ${bound.executionId} COMPLETE"]`,
    `  a${raw.id} --> e${bound.executionId}`,
    `  a${view.id} --> e${bound.executionId}`,
    `  e${provided.executionId} --> a${view.id}`,
    `  e${bound.executionId} --> a${examples.id}`,
  ]);
  // As in TFX, the contexts of the pipeline, the run and the node hold the output.
  expect(store.contexts.byArtifact(view.id).map(({ type, name }) => [type, name])).toEqual([
    ["pipeline", "p"],
    ["pipeline_run", "r"],
    ["node", "p.DataViewProvider"],
  ]);
  expect(
    store.events.ofExecutions([bound.executionId]).map(({ type, path: steps }) => [type, steps]),
  ).toContainEqual(["INPUT", ["input_examples", 0]]);
  const tfExamples = publishExamples(store, { uri: raw.uri, splitNames: ["train"] });
  await expect(
    run(dataViewBinder, { inputs: { input_examples: [tfExamples], data_view: [view] } }),
  ).rejects.toMatchObject({
    code: "user-function",
    cause: failing("invalid-argument", "payload-format"),
  });
});

test("an import error names the parameter that gives the module", async () => {
  const broken = path.join(root, "broken.mjs");
  writeFileSync(broken, "throw new Error('not here');");
  for (const [argument, parameters] of [
    ["createDecoderFunc", { createDecoderFunc: "no-such-module#create" }],
    ["moduleFile", { createDecoderFunc: "create", moduleFile: broken }],
  ] as const) {
    await expect(run(dataViewProvider, { parameters })).rejects.toMatchObject({
      cause: { argument, reason: "module" },
    });
  }
});

test("a view is not published if it cannot be created, and a sweep deletes its folder", async () => {
  for (const name of ["broken", "notAFunction", "missing"]) {
    await expect(
      run(dataViewProvider, { parameters: { createDecoderFunc: name, moduleFile: decoderModule } }),
    ).rejects.toMatchObject({ code: "user-function" });
  }
  await expect(
    run(dataViewProvider, { parameters: { createDecoderFunc: "notAView", moduleFile: decoderModule } }),
  ).rejects.toMatchObject({
    cause: {
      message: expect.stringContaining(
        "createDecoderFunc must name a function that returns a DataView (see createDataView), but this one returned " +
          'an object with the key "fields".',
      ),
    },
  });
  await expect(
    run(dataViewProvider, { parameters: { createDecoderFunc: "noModule" } }),
  ).rejects.toMatchObject({
    argument: "createDecoderFunc",
    message: expect.stringContaining(
      "must have the form module#name if moduleFile is not given, found noModule",
    ),
  });
  expect(store.artifacts.list().map(({ state }) => state)).toEqual(Array(4).fill("ABANDONED"));
  expect(store.executions.list().map(({ lastKnownState }) => lastKnownState)).toEqual(
    Array(4).fill("FAILED"),
  );
  expect((await sweep(store, { files: localFiles(root) })).deletedIds).toHaveLength(4);
  expect(readdirSync(path.join(root, "DataViewProvider", "data_view"))).toEqual([]);
});

test("equal executions in a pipeline share outputs, unless a module changed or an output is marked for deletion", async () => {
  const moduleFile = path.join(root, "decoder.mjs");
  const write = (field: string): void =>
    writeFileSync(
      moduleFile,
      `import { viewOfVisits } from ${JSON.stringify(decoderModule)};\nexport const createDecoder = () => viewOfVisits("${field}");\n`,
    );
  const provide = (options: Partial<RunOptions> = {}): Promise<ComponentRun> =>
    run(dataViewProvider, {
      parameters: { createDecoderFunc: "createDecoder", moduleFile },
      ...options,
    });
  write("a");
  const first = await provide();
  const second = await provide({ run: "r2" });
  expect(second).toMatchObject({ isReused: true, outputs: first.outputs });
  expect(store.executions.byId([second.executionId])).toMatchObject([{ lastKnownState: "CACHED" }]);
  expect(store.contexts.byArtifact(first.outputs["data_view"]?.id ?? 0).map(({ name }) => name)).toContain(
    "r2",
  );
  expect(await provide({ isCached: false })).toMatchObject({ isReused: false });
  expect(await provide({ pipeline: "other" })).toMatchObject({ isReused: false });
  write("b");
  const third = await provide();
  expect(third.isReused).toBe(false);
  markForDeletion(store, (artifacts) => artifacts.filter(({ id }) => id === third.outputs["data_view"]?.id));
  expect(await provide()).toMatchObject({ isReused: false });
});

test("a sweep keeps the view and the records of bound examples until the examples are marked for deletion", async () => {
  const raw = protoExamples();
  const { outputs } = await run(dataViewProvider, {
    parameters: { createDecoderFunc: "createDecoder", moduleFile: decoderModule },
  });
  const view = outputs["data_view"] as Artifact;
  const bound = await run(dataViewBinder, { inputs: { input_examples: [raw], data_view: [view] } });
  const boundId = bound.outputs["output_examples"]?.id ?? 0;
  const mark = (...ids: readonly number[]): unknown =>
    markForDeletion(store, (artifacts) => artifacts.filter(({ id }) => ids.includes(id)));
  const files = localFiles(root);
  mark(raw.id, view.id);
  const { decisions } = await sweep(store, { files, isDryRun: true });
  expect(decisions.map(({ uri, action, reason, blockingIds }) => [uri, action, reason, blockingIds])).toEqual(
    [
      [raw.uri, "keep", "REFERENCED", [boundId]],
      [view.uri, "keep", "REFERENCED", [boundId]],
    ],
  );
  expect(decisions[1]?.explanation).toBe(
    `${view.uri} stays, because an artifact refers to it: Examples ${boundId} (LIVE).`,
  );
  expect((await sweep(store, { files })).deletedIds).toEqual([]);
  mark(boundId);
  expect((await sweep(store, { files })).deletedIds.toSorted((a, b) => a - b)).toEqual([
    raw.id,
    view.id,
    boundId,
  ]);
  expect(existsSync(raw.uri) || existsSync(view.uri)).toBe(false);
  expect(existsSync(path.join(root, ".tfxio-trash"))).toBe(false);
  await expect(
    run(dataViewBinder, { inputs: { input_examples: [raw], data_view: [view] } }),
  ).rejects.toMatchObject({
    reason: "not-live",
  });
});

test("with keepNewest, markForDeletion spares the newest artifacts and one that a running execution uses", async () => {
  const ids = [1, 2, 3, 4].map(
    (span) => publishExamples(store, { uri: path.join(root, `span-${span}`), splitNames: [], span }).id,
  );
  const results: (readonly number[])[] = [];
  const consumer: Component = {
    type: "Consumer",
    inputs: { examples: { type: "Examples" } },
    outputs: {},
    run: () => {
      const policy = keepNewest({ type: "Examples", count: 2 });
      // A dry run returns the ids that the next call marks. If the dry run marked them, that call would return none.
      results.push(markForDeletion(store, policy, { isDryRun: true }), markForDeletion(store, policy));
      return {};
    },
  };
  await run(consumer, { inputs: { examples: store.artifacts.byId([ids[0] as number]) } });
  expect(results).toEqual([[ids[1]], [ids[1]]]);
});

test("runComponent rejects inputs that do not match the component, and marks an aborted execution as CANCELED", async () => {
  const raw = protoExamples();
  await expect(run(dataViewBinder, { inputs: { input_examples: [raw] } })).rejects.toMatchObject({
    reason: "channel",
  });
  await expect(run(dataViewBinder, { inputs: { other: [raw] } })).rejects.toMatchObject({
    reason: "channel",
    message: expect.stringContaining('inputs must not have the channel "other", which'),
  });
  await expect(run(dataViewBinder, { node: ".." })).rejects.toMatchObject({ argument: "node" });
  await expect(run({ ...dataViewBinder, type: "a/b" }, {})).rejects.toThrow(
    'node must be a non-empty name without slashes, other than "." and "..", found the default "a/b", which is the type of',
  );
  for (const name of ["a/b", ""]) {
    await expect(run({ ...dataViewBinder, outputs: { [name]: { name: "A" } } }, {})).rejects.toMatchObject({
      argument: "component",
      message: expect.stringContaining(
        `component must give each output a non-empty name without slashes, other than "." and "..", found "${name}".`,
      ),
    });
  }
  const controller = new AbortController();
  const stopped: Component = {
    type: "Stopped",
    inputs: {},
    outputs: { model: { name: "Model" } },
    run: ({ signal }) => {
      controller.abort(new RangeError("enough"));
      signal?.throwIfAborted();
      return {};
    },
  };
  await expect(run(stopped, { signal: controller.signal })).rejects.toThrow("enough");
  expect(store.executions.list()).toMatchObject([{ lastKnownState: "CANCELED" }]);
  const forgetful: Component = { ...stopped, type: "Forgetful", run: () => ({}) };
  await expect(run(forgetful)).rejects.toMatchObject({ cause: failing("invalid-argument", "channel") });
});

const modelMaker: Component = {
  type: "ModelMaker",
  inputs: {},
  outputs: { model: { name: "Model" } },
  run: () => ({}),
};

test("runComponent removes the unused folder of an output whose URI lies elsewhere, and publishes the output", async () => {
  const uri = path.join(root, "elsewhere");
  let prepared = "";
  const { outputs } = await run({
    ...modelMaker,
    run: ({ outputs: pending }) => {
      prepared = pending["model"]!.uri;
      expect(existsSync(prepared)).toBe(true);
      return { model: { uri } };
    },
  });
  expect(existsSync(prepared)).toBe(false);
  expect(outputs["model"]).toMatchObject({ uri, state: "LIVE" });
});

test("runComponent leaves an execution and its output unchanged if the execution is ended while the component runs", async () => {
  const ended: Component = {
    ...modelMaker,
    run: () => {
      const [execution] = store.executions.list();
      const [artifact] = store.artifacts.list();
      store.executions.put([{ ...execution!, lastKnownState: "COMPLETE" }]);
      store.artifacts.put([{ ...artifact!, state: "LIVE" }]);
      return { model: {} };
    },
  };
  await expect(run(ended)).rejects.toMatchObject({ cause: failing("io-failed", "entity-changed") });
  expect(store.executions.list()).toMatchObject([{ lastKnownState: "COMPLETE" }]);
  expect(store.artifacts.list()).toMatchObject([{ state: "LIVE" }]);
});

test("keepLargestGroups keeps artifacts without the grouping property, even if Object.prototype has a member of that name", () => {
  const ids = [1, 2].map(
    (span) => publishExamples(store, { uri: path.join(root, `span-${span}`), splitNames: [], span }).id,
  );
  const marked = (property: string): readonly number[] =>
    markForDeletion(store, keepLargestGroups({ type: "Examples", property, count: 1 }));
  expect(marked("constructor")).toEqual([]);
  expect(marked("span")).toEqual([ids[0]]);
});
