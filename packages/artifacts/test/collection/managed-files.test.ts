import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { type ByteStore, memoryTarget, bytesSource } from "@tfxio/wire";
import { localFiles, type ManagedFiles, storedFiles } from "../../src/collection/managed-files.js";
import { sweep } from "../../src/collection/sweep.js";
import type { MetadataStore } from "../../src/store/metadata-store.js";
import { publishExamples } from "../../src/examples/publish-examples.js";
import { startExecution } from "../../src/runner/start-execution.js";
import { openMetadataStore } from "../../src/store/open-store.js";
import { foldersOf, normalizeUri } from "../../src/uris.js";
import { temporaryFolder, temporaryStore } from "../temporary-store.js";

test("normalizeUri maps different spellings of a path to one URI, and foldersOf lists the parent folders", () => {
  const places = ["/e//1/", "/e/1", "file:///e/1", "/e/./1", "/e/2/../1", "file:///e//1/"];
  expect(new Set(places.map(normalizeUri))).toEqual(new Set(["/e/1"]));
  expect(normalizeUri("gs://b//e/1/")).toBe("gs://b/e/1");
  expect(normalizeUri("gs://b/e/../1")).toBe("gs://b/e/../1");
  expect(normalizeUri("/")).toBe("/");
  expect(foldersOf("/a/b/c")).toEqual(["/a/b", "/a", "/"]);
  expect(foldersOf("gs://b/e/1")).toEqual(["gs://b/e", "gs://b"]);
});

test("a sweep deletes nothing outside the root, even if stored URIs lead there; the root cannot be '/' or a relative path", async () => {
  const base = temporaryFolder();
  const root = path.join(base, "root");
  mkdirSync(path.join(root, "inside"), { recursive: true });
  mkdirSync(path.join(base, "secret", "deep"), { recursive: true });
  writeFileSync(path.join(base, "secret", "deep", "file"), "kept");
  symlinkSync(path.join(base, "secret"), path.join(root, "link"));
  const store = await temporaryStore();
  store.types.put("artifact", { name: "Examples" });
  const uris = [
    path.join(base, "secret"),
    `${root}/../secret`,
    `file://${root}/../secret`,
    root,
    `${root}/`,
    base,
    "/",
    "secret",
    "../secret",
    `${root}2`,
    `${root}/.tfxio-trash`,
  ];
  store.artifacts.put(uris.map((uri) => ({ type: "Examples", uri, state: "MARKED_FOR_DELETION" })));
  const files = localFiles(root);
  const { decisions, deletedIds } = await sweep(store, { files });
  expect(deletedIds).toEqual([]);
  expect(new Set(decisions.map(({ reason }) => reason))).toEqual(new Set(["OUTSIDE_ROOT"]));
  store.artifacts.put([{ type: "Examples", uri: `${root}/link/deep`, state: "MARKED_FOR_DELETION" }]);
  await expect(sweep(store, { files })).rejects.toMatchObject({ code: "io-failed", reason: "outside-root" });
  expect(readFileSync(path.join(base, "secret", "deep", "file"), "utf8")).toBe("kept");
  // The link itself is inside the root, so it is deleted. Its target stays.
  store.artifacts.put([{ type: "Examples", uri: `${root}/link`, state: "MARKED_FOR_DELETION" }]);
  files.detach?.(`${root}/link`);
  await files.purge?.();
  expect(existsSync(path.join(root, "link"))).toBe(false);
  expect(existsSync(path.join(base, "secret", "deep", "file"))).toBe(true);
  for (const bad of ["relative", "/", "gs://bucket"])
    expect(() => localFiles(bad)).toThrow("must be an absolute path");
});

test("a sweep keeps bytes that a live artifact refers to through a link inside the root", async () => {
  const root = temporaryFolder();
  mkdirSync(path.join(root, "data", "run"), { recursive: true });
  writeFileSync(path.join(root, "data", "run", "file"), "kept");
  symlinkSync(path.join(root, "data"), path.join(root, "latest"));
  const { store, id } = await storeWith(path.join(root, "latest", "run"));
  const [live = 0] = store.artifacts.put([
    { type: "Examples", uri: path.join(root, "data", "run"), state: "LIVE" },
  ]);
  const files = localFiles(root);
  const { decisions, deletedIds } = await sweep(store, { files });
  expect(decisions).toMatchObject([{ action: "keep", reason: "REFERENCED", blockingIds: [live] }]);
  expect(deletedIds).toEqual([]);
  // Make the first artifact live and the second one abandoned, then add an artifact at the parent folder.
  store.artifacts.put([
    { ...store.artifacts.byId([id])[0], state: "LIVE" },
    { ...store.artifacts.byId([live])[0], state: "ABANDONED" },
  ]);
  expect((await sweep(store, { files })).decisions).toMatchObject([{ action: "keep", blockingIds: [id] }]);
  const [around = 0] = store.artifacts.put([
    { type: "Examples", uri: path.join(root, "data"), state: "ABANDONED" },
  ]);
  expect((await sweep(store, { files })).decisions).toMatchObject([
    { action: "keep", reason: "REFERENCED" },
    { action: "keep", reason: "CONTAINS_LIVE", ownerIds: [around] },
  ]);
  expect(readFileSync(path.join(root, "data", "run", "file"), "utf8")).toBe("kept");
  store.artifacts.put([{ ...store.artifacts.byId([id])[0], state: "ABANDONED" }]);
  expect((await sweep(store, { files })).deletedIds).toEqual([id, live, around]);
  expect(existsSync(path.join(root, "data"))).toBe(false);
});

test("publishExamples rejects a link to bytes that a sweep has begun to delete", async () => {
  const root = temporaryFolder();
  mkdirSync(path.join(root, "data"));
  symlinkSync(path.join(root, "data"), path.join(root, "latest"));
  const { store, id } = await storeWith(path.join(root, "data"));
  const customProperties = { gc_phase: "deleting", gc_owner: "one", gc_time: BigInt(Date.now()) };
  store.artifacts.put([{ ...store.artifacts.byId([id])[0], customProperties }]);
  expect(() => publishExamples(store, { uri: path.join(root, "latest"), splitNames: [] })).toThrow(
    expect.objectContaining({ reason: "being-deleted" }),
  );
});

test("a dry run of a sweep works with a store that is open for reading only", async () => {
  const root = temporaryFolder();
  const { store } = await storeWith(path.join(root, "a"));
  const reader = await openMetadataStore(store.path, { access: "read" });
  const { decisions } = await sweep(reader, { files: localFiles(root), isDryRun: true });
  expect(decisions).toMatchObject([{ action: "delete" }]);
  reader.close();
});

test("a sweep marks an artifact as deleted even if its bytes are already gone", async () => {
  const root = temporaryFolder();
  const { store, id } = await storeWith(path.join(root, "not", "there"));
  expect((await sweep(store, { files: localFiles(root) })).deletedIds).toEqual([id]);
  expect(store.artifacts.byId([id])).toMatchObject([{ state: "DELETED", customProperties: {} }]);
});

test("a sweep keeps an artifact that a different sweep has claimed, until the lease of the claim expires", async () => {
  const root = temporaryFolder();
  const { store, id } = await storeWith(path.join(root, "a"));
  const [artifact] = store.artifacts.byId([id]);
  const timeMs = BigInt(Date.now() - 60_000);
  store.artifacts.put([
    { ...artifact, customProperties: { gc_phase: "deleting", gc_owner: "another", gc_time: timeMs } },
  ]);
  const files = localFiles(root);
  const { decisions } = await sweep(store, { files });
  expect(decisions).toMatchObject([{ action: "keep", reason: "BEING_DELETED" }]);
  expect((await sweep(store, { files, leaseMs: 30_000 })).deletedIds).toEqual([id]);
});

test("a sweep renews its claim before it removes a URI, even if the lease expired while it removed another URI", async () => {
  const { store } = await storeWith("mem://b/slow");
  const [last = 0] = store.artifacts.put([
    { type: "Examples", uri: "mem://b/last", state: "MARKED_FOR_DELETION" },
  ]);
  const other = await openMetadataStore(store.path);
  const leaseMs = 1000;
  let found: unknown;
  const files: ManagedFiles = {
    isManaged: () => true,
    remove: async (uri) => {
      if (uri === "mem://b/slow") await new Promise((resolve) => setTimeout(resolve, leaseMs + 50));
      else found = (await sweep(other, { files, leaseMs })).decisions;
    },
  };
  expect((await sweep(store, { files, leaseMs })).deletedIds).toEqual([1, last]);
  expect(found).toMatchObject([{ uri: "mem://b/last", action: "keep", reason: "BEING_DELETED" }]);
  other.close();
});

test("two simultaneous sweeps together delete each artifact exactly once", async () => {
  const root = temporaryFolder();
  const { store } = await storeWith(path.join(root, "a0"));
  const names = Array.from({ length: 20 }, (_, index) => path.join(root, `a${index + 1}`));
  for (const name of names) mkdirSync(name);
  const ids = store.artifacts.put(
    names.map((uri) => ({ type: "Examples", uri, state: "ABANDONED" as const })),
  );
  const other = await openMetadataStore(store.path);
  const files = localFiles(root);
  const reports = await Promise.all([sweep(store, { files }), sweep(other, { files })]);
  other.close();
  const deleted = reports.flatMap(({ deletedIds }) => deletedIds).toSorted((a, b) => a - b);
  expect(deleted).toEqual([1, ...ids]);
  expect(names.filter((name) => existsSync(name))).toEqual([]);
});

test("publishExamples and startExecution reject bytes that a sweep has begun to delete", async () => {
  const { store, id } = await storeWith("/root/run");
  store.types.put("execution", { name: "Trainer" });
  const [artifact] = store.artifacts.byId([id]);
  const customProperties = { gc_phase: "deleting", gc_owner: "one", gc_time: BigInt(Date.now()) };
  store.artifacts.put([{ ...artifact, customProperties }]);
  for (const uri of ["/root/run", "/root//run/part/", "/root"]) {
    const [live = 0] = store.artifacts.put([{ type: "Examples", uri, state: "LIVE" }]);
    expect(() =>
      startExecution(store, { execution: { type: "Trainer" }, inputs: { examples: [live] } }),
    ).toThrow(expect.objectContaining({ code: "io-failed", reason: "being-deleted" }));
    expect(() => publishExamples(store, { uri, splitNames: [] })).toThrow(
      expect.objectContaining({ reason: "being-deleted" }),
    );
  }
  expect(store.executions.list()).toEqual([]);
});

test("a sweep keeps a running execution's inputs until ignoreExecutionsAfterMs after the execution's last update", async () => {
  const root = temporaryFolder();
  const { store, id } = await storeWith(path.join(root, "a"));
  store.types.put("execution", { name: "Trainer" });
  store.executions.put([{ type: "Trainer", lastKnownState: "RUNNING" }]);
  store.events.put([{ artifactId: id, executionId: 1, type: "INPUT" }]);
  const files = localFiles(root);
  expect((await sweep(store, { files })).decisions).toMatchObject([{ reason: "LOCKED" }]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await sweep(store, { files, ignoreExecutionsAfterMs: 10 })).deletedIds).toEqual([id]);
});

test("a sweep of an object store deletes only objects below marked URIs; storedFiles rejects a store that has no method `remove`", async () => {
  const objects = new Set(["mem://b/run/a/1", "mem://b/run/a/2/3", "mem://b/run/ab", "mem://b/run/c"]);
  const { store, id } = await storeWith("mem://b/run/a/");
  const memory: ByteStore = {
    schemes: ["mem:"],
    open: async (uri) => bytesSource(new Uint8Array(), uri),
    create: async () => memoryTarget(),
    async *list(pattern) {
      const prefix = pattern.replace(/\*\*$/u, "");
      for (const uri of objects)
        if (uri === pattern || (pattern.endsWith("**") && uri.startsWith(prefix))) yield { uri };
    },
    remove: async (uri) => void objects.delete(uri),
  };
  const files = storedFiles(memory, "mem://b/run");
  expect((await sweep(store, { files })).deletedIds).toEqual([id]);
  expect([...objects]).toEqual(["mem://b/run/ab", "mem://b/run/c"]);
  expect(files.isManaged("mem://b/run/../other")).toBe(false);
  expect(files.isManaged("mem://b/run/*")).toBe(false);
  await expect(files.remove("mem://b/other")).rejects.toMatchObject({ reason: "outside-root" });
  expect(() => storedFiles({ schemes: ["mem:"], open: () => memory.open("") }, "mem://b/run")).toThrow(
    expect.objectContaining({ code: "unsupported", reason: "store-removal" }),
  );
});

async function storeWith(uri: string): Promise<{ readonly store: MetadataStore; readonly id: number }> {
  const store = await temporaryStore();
  store.types.put("artifact", { name: "Examples" });
  const [id = 0] = store.artifacts.put([{ type: "Examples", uri, state: "MARKED_FOR_DELETION" }]);
  return { store, id };
}
