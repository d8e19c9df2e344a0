import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { localFiles, type ManagedFiles, type MetadataStore, sweep } from "../../src/index.js";
import { temporaryFolder, temporaryStore } from "../temporary-store.js";

let root: string;
let store: MetadataStore;

beforeEach(async () => {
  root = path.join(temporaryFolder(), "root");
  mkdirSync(root);
  store = await temporaryStore();
  store.types.put("artifact", { name: "Examples" });
});

/** Stores artifacts at these paths below the root, marked for deletion, and returns their ids. */
function marked(...paths: readonly string[]): readonly number[] {
  return store.artifacts.put(
    paths.map((name) => ({
      type: "Examples",
      uri: `${root}/${name}`,
      state: "MARKED_FOR_DELETION" as const,
    })),
  );
}

function folders(...names: readonly string[]): readonly number[] {
  for (const name of names) mkdirSync(path.join(root, name));
  return marked(...names);
}

/** Returns `localFiles(root)`, changed to abort the signal when `name` is about to be deleted. */
function abortingAt(name: string, controller: AbortController): ManagedFiles {
  const files = localFiles(root);
  return {
    ...files,
    detach: (uri) => {
      if (uri.endsWith(name)) controller.abort(new RangeError("enough"));
      files.detach?.(uri);
    },
  };
}

test("an aborted sweep stops after the current URI, and the next sweep deletes what remains", async () => {
  const ids = folders("a", "b", "c", "d");
  const controller = new AbortController();
  const files = abortingAt("/b", controller);
  await expect(sweep(store, { files, signal: controller.signal })).rejects.toThrow("enough");
  const states = (): unknown[] => store.artifacts.byId(ids).map(({ state }) => state);
  expect(states()).toEqual(["DELETED", "DELETED", "MARKED_FOR_DELETION", "MARKED_FOR_DELETION"]);
  expect(["a", "b", "c", "d"].map((name) => existsSync(path.join(root, name)))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(existsSync(path.join(root, ".tfxio-trash"))).toBe(false);
  expect((await sweep(store, { files: localFiles(root) })).deletedIds).toEqual(ids.slice(2));
  expect(states()).toEqual(Array(4).fill("DELETED"));
});

test("a sweep leaves an artifact unchanged if the sweep is aborted before it begins", async () => {
  const [id = 0] = folders("a");
  const signal = AbortSignal.abort(new RangeError("never"));
  await expect(sweep(store, { files: localFiles(root), signal })).rejects.toThrow("never");
  expect(store.artifacts.byId([id])).toMatchObject([{ state: "MARKED_FOR_DELETION", customProperties: {} }]);
});

test("a sweep does not follow a link out of the root; it deletes other artifacts, and then fails", async () => {
  const outside = path.join(path.dirname(root), "secret");
  mkdirSync(path.join(outside, "deep"), { recursive: true });
  symlinkSync(outside, path.join(root, "link"));
  symlinkSync("loop", path.join(root, "loop"));
  writeFileSync(path.join(root, "file"), "");
  marked("link/deep", "loop/x", "x".repeat(300));
  const ids = [...folders("good"), ...marked("file/below/nothing")];
  await expect(sweep(store, { files: localFiles(root) })).rejects.toMatchObject({ reason: "outside-root" });
  expect(store.artifacts.byId(ids).map(({ state }) => state)).toEqual(["DELETED", "DELETED"]);
  expect(existsSync(path.join(root, "good"))).toBe(false);
  expect(existsSync(path.join(outside, "deep"))).toBe(true);
});
