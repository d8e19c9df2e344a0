import { spawn } from "node:child_process";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { libsqlDriver } from "../src/store/drivers/libsql.js";
import type { MetadataStore } from "../src/store/metadata-store.js";
import { openMetadataStore } from "../src/store/open-store.js";
import { temporaryStore } from "./temporary-store.js";

const ROUNDS = 4;

// The writers run the built package, as users' processes do.
test("if four writers are killed, their acknowledged writes survive, and no write is stored in part", async () => {
  const store = await temporaryStore();
  store.types.put("artifact", { name: "Examples" });
  store.types.put("execution", { name: "Trainer" });
  store.types.put("context", { name: "run" });
  store.contexts.put([{ type: "run", name: "storm" }]);
  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const names = await stormOf(store.path, round);
    // Each of the four writers has written.
    expect(new Set(names.map((name) => name.split("-")[0])).size).toBe(4);
    acknowledged.push(...names);
    await expectWhole(store.path);
    const reopened = await openMetadataStore(store.path);
    const stored = new Set(reopened.artifacts.list().map(({ name }) => name));
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
    expectComplete(reopened);
    // The killed writers left no lock.
    expect(reopened.artifacts.put([{ type: "Examples", name: `after-${round}` }])).toHaveLength(1);
    reopened.close();
  }
});

/** Lets four processes write for a while, kills them all, and returns the writes that they acknowledged. */
async function stormOf(file: string, round: number): Promise<string[]> {
  const writers = ["a", "b", "c", "d"].map((letter) => {
    const script = path.join(import.meta.dirname, "crash-writer.mjs");
    const child = spawn(process.execPath, [script, file, `${letter}${round}`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const output = { text: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.text += text));
    const closed = new Promise<void>((resolve) => child.on("close", () => resolve()));
    return { child, output, closed };
  });
  const hasBegun = (): boolean => writers.every(({ output }) => output.text.split("\n").length > 3);
  for (const start = Date.now(); !hasBegun() && Date.now() - start < 20_000; ) await pause(10);
  await pause(20 + 37 * round);
  for (const { child } of writers) child.kill("SIGKILL");
  await Promise.all(writers.map(({ closed }) => closed));
  return writers.flatMap(({ output }) => output.text.split("\n").slice(0, -1));
}

async function expectWhole(file: string): Promise<void> {
  const connection = (await libsqlDriver())?.open(file, "write");
  expect(connection?.all("PRAGMA integrity_check", [])).toMatchObject([{ integrity_check: "ok" }]);
  connection?.close();
}

/** Checks that every stored run is complete. */
function expectComplete(store: MetadataStore): void {
  const artifacts = store.artifacts.list({ filter: "NOT name LIKE 'after-%'" });
  const executions = store.executions.list();
  const ids = artifacts.map(({ id }) => id);
  expect(executions.map(({ name }) => name)).toEqual(artifacts.map(({ name }) => name));
  expect(artifacts.every(({ customProperties: { text }, name }) => text === name)).toBe(true);
  expect(
    store.events.ofArtifacts(ids).map(({ path: [channel], artifactId }) => [channel, artifactId]),
  ).toEqual(ids.map((id) => ["examples", id]));
  expect(store.links.attributionsOf(ids)).toHaveLength(ids.length);
  expect(store.links.associationsOf(executions.map(({ id }) => id))).toHaveLength(ids.length);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
