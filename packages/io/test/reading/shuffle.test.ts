import { beforeAll, describe, expect, test } from "@jest/globals";
import { encodeExample } from "@tfxio/arrow-encoding";
import type { Format } from "@tfxio/format";
import { parseSchemaText } from "@tfxio/schema";
import { Random } from "@tfxio/wire";
import { openTfxio, type Tfxio, type TfxioOptions } from "../../src/index.js";
import { collect, range, tfRecordFile } from "../fixtures.js";
import { describeBuilt, importTable, tableFile } from "../worker-formats/index.js";

const SCHEMA = parseSchemaText(`
  feature { name: "id" type: INT presence { min_fraction: 1 } shape {} }
  feature { name: "label" type: INT presence { min_fraction: 1 } shape {} }
`);
const TABLE_SCHEMA = parseSchemaText(
  'feature { name: "id" type: INT presence { min_fraction: 1 } shape {} }',
);

const recordsFile = (ids: readonly number[], label: number): Uint8Array =>
  tfRecordFile(
    ids.map((id) =>
      encodeExample({ id: { kind: "int64", values: [id] }, label: { kind: "int64", values: [label] } }),
    ),
  );

/** Creates one file for each length. File `i` has `lengths[i]` rows. Ids continue across the files. */
function filesOf<File>(
  lengths: readonly number[],
  make: (ids: readonly number[], index: number) => File,
): File[] {
  let next = 0;
  return lengths.map((length, index) => {
    const ids = range(next, next + length);
    next += length;
    return make(ids, index);
  });
}

/** Opens files in a format that shuffles rows itself, or in a format whose rows the library shuffles. */
interface Kind {
  readonly open: (lengths: readonly number[], options?: TfxioOptions) => Promise<Tfxio>;
}
let table: Format;
beforeAll(async () => {
  table = await importTable();
});
const kinds: readonly [string, Kind][] = [
  [
    "by the format",
    { open: (lengths, options) => openTfxio(filesOf(lengths, recordsFile), { schema: SCHEMA, ...options }) },
  ],
  [
    "by the library",
    {
      open: (lengths, options) =>
        openTfxio(
          filesOf(lengths, (ids) => tableFile(ids.map((id) => ({ id })))),
          { format: table, schema: TABLE_SCHEMA, formatOptions: { splitRows: 1e6 }, ...options },
        ),
    },
  ],
];

type Reading = Parameters<Tfxio["rows"]>[0];
const idsOf = async (tfxio: Tfxio, reading: Reading): Promise<number[]> =>
  (await collect(tfxio.rows({ workers: 0, ...reading }))).map(({ id }) => (id as number[])[0] as number);
const sorted = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b);

const elementsOf = async (tfxio: Tfxio, options: Parameters<Tfxio["dataset"]>[0]): Promise<number[][]> =>
  (await tfxio.dataset(options).toArray()).map((element) =>
    Array.from((element as unknown as Record<string, { values: BigInt64Array }>)["id"]!.values, Number),
  );

describe.each(kinds)("shuffling %s", (_, { open }) => {
  const SHUFFLE = { shuffle: true, shuffleSeed: 11, shuffleBufferSize: 300 };

  test("yields the same order from rows() and from a dataset", async () => {
    const tfxio = await open([700, 20, 333, 1]);
    const expected = await idsOf(tfxio, SHUFFLE);
    expect(expected.slice(0, 50)).not.toEqual(sorted(expected).slice(0, 50));
    expect((await elementsOf(tfxio, SHUFFLE)).flat()).toEqual(expected);
    expect((await elementsOf(tfxio, { ...SHUFFLE, batchSize: 100, prefetchBufferSize: 5 })).flat()).toEqual(
      expected,
    );
  });

  test("yields the same order for every batch size", async () => {
    const tfxio = await open([700, 20, 333, 1]);
    const expected = await idsOf(tfxio, SHUFFLE);
    for (const batchSize of [1, 7, 100, 5000]) {
      expect(await idsOf(tfxio, { ...SHUFFLE, batchSize })).toEqual(expected);
    }
  });

  test("yields a different order for each seed and each epoch", async () => {
    const tfxio = await open([100, 100]);
    const one = await idsOf(tfxio, { ...SHUFFLE, numEpochs: 3 });
    const epochs = [0, 1, 2].map((epoch) => one.slice(200 * epoch, 200 * epoch + 200));
    for (const epoch of epochs) expect(sorted(epoch)).toEqual(range(0, 200));
    expect(new Set(epochs.map(String)).size).toBe(3);
    expect(await idsOf(tfxio, SHUFFLE)).toEqual(epochs[0]);
    expect(await idsOf(tfxio, { ...SHUFFLE, shuffleSeed: 12 })).not.toEqual(epochs[0]);
    const [first, second] = [await idsOf(tfxio, { shuffle: true }), await idsOf(tfxio, { shuffle: true })];
    expect(first).not.toEqual(second);
  });

  test.each([1, 2, 10, 17, 100, 10_000])(
    "yields every row once from files of different lengths, with a buffer size of %d",
    async (shuffleBufferSize) => {
      const lengths = [100, 37, 1, 0, 64, 16, 3, 250, 80, 9, 31];
      const tfxio = await open(lengths);
      for (const readerNumThreads of [1, 3]) {
        const ids = await idsOf(tfxio, { ...SHUFFLE, shuffleBufferSize, readerNumThreads });
        expect(sorted(ids)).toEqual(range(0, 591));
      }
    },
  );

  test("mixes files: with default options, all batches but the last five have rows from at least 4 of 8 files", async () => {
    const tfxio = await open(Array.from({ length: 8 }, () => 3000));
    const batches = await elementsOf(tfxio, { shuffleSeed: 5 });
    expect(batches.flat()).toHaveLength(24_000);
    const numLabels = batches.map((ids) => new Set(ids.map((id) => Math.floor(id / 3000))).size);
    // The last rows may come from few files.
    expect(Math.min(...numLabels.slice(0, -5))).toBeGreaterThanOrEqual(4);
    const mean = numLabels.reduce((sum, count) => sum + count, 0) / numLabels.length;
    // 32 rows from 8 equally likely files come from 7.9 different files on average. Reading files in turn is less uniform.
    expect(mean).toBeGreaterThan(7);
  });

  test("moves rows within a file about as far as the shuffle buffer of tf.data does", async () => {
    const numRows = 6000;
    const shuffleBufferSize = 1000;
    const ids = await idsOf(await open([numRows]), { ...SHUFFLE, shuffleBufferSize });
    // As in tf.data, a buffer is filled. Each output row is drawn from it, and replaced by the next input row.
    const random = Random.of(99, 0);
    const buffer = range(0, shuffleBufferSize);
    const expected: number[] = [];
    for (let next = shuffleBufferSize; buffer.length > 0; next++) {
      const at = random.below(buffer.length);
      expected.push(buffer[at] as number);
      if (next < numRows) buffer[at] = next;
      else buffer.splice(at, 1);
    }
    const displacement = (order: readonly number[]): number =>
      order.reduce((sum, id, position) => sum + Math.abs(id - position), 0) / order.length;
    const correlation = (order: readonly number[]): number => {
      const mean = (numRows - 1) / 2;
      const [up, down] = order.reduce(
        ([covariance, variance], id, position) => [
          covariance + (id - mean) * (position - mean),
          variance + (position - mean) ** 2,
        ],
        [0, 0],
      );
      return up / down;
    };
    expect(displacement(ids) / displacement(expected)).toBeGreaterThan(0.9);
    expect(displacement(ids) / displacement(expected)).toBeLessThan(1.1);
    expect(Math.abs(correlation(ids) - correlation(expected))).toBeLessThan(0.02);
    const whole = await idsOf(await open([numRows]), SHUFFLE).then((order) => correlation(order));
    expect(whole).toBeGreaterThan(correlation(ids));
    expect(
      Math.abs(correlation(await idsOf(await open([numRows]), { shuffle: true, shuffleSeed: 1 }))),
    ).toBeLessThan(0.06);
  });
});

describeBuilt("shuffling in worker threads", () => {
  test("yields the same order as the calling thread for the same readerNumThreads", async () => {
    const tfxio = await openTfxio(filesOf([400, 20, 333, 1], recordsFile), { schema: SCHEMA });
    for (const readerNumThreads of [1, 2, 3]) {
      const shuffle = { shuffle: true, shuffleSeed: 3, shuffleBufferSize: 50, readerNumThreads };
      const expected = await idsOf(tfxio, shuffle);
      for (const workers of [1, 2].filter((number) => number <= readerNumThreads))
        expect(await idsOf(tfxio, { ...shuffle, workers })).toEqual(expected);
    }
  });

  test("yields the same order for 1 worker, 2 workers or 4 readers if the library shuffles", async () => {
    const sources = filesOf([400, 20, 333, 1], (ids) => tableFile(ids.map((id) => ({ id }))));
    const tfxio = await openTfxio(sources, { format: table, schema: TABLE_SCHEMA });
    const shuffle = { shuffle: true, shuffleSeed: 3, shuffleBufferSize: 50 };
    const expected = await idsOf(tfxio, shuffle);
    for (const options of [{ workers: 1 }, { workers: 2 }, { readerNumThreads: 4 }])
      expect(await idsOf(tfxio, { ...shuffle, ...options })).toEqual(expected);
  });

  test("mixes the rows of files that are divided between two threads", async () => {
    const tfxio = await openTfxio(
      filesOf(
        Array.from({ length: 8 }, () => 1500),
        recordsFile,
      ),
      { schema: SCHEMA },
    );
    const batches = await elementsOf(tfxio, { shuffleSeed: 5, workers: 2 });
    expect(sorted(batches.flat())).toEqual(range(0, 12_000));
    const numLabels = batches.map((ids) => new Set(ids.map((id) => Math.floor(id / 1500))).size);
    expect(Math.min(...numLabels.slice(0, -5))).toBeGreaterThanOrEqual(3);
  });
});
