import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ByteStore } from "@tfxio/wire";
import { describeRead, openRead, openTfxio, type ReadDescription, writeTfxio } from "../src/index.js";
import { collect } from "./fixtures.js";
import { PEOPLE, people, peopleFile } from "./people.js";
import { describeBuilt } from "./worker-formats/index.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-stores-"));
let mem: ByteStore;
let ownStore: (objects: Map<string, Uint8Array>, scheme?: string) => ByteStore;
beforeAll(async () => {
  const module = (await import(new URL("./worker-formats/memory-store.mjs", import.meta.url).href)) as {
    createStore: (config: { folder: string }) => ByteStore;
    ownStore: typeof ownStore;
  };
  mem = module.createStore({ folder });
  ownStore = module.ownStore;
  for (const index of [0, 1, 2])
    writeFileSync(path.join(folder, `${index}.tfrecord`), peopleFile(30 * index, 30 * index + 30));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (input: string, stores: readonly ByteStore[] = [mem]): ReturnType<typeof openTfxio> =>
  openTfxio(input, { schema: PEOPLE, stores });

describe("a store passed as an option", () => {
  test("is read by URI and by glob, in the order of object names", async () => {
    expect(await collect((await open("mem://1.tfrecord")).rows())).toEqual(people(30, 60));
    expect(await collect((await open("mem://*.tfrecord")).rows())).toEqual(people(0, 90));
    await expect(open("mem://none.tfrecord")).rejects.toMatchObject({ code: "not-found" });
    await expect(open("mem://none*.tfrecord")).rejects.toMatchObject({
      code: "not-found",
      reason: "no-match",
    });
    await expect(openTfxio("mem://1.tfrecord")).rejects.toMatchObject({
      code: "unsupported",
      reason: "url-scheme",
    });
  });

  test("is written to through its create method", async () => {
    const objects = new Map<string, Uint8Array>();
    const store = ownStore(objects);
    const source = await open("mem://*.tfrecord");
    const one = await writeTfxio(source, "own://all.tfrecord", { stores: [store] });
    expect(one).toMatchObject({ uris: ["own://all.tfrecord"], numRows: 90 });
    expect(await collect((await open("own://all.tfrecord", [store])).rows())).toEqual(people(0, 90));
    const sharded = await writeTfxio(source, "own://part.tfrecord.gz", { stores: [store], numShards: 2 });
    expect(sharded.uris).toEqual([
      "own://part.tfrecord-00000-of-00002.gz",
      "own://part.tfrecord-00001-of-00002.gz",
    ]);
    const rows = await collect((await open("own://part.*.gz", [store])).rows());
    expect(rows).toHaveLength(90);
    expect(objects.get("own://part.tfrecord-00000-of-00002.gz")?.slice(0, 2)).toEqual(
      Uint8Array.of(0x1f, 0x8b),
    );
    const bySize = await writeTfxio(
      await openTfxio("mem://*.tfrecord", { schema: PEOPLE, stores: [mem], batchBytes: 500 }),
      "own://size.tfrecord",
      {
        stores: [store],
        shardBytes: 3000,
      },
    );
    expect(bySize.uris.length).toBeGreaterThan(1);
    expect(bySize.uris.every((uri) => objects.has(uri))).toBe(true);
    expect([...objects.keys()].filter((uri) => uri.includes("-of-00000"))).toEqual([]);
  });

  test("is rejected if it is malformed, shares its scheme with another store, or is written to but lacks create", async () => {
    const source = await open("mem://0.tfrecord");
    await expect(writeTfxio(source, "mem://copy.tfrecord", { stores: [mem] })).rejects.toMatchObject({
      code: "unsupported",
      reason: "read-only-store",
    });
    const duplicate = { code: "invalid-argument", reason: "duplicate-scheme" };
    await expect(open("mem://0.tfrecord", [mem, mem])).rejects.toMatchObject(duplicate);
    await expect(writeTfxio(source, "mem://a.tfrecord", { stores: [mem, mem] })).rejects.toMatchObject(
      duplicate,
    );
    await expect(open("mem://0.tfrecord", [{} as ByteStore])).rejects.toMatchObject({ reason: "store-type" });
    await expect(openTfxio(peopleFile(0, 1), { stores: mem as never })).rejects.toMatchObject({
      reason: "store-type",
    });
  });

  test("is read on the calling thread and cannot be described if it has no module", async () => {
    const store = ownStore(new Map([["own://a.tfrecord", peopleFile(0, 10)]]));
    const tfxio = await open("own://a.tfrecord", [store]);
    await expect(collect(tfxio.rows({ workers: 1 }))).rejects.toMatchObject({
      code: "unsupported",
      reason: "worker-source",
    });
    expect(await collect(tfxio.rows({ workers: "auto" }))).toEqual(people(0, 10));
    expect(() => describeRead(tfxio)).toThrow(
      expect.objectContaining({ code: "unsupported", reason: "worker-source" }),
    );
  });
});

describeBuilt("a store with a module", () => {
  test("is created again in worker threads", async () => {
    const tfxio = await openTfxio("mem://*.tfrecord", { schema: PEOPLE, stores: [mem], filter: "id > 20" });
    const reading = { workers: 2, readerNumThreads: 2 };
    expect(await collect(tfxio.rows(reading))).toEqual(
      await collect(tfxio.rows({ readerNumThreads: 2, workers: 0 })),
    );
  });

  test("is part of a description, so that openRead does not need the store", async () => {
    const tfxio = await open("mem://*.tfrecord");
    const description = JSON.parse(JSON.stringify(describeRead(tfxio))) as ReadDescription;
    expect(description.stores).toHaveLength(1);
    expect(await collect((await openRead(description)).rows())).toEqual(people(0, 90));
  });

  test("is replaced if openRead is passed another store with the same scheme", async () => {
    const description = describeRead(await open("mem://*.tfrecord"));
    const objects = new Map(
      [0, 1, 2].map((index) => [`mem://${index}.tfrecord`, peopleFile(10 * index, 10 * index + 10)]),
    );
    const again = await openRead(description, { stores: [ownStore(objects, "mem:")] });
    expect(await collect(again.rows())).toEqual(people(0, 30));
  });

  test("is described once, even if its worker property is a new object at each access", async () => {
    const fresh: ByteStore = {
      ...mem,
      get worker() {
        return { ...mem.worker! };
      },
    };
    const description = describeRead(await open("mem://*.tfrecord", [fresh]));
    expect(description.stores).toHaveLength(1);
  });

  test("is rejected if its module cannot be imported, or exports no store", async () => {
    const description = describeRead(await open("mem://0.tfrecord"));
    for (const module of ["file:///no/such.mjs", new URL("./worker-formats/toy.mjs", import.meta.url).href]) {
      const damaged = { ...description, stores: [{ module, config: {} }] };
      await expect(openRead(damaged)).rejects.toMatchObject({ code: "unsupported", reason: "worker-source" });
    }
  });
});
