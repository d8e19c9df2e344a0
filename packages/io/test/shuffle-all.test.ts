import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { DatasetState } from "@tfxio/dataset";
import type { Format } from "@tfxio/format";
import { arrow } from "@tfxio/formats-arrow";
import { encodeTfRecordIndex, indexTfRecords } from "@tfxio/formats-tfrecord";
import { bytesSource, memoryTarget } from "@tfxio/wire";
import { type TfxioOptions, openTfxio, type Tfxio, writeTfxio } from "../src/index.js";
import { collect, examples, idsOf, range, SCHEMA, tfRecordFile } from "./fixtures.js";

const NUM_ROWS = 300;
/** First row and end row (exclusive) of each of two files, whose lengths differ. */
const bounds = [
  [0, 100],
  [100, NUM_ROWS],
] as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shuffle-all-"));
  for (const [from, to] of bounds) {
    const bytes = tfRecordFile(examples(from, to));
    const path = join(folder, `part-${from}.tfrecord`);
    await writeFile(path, bytes);
    await writeFile(`${path}.index`, encodeTfRecordIndex(await indexTfRecords(bytesSource(bytes))));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes rows `from` to `to` (exclusive) in the format that `name` implies, in batches of 16 rows. */
async function fileOf(from: number, to: number, name: string, formatOptions = {}): Promise<Uint8Array> {
  const tfxio = await openTfxio(tfRecordFile(examples(from, to)), { schema: SCHEMA });
  const target = memoryTarget(name);
  await writeTfxio(tfxio.recordBatches({ batchSize: 16 }), target, { formatOptions });
  await tfxio.close();
  return target.bytes();
}

const filesOf = (name: string, formatOptions = {}): Promise<Uint8Array[]> =>
  Promise.all(bounds.map(([from, to]) => fileOf(from, to, name, formatOptions)));

const openers: Readonly<Record<string, (options?: TfxioOptions) => Promise<Tfxio>>> = {
  "TFRecords with indexes beside them": (options) =>
    openTfxio(join(folder, "*.tfrecord"), {
      schema: SCHEMA,
      formatOptions: { index: "beside" },
      ...options,
    }),
  "TFRecords without indexes": (options) =>
    openTfxio(
      bounds.map(([from, to]) => tfRecordFile(examples(from, to))),
      { schema: SCHEMA, ...options },
    ),
  "Arrow files": async (options) => openTfxio(await filesOf("a.arrow"), { schema: SCHEMA, ...options }),
  "compressed Arrow files": async (options) =>
    openTfxio(await filesOf("a.arrow", { compression: "zstd" }), { schema: SCHEMA, ...options }),
  "Parquet files": async (options) =>
    openTfxio(await filesOf("a.parquet", { rowGroupRows: 16 }), { schema: SCHEMA, ...options }),
};

const idsIn = async (tfxio: Tfxio, options = {}): Promise<number[]> =>
  (await collect(tfxio.recordBatches({ shuffle: "all", ...options }))).flatMap(idsOf);

const rejection = { code: "invalid-argument", reason: "no-random-access", argument: "shuffle" };

describe.each(Object.keys(openers))('shuffle: "all" of %s', (name) => {
  const open = openers[name] as (options?: TfxioOptions) => Promise<Tfxio>;

  test("yields every row once and intact, in a new order for each epoch", async () => {
    const tfxio = await open();
    const plain = new Map<number, unknown>();
    for await (const row of tfxio.rows()) plain.set((row["id"] as number[])[0] as number, row);
    const rows = await collect(tfxio.rows({ shuffle: "all", shuffleSeed: 1, numEpochs: 2 }));
    const ids = rows.map((row) => (row["id"] as number[])[0] as number);
    const [first, second] = [ids.slice(0, NUM_ROWS), ids.slice(NUM_ROWS)];
    for (const epoch of [first, second]) {
      expect(epoch.toSorted((a, b) => a - b)).toEqual(range(0, NUM_ROWS));
      expect(epoch).not.toEqual(range(0, NUM_ROWS));
    }
    expect(second).not.toEqual(first);
    for (const [at, row] of rows.entries()) expect(row).toEqual(plain.get(ids[at] as number));
    await tfxio.close();
  });

  test("yields the same order for every buffer size, and mixes rows far beyond the buffer", async () => {
    const tfxio = await open();
    const whole = await idsIn(tfxio, { shuffleSeed: 1 });
    for (const shuffleBufferSize of [7, 64]) {
      expect(await idsIn(tfxio, { shuffleSeed: 1, shuffleBufferSize })).toEqual(whole);
    }
    // One of the last 30 input rows is among the first 30 output rows. A buffer of 64 rows could not move it there.
    expect(Math.max(...whole.slice(0, 30))).toBeGreaterThanOrEqual(270);
    await tfxio.close();
  });

  test("resumes in the middle of a pass, from a state that passed through JSON", async () => {
    const dataset = async () => (await open()).dataset({ shuffle: "all", shuffleSeed: 5, batchSize: 10 });
    const idsOfBatches = (batches: readonly unknown[]): number[] =>
      batches.flatMap((batch) => [...(batch as { id: { values: BigInt64Array } }).id.values].map(Number));
    const whole = idsOfBatches(await (await dataset()).toArray());
    expect(whole.toSorted((a, b) => a - b)).toEqual(range(0, NUM_ROWS));
    const iterator = await (await dataset()).iterator();
    for (let batch = 0; batch < 13; batch++) await iterator.next();
    const state = JSON.parse(JSON.stringify(iterator.state())) as DatasetState;
    await iterator.close();
    const rest = await (await (await dataset()).iterator({ state })).toArray();
    expect(idsOfBatches(rest)).toEqual(whole.slice(130));
  });

  test("yields only the columns of a projection, with rows in the same order", async () => {
    const tfxio = (await open()).project(["id"]);
    const batches = await collect(tfxio.recordBatches({ shuffle: "all", shuffleSeed: 1 }));
    expect(batches.every(({ schema }) => schema.names.join() === "id")).toBe(true);
    expect(batches.flatMap(idsOf)).toEqual(await idsIn(await open(), { shuffleSeed: 1 }));
  });

  test("rejects a filter and a split, which would leave out rows", async () => {
    const filtered = await open({ filter: "id < 10" });
    expect(() => filtered.dataset({ shuffle: "all" })).toThrow(expect.objectContaining(rejection));
    const { train } = (await open()).split({ validation: 0.1, seed: 1, by: "id" });
    expect(() => train.recordBatches({ shuffle: "all" })[Symbol.asyncIterator]()).toThrow(
      expect.objectContaining(rejection),
    );
  });

  test("ends when the signal aborts, and is rejected after the TFXIO is closed", async () => {
    const tfxio = await open();
    const controller = new AbortController();
    const aborted = collect(tfxio.recordBatches({ shuffle: "all", signal: controller.signal }));
    controller.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    expect(await idsIn(tfxio)).toHaveLength(NUM_ROWS);
    await tfxio.close();
    await expect(idsIn(tfxio)).rejects.toMatchObject({ reason: "reader-closed" });
  });
});

describe('shuffle: "all"', () => {
  test("of TFRecords without indexes gives the dataset a cardinality after the first batch", async () => {
    const dataset = (await (openers["TFRecords without indexes"] as () => Promise<Tfxio>)()).dataset({
      shuffle: "all",
      batchSize: 10,
    });
    expect(dataset.cardinality()).toBe("unknown");
    await (await dataset.iterator()).next();
    expect(dataset.cardinality()).toBe(30);
  });

  test("is rejected as soon as dataset() is called on CSV or a stream", async () => {
    const csv = await openTfxio(new Blob(["id\n1\n2\n"]), { format: "csv", inferSchema: "full" });
    expect(() => csv.dataset({ shuffle: "all" })).toThrow(expect.objectContaining(rejection));
    const stream = await openTfxio(
      async function* () {
        yield tfRecordFile(examples(0, 3));
      },
      { schema: SCHEMA },
    );
    expect(() => stream.dataset({ shuffle: "all" })).toThrow(expect.objectContaining(rejection));
    await stream.close();
  });

  test("is rejected when reading gzip files, Arrow streams, or files whose malformed records are skipped", async () => {
    const gzip = await openTfxio(gzipSync(tfRecordFile(examples(0, 3))), { schema: SCHEMA });
    await expect(idsIn(gzip)).rejects.toMatchObject({ code: "unsupported", reason: "compressed-index" });
    const stream = await fileOf(0, 3, "a.arrow", { container: "stream" });
    const inOrder = { code: "unsupported", reason: "no-random-access" };
    await expect(idsIn(await openTfxio(stream, { schema: SCHEMA }))).rejects.toMatchObject(inOrder);
    const skipping = await openTfxio(tfRecordFile(examples(0, 3)), {
      schema: SCHEMA,
      formatOptions: { onMalformed: "skip" },
    });
    await expect(idsIn(skipping)).rejects.toMatchObject(inOrder);
  });

  test("names the file, record and byte of a damaged record, and rejects a stale or missing index", async () => {
    const bytes = tfRecordFile(examples(0, 20));
    const index = await indexTfRecords(bytesSource(bytes));
    const path = join(folder, "damaged.data");
    const damaged = bytes.slice();
    const at = (index.offsets[7] as number) + 12;
    damaged[at] = (damaged[at] as number) ^ 0xff;
    await writeFile(path, damaged);
    await writeFile(`${path}.index`, encodeTfRecordIndex(index));
    const options = { schema: SCHEMA, format: "tfrecord", formatOptions: { index: "beside" } } as const;
    await expect(idsIn(await openTfxio(path, options))).rejects.toMatchObject({
      code: "corrupt-record",
      recordIndex: 7,
      byteOffset: index.offsets[7],
      uri: expect.stringContaining("damaged.data"),
    });
    await writeFile(path, tfRecordFile(examples(20, 41)));
    await expect(idsIn(await openTfxio(path, options))).rejects.toMatchObject({ reason: "source-changed" });
    await rm(`${path}.index`);
    await expect(idsIn(await openTfxio(path, options))).rejects.toMatchObject({ code: "not-found" });
  });

  test("applies maxRecordBytes to records that are read through an index", async () => {
    const tfxio = await openTfxio(join(folder, "part-0.tfrecord"), {
      schema: SCHEMA,
      formatOptions: { index: "beside" },
      limits: { maxRecordBytes: 20 },
    });
    await expect(idsIn(tfxio)).rejects.toMatchObject({ code: "limit-exceeded", reason: "record-length" });
  });

  test.each([
    ["readerNumThreads", 2, 'cannot be combined with shuffle "all", which reads'],
    ["workers", 1, 'must be 0 or "auto", found 1: shuffle "all" reads rows by number on the calling thread.'],
    ["sloppyOrdering", true, 'cannot be combined with shuffle "all", which reads'],
    ["onProgress", () => undefined, "reports one file at a time"],
  ])("rejects %s, which would have no effect", async (option, value, problem) => {
    const tfxio = await openTfxio(tfRecordFile(examples(0, 3)), { schema: SCHEMA });
    expect(() => tfxio.recordBatches({ shuffle: "all", [option]: value })).toThrow(
      expect.objectContaining({
        code: "invalid-argument",
        argument: option,
        message: expect.stringContaining(`${option} ${problem}`),
      }),
    );
  });

  test("fails if a format delivers fewer rows than it announced", async () => {
    const lying: Format = {
      ...arrow,
      async open(sources, request) {
        const reader = await (arrow as Format).open(sources, request);
        return {
          ...reader,
          async plan(asked) {
            const plan = await reader.plan(asked);
            return {
              ...plan,
              subdivide: async (split, options) =>
                ((await plan.subdivide?.(split, options)) ?? []).map((part) => ({
                  ...part,
                  numRows: (part.numRows ?? 0) + 1,
                })),
            };
          },
        };
      },
    };
    const tfxio = await openTfxio(await filesOf("a.arrow"), { schema: SCHEMA, format: lying });
    await expect(idsIn(tfxio)).rejects.toMatchObject({ code: "invalid-argument", reason: "format-output" });
  });

  test("yields no rows for empty files", async () => {
    expect(await idsIn(await openTfxio(tfRecordFile([]), { schema: SCHEMA, format: "tfrecord" }))).toEqual(
      [],
    );
    const empty = memoryTarget("none.arrow");
    const tfxio = await openTfxio(tfRecordFile(examples(0, 1)), { schema: SCHEMA });
    await writeTfxio([], empty, { arrowSchema: tfxio.arrowSchema() });
    expect(await idsIn(await openTfxio(empty.bytes(), { schema: SCHEMA }))).toEqual([]);
  });
});
