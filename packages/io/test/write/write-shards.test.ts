import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { parseSchemaText } from "@tfxio/schema";
import {
  openTfxio,
  type ShardsSummary,
  type Tfxio,
  writeShards,
  type WriteShardsOptions,
} from "../../src/index.js";
import { collect, range } from "../fixtures.js";
import { PEOPLE, people, peopleFile } from "../people.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "tfxio-shards-"));
  writeFileSync(at("in-0.tfrecord"), peopleFile(0, 130));
  writeFileSync(at("in-1.tfrecord"), peopleFile(130, 200));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);
const outputs = (): string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith("in-"))
    .sort();
const open = (filter?: string): Promise<Tfxio> =>
  openTfxio(at("in-*.tfrecord"), { schema: PEOPLE, batchBytes: 600, filter });
const rowsOf = async (uris: readonly string[]): Promise<unknown[]> =>
  collect((await openTfxio(uris, { schema: PEOPLE })).rows());
const numbersOf = (uris: readonly string[]): Promise<number[]> =>
  Promise.all(uris.map(async (uri) => (await rowsOf([uri])).length));

/** Repeats runs that are aborted after `numBatches` batches, until one run finishes. */
async function inPieces(
  options: WriteShardsOptions,
  numBatches: number,
): Promise<ShardsSummary & { runs: number }> {
  for (let runs = 1; ; runs++) {
    const abort = new AbortController();
    let numSeen = 0;
    const onProgress = (): void => {
      if (++numSeen === numBatches) abort.abort(new Error("killed"));
    };
    try {
      const summary = await writeShards(await open(), at("out.tfrecord"), {
        ...options,
        signal: abort.signal,
        onProgress,
      });
      return { ...summary, runs };
    } catch (error) {
      expect(String(error)).toBe("Error: killed");
    }
  }
}

describe("writeShards", () => {
  test.each([
    [{ numShards: 3 }, [66, 67, 67]],
    [{ shardRows: 90 }, [90, 90, 20]],
    [{ numShards: 1 }, [200]],
  ] as const)("with %j, keeps the order of rows", async (options, sizes) => {
    const { uris, numRows, numResumed } = await writeShards(await open(), at("out.tfrecord"), options);
    expect(numRows).toBe(200);
    expect(numResumed).toBe(0);
    expect(await numbersOf(uris)).toEqual(sizes);
    expect(await rowsOf(uris)).toEqual(people(0, 200));
    expect(outputs()).toEqual(uris.map((uri) => path.basename(uri)));
  });

  test("starts a new shard after about shardBytes bytes", async () => {
    const { uris, numBytes } = await writeShards(await open(), at("out.tfrecord"), { shardBytes: 3000 });
    expect(uris.length).toBeGreaterThan(2);
    expect(numBytes).toBe(uris.reduce((sum, uri) => sum + readFileSync(uri).length, 0));
    expect(await rowsOf(uris)).toEqual(people(0, 200));
  });

  test("writes the requested number of shards, even if there are fewer rows than shards", async () => {
    const { uris } = await writeShards(await open("id < 2"), at("out.tfrecord"), { numShards: 5 });
    expect((await numbersOf(uris)).toSorted((left, right) => left - right)).toEqual([0, 0, 0, 1, 1]);
    expect(await rowsOf(uris)).toEqual(people(0, 2));
  });

  test.each([
    [{ numShards: 7 }, 5],
    [{ shardRows: 11 }, 3],
    [{ shardBytes: 1500 }, 4],
    [{ shardRows: 1 }, 1],
  ] as const)(
    "with %j, writes exactly the rows of its input, even if every run that reaches batch %d is aborted",
    async (options, numBatches) => {
      const { uris, runs, numResumed, numRows } = await inPieces(options, numBatches);
      expect(runs).toBeGreaterThan(2);
      expect(numResumed).toBeGreaterThan(0);
      expect(numRows).toBe(200);
      expect(await rowsOf(uris)).toEqual(people(0, 200));
      expect(outputs()).toEqual(uris.map((uri) => path.basename(uri)));
      const atOnce = await writeShards(await open(), at("in-once.tfrecord"), options);
      expect(await numbersOf(uris)).toEqual(await numbersOf(atOnce.uris));
    },
  );

  test("makes no shard visible before all shards are written, and does not rewrite finished shards", async () => {
    const abort = new AbortController();
    const writing = writeShards(await open(), at("out.tfrecord"), {
      shardRows: 20,
      signal: abort.signal,
      onProgress: ({ numRows }) => numRows > 70 && abort.abort(),
    });
    await expect(writing).rejects.toMatchObject({ name: "AbortError" });
    const parts = range(0, 3).map((index) => `.out.tfrecord.part-0000${index}`);
    expect(outputs()).toEqual([".out.tfrecord.journal.json", ...parts]);
    // This row survives only if the shard is not written again.
    writeFileSync(at(parts[0] as string), peopleFile(500, 501));
    const { uris, numResumed } = await writeShards(await open(), at("out.tfrecord"), { shardRows: 20 });
    expect(numResumed).toBe(3);
    expect(await rowsOf(uris)).toEqual([...people(500, 501), ...people(20, 200)]);
  });

  test("rejects a different write to the same target, unless the restart option discards the unfinished write", async () => {
    const abort = new AbortController();
    const writing = writeShards(await open(), at("out.tfrecord"), {
      shardRows: 20,
      signal: abort.signal,
      onProgress: ({ numRows }) => numRows > 50 && abort.abort(),
    });
    await expect(writing).rejects.toMatchObject({ name: "AbortError" });
    const other = writeShards(await open("id < 50"), at("out.tfrecord"), { shardRows: 30 });
    await expect(other).rejects.toMatchObject({ code: "invalid-argument", reason: "other-write" });
    const { uris } = await writeShards(await open("id < 50"), at("out.tfrecord"), {
      shardRows: 30,
      restart: true,
    });
    expect(await rowsOf(uris)).toEqual(people(0, 50));
    expect(outputs()).toEqual(uris.map((uri) => path.basename(uri)));
  });

  test("rejects a second run with another schema", async () => {
    const abort = new AbortController();
    const writing = writeShards(await open(), at("out.tfrecord"), {
      shardRows: 20,
      signal: abort.signal,
      onProgress: ({ numRows }) => numRows > 50 && abort.abort(),
    });
    await expect(writing).rejects.toMatchObject({ name: "AbortError" });
    const schema = parseSchemaText(`feature { name: "id" type: INT }`);
    const again = writeShards(await open(), at("out.tfrecord"), { shardRows: 20, schema });
    await expect(again).rejects.toMatchObject({ reason: "other-write" });
  });

  test("rejects a second run if the input has changed", async () => {
    const abort = new AbortController();
    const writing = writeShards(await open(), at("out.tfrecord"), {
      shardRows: 20,
      signal: abort.signal,
      onProgress: ({ numRows }) => numRows > 50 && abort.abort(),
    });
    await expect(writing).rejects.toMatchObject({ name: "AbortError" });
    writeFileSync(at("in-1.tfrecord"), peopleFile(130, 201));
    const again = writeShards(await open(), at("out.tfrecord"), { shardRows: 20 });
    await expect(again).rejects.toMatchObject({ reason: "other-write" });
  });

  test("resumes renaming where a failed run stopped", async () => {
    mkdirSync(at("out.tfrecord-00001-of-00003"));
    const options = { shardRows: 80 };
    await expect(writeShards(await open(), at("out.tfrecord"), options)).rejects.toMatchObject({
      reason: "directory",
    });
    expect(outputs()).toContain("out.tfrecord-00000-of-00003");
    rmdirSync(at("out.tfrecord-00001-of-00003"));
    const { uris, numResumed } = await writeShards(await open(), at("out.tfrecord"), options);
    expect(numResumed).toBe(3);
    expect(await rowsOf(uris)).toEqual(people(0, 200));
    expect(outputs()).toEqual(uris.map((uri) => path.basename(uri)));
  });

  test("rejects invalid options, and data that only this process can read", async () => {
    const rejected = async (options: WriteShardsOptions) =>
      writeShards(await open(), at("out.tfrecord"), options).catch((error: unknown) => error);
    const message = (found: string) =>
      expect.stringContaining(
        `writeShards requires exactly one of the options numShards, shardRows and shardBytes, found ${found}.`,
      );
    expect(await rejected({})).toMatchObject({
      code: "invalid-argument",
      argument: "numShards",
      message: message("none"),
    });
    expect(await rejected({ numShards: 2, shardRows: 3 })).toMatchObject({
      argument: "numShards",
      message: message("numShards, shardRows"),
    });
    expect(await rejected({ numShards: 0 })).toMatchObject({ argument: "numShards" });
    const bytes = await openTfxio(peopleFile(0, 3), { schema: PEOPLE });
    await expect(writeShards(bytes, at("out.tfrecord"), { numShards: 2 })).rejects.toMatchObject({
      code: "unsupported",
      reason: "worker-source",
    });
    expect(outputs()).toEqual([]);
  });
});
