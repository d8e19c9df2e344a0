import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { type Dataset, type DatasetState, fromItems } from "../../src/index.js";

const root = mkdtempSync(path.join(tmpdir(), "tfxio-cache-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let numFolders = 0;
const newFolder = (): string => path.join(root, String(numFolders++));

/** A dataset that counts how often its elements were created. */
function counted(count: number): { readonly dataset: Dataset<number>; readonly numMade: () => number } {
  let made = 0;
  const dataset = fromItems(Array.from({ length: count }, (_, x) => x)).map((x) => (made++, x));
  return { dataset, numMade: () => made };
}
const range = (count: number): number[] => Array.from({ length: count }, (_, x) => x);

describe("cache in a folder", () => {
  test("stores a complete pass, for later passes and for other datasets with the same operators", async () => {
    const folder = newFolder();
    const first = counted(600);
    const cached = first.dataset.cache(folder);
    expect(existsSync(folder)).toBe(false);
    expect(await cached.toArray()).toEqual(range(600));
    expect(await cached.toArray()).toEqual(range(600));
    expect(first.numMade()).toBe(600);
    const second = counted(600);
    expect(await second.dataset.cache(folder).toArray()).toEqual(range(600));
    expect(second.numMade()).toBe(0);
  });

  test("yields the same elements in the first pass as in later ones", async () => {
    const dataset = fromItems([
      { id: 1n, name: "a" },
      { id: 2n, name: "b" },
    ]).cache(newFolder());
    const [first, second] = [await dataset.toArray(), await dataset.toArray()];
    expect(second).toEqual(first);
    expect(first).toEqual([
      { id: 1n, name: new TextEncoder().encode("a") },
      { id: 2n, name: new TextEncoder().encode("b") },
    ]);
  });

  test("leaves no files if the first pass ends early", async () => {
    const folder = newFolder();
    const { dataset, numMade } = counted(600);
    const cached = dataset.cache(folder);
    for await (const x of cached) if (x === 300) break;
    expect(readdirSync(folder)).toEqual([]);
    expect(await cached.toArray()).toEqual(range(600));
    expect(numMade()).toBeGreaterThan(600);
  });

  test("does not keep a pass in which an element failed, and yields the other elements", async () => {
    const folder = newFolder();
    let isFailing = true;
    const cached = fromItems(range(10))
      .map((x) => {
        if (x === 4 && isFailing) throw new Error("no");
        return x;
      })
      .cache(folder);
    expect(await cached.ignoreErrors().toArray()).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9]);
    expect(readdirSync(folder)).toEqual([]);
    isFailing = false;
    expect(await cached.toArray()).toEqual(range(10));
  });

  test("rejects tensors, and disposes even those that follow a failed element", async () => {
    await tf.setBackend("cpu");
    const before = tf.memory().numTensors;
    const cached = fromItems(range(4))
      .map((x) => {
        if (x === 1) throw new Error("no");
        return tf.scalar(x);
      })
      .cache(newFolder());
    await expect(cached.ignoreErrors().toArray()).rejects.toMatchObject({ reason: "stored-value" });
    expect(tf.memory().numTensors).toBe(before);
  });

  test("lets a second reader read the source while the first one fills the folder", async () => {
    const { dataset } = counted(600);
    const cached = dataset.cache(newFolder());
    const [first, second] = [await cached.iterator(), await cached.iterator()];
    await first.next();
    await second.next();
    expect(await first.toArray()).toEqual(range(600).slice(1));
    expect(await second.toArray()).toEqual(range(600).slice(1));
    expect(cached.cardinality()).toBe(600);
  });

  test("rejects a folder that belongs to a different dataset", async () => {
    const folder = newFolder();
    await fromItems([1, 2]).batch(1).cache(folder).toArray();
    await expect(fromItems([1, 2]).batch(2).cache(folder).toArray()).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "other-plan",
    });
  });

  test("rejects a folder with a damaged manifest", async () => {
    const folder = newFolder();
    await fromItems([1, 2]).cache(folder).toArray();
    writeFileSync(path.join(folder, "manifest.json"), "{}");
    await expect(fromItems([1, 2]).cache(folder).toArray()).rejects.toMatchObject({ reason: "manifest" });
  });

  test("keeps the order of a shuffle, and resumes from any element", async () => {
    const folder = newFolder();
    const build = (): Dataset<number> => fromItems(range(300)).shuffle(300).cache(folder).repeat(3);
    const iterator = await build().iterator();
    const elements: unknown[] = [];
    const states: DatasetState[] = [iterator.state()];
    for (;;) {
      const { value, done } = await iterator.next();
      if (done === true) break;
      elements.push(value);
      states.push(iterator.state());
    }
    expect(elements.slice(300, 600)).toEqual(elements.slice(0, 300));
    for (const at of [1, 299, 300, 450, 899, 900]) {
      const resumed = await build().iterator({ state: states[at] });
      expect(await resumed.toArray()).toEqual(elements.slice(at));
    }
  });
});

test("snapshot keeps datasets with different settings side by side", async () => {
  const folder = newFolder();
  expect(await fromItems([1, 2]).batch(1).snapshot(folder).unbatch().toArray()).toEqual([1, 2]);
  expect(await fromItems([3, 4]).batch(2).snapshot(folder).unbatch().toArray()).toEqual([3, 4]);
  // The operators equal those of the first dataset, so its elements are returned.
  expect(await fromItems([5, 6]).batch(1).snapshot(folder).unbatch().toArray()).toEqual([1, 2]);
  expect(readdirSync(folder)).toHaveLength(2);
});
