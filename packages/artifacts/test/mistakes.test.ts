import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { openTfxio, standardFormats } from "@tfxio/io";
import type { Component, MetadataStore } from "../src/index.js";
import {
  dataViewBinder,
  dataViewProvider,
  examplesWriter,
  lineageText,
  localFiles,
  markForDeletion,
  openExamples,
  openMetadataStore,
  publishExamples,
  runComponent,
  storedFiles,
  sweep,
} from "../src/index.js";
import { temporaryFolder, temporaryStore } from "./temporary-store.js";

// Hides the type of a value. A call can then pass a value of the wrong type, as in a program without type checking.
const untyped = (value: unknown): never => value as never;
const invalid = expect.objectContaining({ code: "invalid-argument" });

let root: string;
let store: MetadataStore;
beforeEach(async () => {
  root = temporaryFolder();
  store = await temporaryStore();
});

const place = (run = "monday") => ({ pipelineRoot: root, pipeline: "shop", run });

test("openMetadataStore rejects the path of a folder", async () => {
  for (const access of ["read", "write", "create"] as const) {
    await expect(openMetadataStore(root, { access })).rejects.toMatchObject({
      code: "io-failed",
      reason: "store",
      message: expect.stringContaining("is a folder"),
    });
  }
});

test("byId rejects ids that are not integers, instead of finding nothing", () => {
  expect(() => store.artifacts.byId(untyped(["1"]))).toThrow(invalid);
  expect(() => store.executions.byId([1.5])).toThrow(invalid);
});

test("a filter query may have thousands of conditions", () => {
  const { id } = publishExamples(store, { uri: "/a", splitNames: [] });
  const any = Array.from({ length: 5000 }, (_, index) => `id = ${index}`).join(" OR ");
  expect(store.artifacts.list({ filter: any }).map((artifact) => artifact.id)).toEqual([id]);
  const all = Array.from({ length: 5000 }, () => `id = ${id}`).join(" AND ");
  expect(store.artifacts.list({ filter: all })).toHaveLength(1);
});

test("lineageText, runComponent and sweep reject an invalid store, lineage, component or list of artifacts", async () => {
  const lineage = store.lineage({ fromArtifacts: "id = 1" });
  expect(() => lineageText(untyped(lineage), untyped(store))).toThrow(invalid);
  expect(() => lineageText(store, untyped({}))).toThrow(invalid);
  const half = untyped({ type: "Half" });
  for (const [first, second] of [
    [undefined, dataViewProvider],
    [dataViewProvider, store],
    [store, undefined],
    [store, half],
  ]) {
    await expect(runComponent(untyped(first), untyped(second), place())).rejects.toEqual(invalid);
  }
  const examples = publishExamples(store, { uri: "/a", splitNames: [] });
  const inputs = untyped({ input_examples: examples, data_view: examples });
  await expect(runComponent(store, dataViewBinder, { ...place(), inputs })).rejects.toEqual(invalid);
  await expect(sweep(untyped(undefined), { files: localFiles(root) })).rejects.toEqual(invalid);
});

test("storedFiles rejects a store that is not a ByteStore, and a root that is not text", () => {
  const bytes = { schemes: ["mem:"], open: () => {}, list: () => {}, remove: () => {} };
  const stores = [
    undefined,
    null,
    "mem:",
    {},
    { ...bytes, schemes: "mem:" },
    { ...bytes, open: 1 },
    { ...bytes, remove: 1 },
  ];
  for (const wrong of stores) {
    expect(() => storedFiles(untyped(wrong), "mem://b")).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "store" }),
    );
  }
  for (const folder of [undefined, null, 5, ""]) {
    expect(() => storedFiles(untyped(bytes), untyped(folder))).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "root" }),
    );
  }
});

test("markForDeletion rejects policies that do not return artifacts, instead of marking nothing", () => {
  publishExamples(store, { uri: "/a", splitNames: [] });
  expect(() => markForDeletion(store, untyped(undefined))).toThrow(invalid);
  expect(() =>
    markForDeletion(
      store,
      untyped(() => undefined),
    ),
  ).toThrow(invalid);
  expect(() =>
    markForDeletion(
      store,
      untyped(async (all: unknown) => all),
    ),
  ).toThrow(invalid);
  expect(() =>
    markForDeletion(
      store,
      untyped((all: { id: number }[]) => all.map(({ id }) => id)),
    ),
  ).toThrow(invalid);
  expect(store.artifacts.list({ filter: "state = LIVE" })).toHaveLength(1);
});

test("markForDeletion marks an artifact once, even if the policy returns it twice", () => {
  const { id } = publishExamples(store, { uri: "/a", splitNames: [] });
  expect(markForDeletion(store, (artifacts) => [...artifacts, ...artifacts])).toEqual([id]);
});

test("localFiles rejects a root that is missing or is a file, and a sweep fails if the root has disappeared", async () => {
  writeFileSync(path.join(root, "file"), "");
  expect(() => localFiles(path.join(root, "missing"))).toThrow(
    expect.objectContaining({ code: "not-found" }),
  );
  expect(() => localFiles(path.join(root, "file"))).toThrow(expect.objectContaining({ code: "io-failed" }));
  // Here the root disappears after localFiles has checked it, as when a disk is unmounted.
  const disk = path.join(root, "disk");
  mkdirSync(disk);
  const files = localFiles(disk);
  store.types.put("artifact", { name: "Examples" });
  store.artifacts.put([{ type: "Examples", uri: path.join(disk, "a"), state: "ABANDONED" }]);
  rmdirSync(disk);
  await expect(sweep(store, { files })).rejects.toMatchObject({ code: "not-found" });
  expect(store.artifacts.list({ filter: "state = ABANDONED" })).toHaveLength(1);
});

test("dataViewProvider rejects a module file that cannot be read, before an execution is recorded", async () => {
  for (const moduleFile of [path.join(root, "missing.mjs"), root]) {
    const parameters = { moduleFile, createDecoderFunc: "create" };
    await expect(runComponent(store, dataViewProvider, { ...place(), parameters })).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "module",
    });
  }
  expect(store.executions.list()).toEqual([]);
});

test("runComponent rejects a parameter with a reserved name", async () => {
  const component: Component = { type: "Step", inputs: {}, outputs: {}, run: () => ({}) };
  const run = runComponent(store, component, { ...place(), parameters: { cache_key: "mine" } });
  await expect(run).rejects.toEqual(invalid);
});

test("runComponent names the missing output if a component returns nothing", async () => {
  const component: Component = {
    type: "Step",
    inputs: {},
    outputs: { model: { name: "Model" } },
    run: untyped(() => undefined),
  };
  await expect(runComponent(store, component, place())).rejects.toMatchObject({
    code: "user-function",
    cause: {
      code: "invalid-argument",
      message: expect.stringContaining('The function "run" of Step must return the output "model"'),
    },
  });
});

test("without parameters, examplesWriter writes the data anew; with equal parameters, it reuses earlier output", async () => {
  const rows = (text: string) => () =>
    openTfxio(new TextEncoder().encode(text), { format: "jsonl", inferSchema: "full" });
  const written = async (text: string, parameters = {}): Promise<number> => {
    const writer = examplesWriter({ splits: { train: rows(text) } });
    const { outputs } = await runComponent(store, writer, { ...place(), parameters });
    return (await openExamples(Object.values(outputs))).countRows();
  };
  expect(await written('{"a": 1}\n')).toBe(1);
  expect(await written('{"a": 1}\n{"a": 2}\n')).toBe(2);
  expect(await written('{"a": 1}\n', { span: 1n })).toBe(1);
  // Equal parameters count as equal data, so the old output is reused.
  expect(await written('{"a": 1}\n{"a": 2}\n', { span: 1n })).toBe(1);
});

test("the content key of examplesWriter differs for each format, even if the formats are given as objects", () => {
  const splits = { train: () => openTfxio(new Uint8Array(), { format: "jsonl" }) };
  const keys = standardFormats.map((format) =>
    examplesWriter({ splits, write: { format } }).contentKey?.({ span: 1n }, {}),
  );
  expect(keys.every((key) => typeof key === "string")).toBe(true);
  expect(new Set(keys).size).toBe(standardFormats.length);
});

test("publishExamples rejects an unknown option, and the error message names publishExamples", () => {
  const description = untyped({ uri: "/a", splitNames: [], splits: [] });
  expect(() => publishExamples(store, description)).toThrow('publishExamples has no option "splits"');
});

test("examplesWriter rejects splits that are not functions; openExamples rejects read options that it sets itself", async () => {
  expect(() => examplesWriter(untyped({}))).toThrow(invalid);
  expect(() => examplesWriter(untyped({ splits: { train: [{ a: 1 }] } }))).toThrow(invalid);
  const split = () => openTfxio(new Uint8Array(), { format: "jsonl" });
  for (const name of ["a/b", ""]) {
    expect(() => examplesWriter({ splits: { train: split, [name]: split } })).toThrow(
      `splits must have keys that are non-empty names without slashes, found "${name}".`,
    );
  }
  const examples = publishExamples(store, { uri: root, splitNames: ["train"] });
  for (const read of [{ format: "csv" }, { rawRecordColumn: "raw" }]) {
    await expect(openExamples([examples], { read: untyped(read) })).rejects.toEqual(invalid);
  }
});
