import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { openMetadataStore } from "@tfxio/artifacts";

const COUNT = 200;
const command = path.join(import.meta.dirname, "..", "..", "..", "dist", "cli", "main.js");
const folder = mkdtempSync(path.join(tmpdir(), "tfxio-gc-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Runs the built command as a process that receives a real signal.
test("on SIGINT, artifacts gc stops between two URIs and exits with code 130, and a second run deletes the rest", async () => {
  const root = path.join(folder, "root");
  const file = path.join(folder, "store.sqlite");
  const names = Array.from({ length: COUNT }, (_, number) => `data-${number}`);
  for (const name of names) mkdirSync(path.join(root, name), { recursive: true });
  const store = await openMetadataStore(file, { access: "create" });
  store.types.put("artifact", { name: "Data" });
  store.artifacts.put(
    names.map((name) => ({
      type: "Data",
      uri: path.join(root, name),
      state: "MARKED_FOR_DELETION" as const,
    })),
  );
  const foldersLeft = (): string[] => readdirSync(root).filter((name) => name.startsWith("data-"));
  const child = spawn(process.execPath, [command, "artifacts", "gc", file, "--root", root], {
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  while (foldersLeft().length === COUNT && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  const left = foldersLeft();
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(COUNT);
  const marked = store.artifacts.list({ filter: "state = MARKED_FOR_DELETION" });
  expect(marked.map(({ uri }) => path.basename(uri)).toSorted()).toEqual(left.toSorted());
  expect(marked.every(({ customProperties }) => Object.keys(customProperties).length === 0)).toBe(true);
  const again = spawn(process.execPath, [command, "artifacts", "gc", file, "--root", root], {
    stdio: "ignore",
  });
  expect(await once(again, "exit")).toEqual([0, null]);
  expect(readdirSync(root)).toEqual([]);
  expect(store.artifacts.list({ filter: "state != DELETED" })).toEqual([]);
  store.close();
}, 60_000);
