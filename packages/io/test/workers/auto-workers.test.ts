import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { blobSource, type ByteSource, bytesSource } from "@tfxio/wire";
import { openTfxio, type RecordBatchesOptions, type Tfxio } from "../../src/index.js";
import { type AutoWorkersInput, autoWorkers } from "../../src/workers/auto-workers.js";
import { collect, idsOf, range, SCHEMA, threeFiles } from "../fixtures.js";
import { describeBuilt, importToy, type ToyOptions } from "../worker-formats/index.js";

const MiB = 2 ** 20;

describe('the number of workers that the value "auto" chooses', () => {
  const input: AutoWorkersInput = {
    cores: 4,
    isGzip: false,
    byteLengths: [400 * MiB, 400 * MiB, 400 * MiB],
    numSplits: 3,
    readerNumThreads: undefined,
    sloppyOrdering: false,
  };
  const sloppy = { sloppyOrdering: true };
  const manyFiles = { byteLengths: Array.from({ length: 100 }, () => 6 * MiB), numSplits: 100 };

  test.each<readonly [expected: number, of: string, Partial<AutoWorkersInput>]>([
    [1, "large files", {}],
    [1, "large gzip files", { isGzip: true }],
    [2, "two readers", { readerNumThreads: 2 }],
    [3, "more readers than files", { readerNumThreads: 16, cores: 16 }],
    [3, "three files in sloppy order", { ...sloppy, cores: 16 }],
    [2, "two readers in sloppy order", { ...sloppy, readerNumThreads: 2 }],
    [1, "one file in sloppy order", { ...sloppy, byteLengths: [600 * MiB], numSplits: 1 }],
    [0, "one core", { cores: 1 }],
    [0, "one core and gzip files", { cores: 1, isGzip: true }],
    [0, "one core in sloppy order", { ...sloppy, cores: 1 }],
    [1, "two cores in sloppy order", { ...sloppy, cores: 2 }],
    [1, "two cores and gzip files in sloppy order", { ...sloppy, cores: 2, isGzip: true }],
    [3, "four cores and many files in sloppy order", { ...sloppy, ...manyFiles }],
    [2, "four cores and many gzip files in sloppy order", { ...sloppy, ...manyFiles, isGzip: true }],
    [
      2,
      "five cores and many gzip files in sloppy order",
      { ...sloppy, ...manyFiles, isGzip: true, cores: 5 },
    ],
    [8, "64 cores and many files in sloppy order", { ...sloppy, ...manyFiles, cores: 64 }],
    [8, "64 cores, 20 readers and many files", { ...manyFiles, readerNumThreads: 20, cores: 64 }],
    [
      0,
      "two readers and files of less than 512 MiB in all",
      { byteLengths: [256 * MiB, 256 * MiB - 1], numSplits: 2, readerNumThreads: 2 },
    ],
    [1, "files of 512 MiB in all", { byteLengths: [256 * MiB, 256 * MiB], numSplits: 2 }],
    [1, "a file of unknown size", { byteLengths: [10, undefined], numSplits: 2 }],
    [0, "no files", { byteLengths: [], numSplits: 0, ...sloppy }],
    [0, "large files without splits", { numSplits: 0 }],
  ])("is %i for %s", (expected, _, change) => {
    expect(autoWorkers({ ...input, ...change })).toBe(expected);
  });
});

/** Returns the source with an unknown size, which counts as large. */
const ofUnknownSize = (source: ByteSource): ByteSource => ({ ...source, byteLength: undefined });

async function openToy(options: Partial<ToyOptions> = {}, resize = ofUnknownSize): Promise<Tfxio> {
  const sources = range(0, 3).map((i) => resize(blobSource(new Blob([Uint8Array.of(i)]), `toy:${i}`)));
  return openTfxio(sources, { format: await importToy(), formatOptions: { ...options } });
}

/** Returns the ids of the threads that created the batches of a pass. */
async function threadsOf(tfxio: Tfxio, options?: RecordBatchesOptions): Promise<number[]> {
  const batches = await collect(tfxio.recordBatches(options));
  return [...new Set(batches.map((batch) => Number(batch.getChild("thread")?.get(0))))];
}

/** On a single core, "auto" uses no threads. */
const hasCores = availableParallelism() > 1;

describeBuilt('a read whose workers option is "auto" or unset', () => {
  const open = (): Promise<Tfxio> =>
    openTfxio(
      threeFiles().map((file, i) => ofUnknownSize(blobSource(new Blob([file]), `examples:${i}`))),
      { schema: SCHEMA },
    );
  const ids = async (tfxio: Tfxio, options: RecordBatchesOptions): Promise<number[][]> =>
    (await collect(tfxio.recordBatches(options))).map(idsOf);

  test.each<RecordBatchesOptions>([
    {},
    { readerNumThreads: 2 },
    { readerNumThreads: 3, batchSize: 4, numEpochs: 2 },
    { shuffle: true, shuffleSeed: 5, shuffleBufferSize: 7 },
    { shuffle: true, shuffleSeed: 5, readerNumThreads: 2 },
  ])("yields rows with the options %j in the same order as on the calling thread", async (options) => {
    const tfxio = await open();
    const expected = await ids(tfxio, { ...options, workers: 0 });
    expect(await ids(tfxio, { ...options, workers: "auto" })).toEqual(expected);
    expect(await ids(tfxio, options)).toEqual(expected);
  });

  test("yields all rows if the order does not matter", async () => {
    const rows = (await ids(await open(), { workers: "auto", sloppyOrdering: true })).flat();
    expect(rows.sort((a, b) => a - b)).toEqual(range(0, 30));
  });

  test("uses one worker thread by default if there is more than one core", async () => {
    const [thread, ...others] = await threadsOf(await openToy());
    expect([thread !== 0, others]).toEqual([hasCores, []]);
  });

  test("stays on the calling thread for small inputs, and by default for leased batches of any size", async () => {
    expect(await threadsOf(await openToy({}, (source) => source))).toEqual([0]);
    const leased: unknown[] = [];
    for await (const { batch } of (await openToy({ batches: 1 })).leasedBatches())
      leased.push(batch.getChild("thread")?.get(0));
    expect(leased).toEqual([0, 0, 0]);
  });

  test("stays on the calling thread for bytes in memory, although a worker thread could read them", async () => {
    const sources = [
      ofUnknownSize(blobSource(new Blob([Uint8Array.of(0)]), "toy:0")),
      ofUnknownSize(bytesSource(Uint8Array.of(1), "toy:1")),
    ];
    const tfxio = await openTfxio(sources, { format: await importToy() });
    expect(await threadsOf(tfxio, { workers: "auto", sloppyOrdering: true })).toEqual([0]);
    expect(await threadsOf(tfxio, { workers: 1 })).not.toContain(0);
  });

  test("stays on the calling thread if a worker cannot import the module of the format", async () => {
    const format = { ...(await importToy()), module: "data:text/javascript,throw new Error('not here')" };
    const source = ofUnknownSize(blobSource(new Blob([Uint8Array.of(1)]), "toy:0"));
    const tfxio = await openTfxio(source, { format });
    expect(await threadsOf(tfxio)).toEqual([0]);
    await expect(threadsOf(tfxio, { workers: 1 })).rejects.toMatchObject({ reason: "worker-format" });
  });

  test("reports a read error, and does not repeat the read", async () => {
    const produced = new SharedArrayBuffer(4);
    const tfxio = await openToy({ batches: 1, ending: "type-error", produced });
    await expect(threadsOf(tfxio)).rejects.toMatchObject({ name: "TypeError", message: "a plain one" });
    expect(Atomics.load(new Int32Array(produced), 0)).toBe(1);
  });

  test("rejects if it is aborted, or its TFXIO is closed, while a worker thread is starting", async () => {
    // This read does not end by itself.
    const tfxio = await openToy({ batches: 1, ending: "stall" });
    const controller = new AbortController();
    const aborted = threadsOf(tfxio, { signal: controller.signal });
    setTimeout(() => controller.abort("enough"), 1);
    await expect(aborted).rejects.toBe("enough");
    const closed = threadsOf(tfxio);
    setTimeout(() => void tfxio.close(), 1);
    await expect(closed).rejects.toMatchObject({ reason: "reader-closed" });
  });
});

describeBuilt("a runtime that cannot start threads", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "tfxio-no-threads-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const io = path.join(import.meta.dirname, "../..");

  /** Runs a program with a copy of the built package that lacks the worker's script. Returns its exit status and output. */
  function runWithoutScript(reading: string): unknown {
    cpSync(path.join(io, "dist"), path.join(folder, "dist"), { recursive: true });
    cpSync(path.join(io, "package.json"), path.join(folder, "package.json"));
    symlinkSync(path.join(io, "node_modules"), path.join(folder, "node_modules"));
    rmSync(path.join(folder, "dist/node/serve-node.js"));
    for (const [index, file] of threeFiles().entries())
      writeFileSync(path.join(folder, `${index}.tfrecord`), file);
    const program = `
      import { openSources } from "@tfxio/wire";
      import { openTfxio } from "./dist/node/index.js";
      const sources = (await openSources("*.tfrecord")).map((source) => ({ ...source, byteLength: undefined,
        slice: (...args) => source.slice(...args), stream: (options) => source.stream(options) }));
      const tfxio = await openTfxio(sources, { inferSchema: "first" });
      const count = async (options) => {
        let n = 0;
        for await (const batch of tfxio.recordBatches(options)) n += batch.numRows;
        return n;
      };
      console.log(JSON.stringify(await Promise.all([${reading}])));`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: folder,
      encoding: "utf8",
      timeout: 50_000,
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    return { status, stdout, stderr };
  }

  test("reads on the calling thread if the workers option is not set, and rejects a read with 1 worker", () => {
    const failing = "count({ workers: 1 }).catch((error) => error.reason)";
    const sloppy = "count({ sloppyOrdering: true })";
    expect(runWithoutScript(`count(), count({ readerNumThreads: 2 }), ${sloppy}, ${failing}`)).toEqual({
      status: 0,
      stdout: '[30,30,30,"worker-failed"]\n',
      stderr: "",
    });
  });
});
