import { gzipSync } from "node:zlib";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ColumnPath } from "@tfxio/schema";
import { openTfxio, type SplitOptions, type Tfxio, type TfxioOptions } from "../../src/index.js";
import { collect, range } from "../fixtures.js";
import { runProgram } from "../node-program.js";
import { PEOPLE, people, peopleFile } from "../people.js";
import { describeBuilt, importToy } from "../worker-formats/index.js";

const NUM_FILES = 3;
const FILE_ROWS = 400;
const NUM_ROWS = NUM_FILES * FILE_ROWS;
const folder = mkdtempSync(path.join(tmpdir(), "tfxio-split-"));
const files = range(0, NUM_FILES).map((index) => path.join(folder, `${index}.tfrecord`));
const zipped = files.map((file) => `${file}.gz`);
beforeAll(() => {
  for (const index of range(0, NUM_FILES)) {
    const bytes = peopleFile(FILE_ROWS * index, FILE_ROWS * (index + 1));
    writeFileSync(files[index] as string, bytes);
    writeFileSync(zipped[index] as string, gzipSync(bytes));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Reading = Parameters<Tfxio["rows"]>[0];

/** Returns the ids of the rows of a part, in reading order. */
async function idsOf(part: Tfxio, reading: Reading = { workers: 0 }): Promise<number[]> {
  return (await collect(part.rows(reading))).map(({ id }) => (id as number[])[0] as number);
}
const sorted = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b);

async function parts(
  sources: string | readonly string[],
  split: SplitOptions,
  { reading, ...options }: TfxioOptions & { readonly reading?: Reading } = {},
): Promise<{ train: number[]; validation: number[] }> {
  const { train, validation } = (await openTfxio(sources, { schema: PEOPLE, ...options })).split(split);
  return { train: await idsOf(train, reading), validation: await idsOf(validation, reading) };
}

const SPLIT = { validation: 0.2, seed: 7 };

describe("the parts of a split", () => {
  test("are disjoint, together have all rows, and keep the order of rows", async () => {
    for (const validation of [0.001, 0.2, 0.5, 0.999]) {
      const both = await parts(files, { validation, seed: 1 });
      expect(both.train).toEqual(sorted(both.train));
      expect(both.validation).toEqual(sorted(both.validation));
      expect(sorted([...both.train, ...both.validation])).toEqual(range(0, NUM_ROWS));
    }
  });

  test("have about the requested share of rows for each seed", async () => {
    for (const share of [0.1, 0.3, 0.5]) {
      for (const seed of [0, 1, 2 ** 32 - 1]) {
        const { validation } = await parts(files, { validation: share, seed });
        // Four standard deviations of a binomial distribution.
        const bound = 4 * Math.sqrt(NUM_ROWS * share * (1 - share));
        expect(Math.abs(validation.length - share * NUM_ROWS)).toBeLessThan(bound);
      }
    }
  });

  test("are drawn independently for each seed, and differently in each file", async () => {
    const one = await parts(files, { validation: 0.5, seed: 1 });
    const other = await parts(files, { validation: 0.5, seed: 2 });
    const common = one.validation.filter((id) => other.validation.includes(id)).length;
    expect(Math.abs(common - NUM_ROWS / 4)).toBeLessThan(4 * Math.sqrt((NUM_ROWS * 3) / 16));
    const inFile = (index: number): number[] =>
      one.validation.filter((id) => Math.floor(id / FILE_ROWS) === index).map((id) => id % FILE_ROWS);
    expect(inFile(0)).not.toEqual(inFile(1));
  });

  test("keep all validation rows when the share grows from 0.1 to 0.2", async () => {
    const small = await parts(files, { validation: 0.1, seed: 3 });
    const large = await parts(files, { validation: 0.2, seed: 3 });
    expect(large.validation).toEqual(expect.arrayContaining(small.validation));
  });
});

describe("the validation rows are the same", () => {
  let expected: { train: number[]; validation: number[] };
  beforeAll(async () => {
    expected = await parts(files, SPLIT);
    expect(expected.validation.length).toBeGreaterThan(100);
  });

  test.each<[string, Reading]>([
    ["when shuffled", { shuffle: true, shuffleSeed: 1, workers: 0 }],
    ["when shuffled by two readers", { shuffle: true, shuffleSeed: 1, readerNumThreads: 2, workers: 0 }],
    ["when shuffled in a small buffer", { shuffle: true, shuffleSeed: 1, shuffleBufferSize: 10, workers: 0 }],
    ["in batches of 7 rows", { batchSize: 7, workers: 0 }],
    ["when readers take turns", { readerNumThreads: 3, workers: 0 }],
    ["with several readers and sloppyOrdering", { readerNumThreads: 3, sloppyOrdering: true, workers: 0 }],
    ["with default options", {}],
  ])("%s", async (_, reading) => {
    const found = await parts(files, SPLIT, { reading });
    expect(sorted(found.train)).toEqual(expected.train);
    expect(sorted(found.validation)).toEqual(expected.validation);
  });

  test("in every epoch", async () => {
    const found = await parts(files, SPLIT, {
      reading: { numEpochs: 3, shuffle: true, shuffleSeed: 2, workers: 0 },
    });
    const { length } = expected.validation;
    for (const epoch of [0, 1, 2]) {
      expect(sorted(found.validation.slice(epoch * length, (epoch + 1) * length))).toEqual(
        expected.validation,
      );
    }
  });

  test("with selected columns, a filter, raw records, row positions or an inferred schema", async () => {
    const even = (id: number): boolean => id % 2 === 0;
    const options: TfxioOptions[] = [
      { columns: ["id"] },
      { rawRecordColumn: "raw" },
      { rowPositionColumn: "at" },
      { columns: ["id"], rowPositionColumn: "at", rawRecordColumn: "raw" },
      { schema: undefined, inferSchema: "full" },
      { schema: undefined },
      { batchBytes: 200 },
    ];
    for (const option of options) expect(await parts(files, SPLIT, option)).toEqual(expected);
    const ids = range(0, NUM_ROWS).filter(even).join(", ");
    expect(await parts(files, SPLIT, { filter: `id in (${ids})` })).toEqual({
      train: expected.train.filter(even),
      validation: expected.validation.filter(even),
    });
  });

  test("in a projection before or after the split, and rawRecords yields the same number of records", async () => {
    const tfxio = await openTfxio(files, { schema: PEOPLE });
    expect(await idsOf(tfxio.project(["id"]).split(SPLIT).validation)).toEqual(expected.validation);
    expect(await idsOf(tfxio.split(SPLIT).validation.project(["id"]))).toEqual(expected.validation);
    const raw = await collect(tfxio.split(SPLIT).validation.rawRecords());
    expect(raw.reduce((sum, { numRows }) => sum + numRows, 0)).toBe(expected.validation.length);
  });

  test("for files in a different order, and for a file that is read alone", async () => {
    const reversed = await parts(files.toReversed(), SPLIT);
    expect(sorted(reversed.validation)).toEqual(expected.validation);
    const one = await parts(files[1] as string, SPLIT);
    expect(one.validation).toEqual(expected.validation.filter((id) => id >= FILE_ROWS && id < 2 * FILE_ROWS));
  });

  test("in shuffled gzip files as in gzip files that are read in order", async () => {
    const zippedParts = await parts(zipped, SPLIT);
    expect(sorted([...zippedParts.train, ...zippedParts.validation])).toEqual(range(0, NUM_ROWS));
    const shuffled = await parts(zipped, SPLIT, { reading: { shuffle: true, shuffleSeed: 1 } });
    expect(sorted(shuffled.validation)).toEqual(zippedParts.validation);
  });

  test("in a dataset", async () => {
    const { validation } = (await openTfxio(files, { schema: PEOPLE })).split(SPLIT);
    const elements = await validation.project(["id"]).dataset({ batchSize: 50 }).toArray();
    const ids = elements.flatMap((element) => [
      ...(element as unknown as { id: { values: BigInt64Array } }).id.values,
    ]);
    expect(sorted(ids.map(Number))).toEqual(expected.validation);
  });
});

describeBuilt("the rows of each part of a split", () => {
  test("are the same in worker threads", async () => {
    const here = await parts(files, SPLIT);
    expect(await parts(files, SPLIT, { reading: { workers: 1 } })).toEqual(here);
    const shuffled = { shuffle: true, shuffleSeed: 5, readerNumThreads: 2 };
    expect(await parts(files, SPLIT, { reading: { ...shuffled, workers: 2 } })).toEqual(
      await parts(files, SPLIT, { reading: { ...shuffled, workers: 0 } }),
    );
    const by = { validation: 0.3, by: "country" };
    expect(await parts(files, by, { reading: { workers: 1 } })).toEqual(await parts(files, by));
  });

  test("are the same in another process that opens the same paths", async () => {
    const found = runProgram(`
      import { openTfxio } from "@tfxio/io";
      const tfxio = await openTfxio(${JSON.stringify(path.join(folder, "*.tfrecord"))}, { inferSchema: "full" });
      const { train, validation } = tfxio.split(${JSON.stringify(SPLIT)});
      const ids = async (part) => {
        const all = [];
        for await (const row of part.rows({ workers: 0 })) all.push(row.id[0]);
        return all;
      };
      console.log(JSON.stringify({ train: await ids(train), validation: await ids(validation) }));`);
    expect(found).toEqual(await parts(files, SPLIT));
  });
});

describe("a split by a column", () => {
  test("keeps rows with equal values together, including nulls", async () => {
    for (const by of ["age", ColumnPath.of("age")]) {
      const { train, validation } = await parts(files, { validation: 0.4, seed: 2, by });
      expect(sorted([...train, ...validation])).toEqual(range(0, NUM_ROWS));
      const all = people(0, NUM_ROWS);
      const valuesOf = (ids: readonly number[]): Set<string> =>
        new Set(ids.map((id) => JSON.stringify(all[id]?.age)));
      const shared = [...valuesOf(train)].filter((value) => valuesOf(validation).has(value));
      expect(shared).toEqual([]);
      expect(validation.length).toBeGreaterThan(0);
      expect(train.length).toBeGreaterThan(0);
    }
  });

  test("does not depend on compression, and drops the column unless that column is requested", async () => {
    const split = { validation: 0.4, seed: 2, by: "age" };
    const expected = await parts(files, split);
    expect(await parts(zipped, split)).toEqual(expected);
    expect(await parts(files, split, { columns: ["id"] })).toEqual(expected);
    const tfxio = await openTfxio(files, { schema: PEOPLE, columns: ["id"] });
    const [row] = await collect(tfxio.split(split).train.rows());
    expect(Object.keys(row as object)).toEqual(["id"]);
  });

  test("treats a column as null if a self-describing batch lacks the column", async () => {
    const split = { validation: 0.4, seed: 2, by: "age" };
    expect(await parts(files, split, { schema: undefined, batchBytes: 1 })).toEqual(
      await parts(files, split),
    );
  });

  test("is rejected as soon as split is called, if the schema lacks the column", async () => {
    const tfxio = await openTfxio(files, { schema: PEOPLE });
    for (const one of [tfxio, tfxio.project(["score"])]) {
      expect(() => one.split({ validation: 0.1, by: "nobody" })).toThrow(
        expect.objectContaining({ code: "schema-mismatch", reason: "unknown-column", columnPath: "nobody" }),
      );
      expect(() => one.split({ validation: 0.1, by: "age" })).not.toThrow();
    }
  });

  test("yields every row once from a format without row positions, which other splits require", async () => {
    const tfxio = await openTfxio([new Uint8Array(1), new Uint8Array(1)], { format: await importToy() });
    expect(() => tfxio.split({ validation: 0.5 })).toThrow(
      expect.objectContaining({ code: "unsupported", reason: "undeclared-request" }),
    );
    const { train, validation } = tfxio.split({ validation: 0.5, seed: 1, by: "value" });
    const values = [...(await collect(train.rows())), ...(await collect(validation.rows()))];
    expect(sorted(values.map(({ value }) => value as number))).toEqual([0, 1, 2, 100, 101, 102]);
  });
});

describe("an invalid split", () => {
  test.each([
    ["no options", undefined],
    ["a share of 0", { validation: 0 }],
    ["a share of 1", { validation: 1 }],
    ["a negative share", { validation: -0.5 }],
    ["a share of NaN", { validation: Number.NaN }],
    ["text for a share", { validation: "0.5" }],
    ["a negative seed", { validation: 0.5, seed: -1 }],
    ["a fractional seed", { validation: 0.5, seed: 0.5 }],
    ["a seed of 2^32", { validation: 0.5, seed: 2 ** 32 }],
    ["text for a seed", { validation: 0.5, seed: "1" }],
    ["a number for a column", { validation: 0.5, by: 3 }],
    ["null for a column", { validation: 0.5, by: null }],
    ["an unknown option", { validation: 0.5, holdout: 0.1 }],
  ])("with %s is rejected", async (_, options) => {
    const tfxio = await openTfxio(files, { schema: PEOPLE });
    expect(() => tfxio.split(options as unknown as SplitOptions)).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  });

  test("is rejected if it divides a part of an earlier split", async () => {
    const { train } = (await openTfxio(files, { schema: PEOPLE })).split(SPLIT);
    expect(() => train.split(SPLIT)).toThrow(expect.objectContaining({ code: "unsupported" }));
    expect(() => train.project(["id"]).split(SPLIT)).toThrow(
      expect.objectContaining({ code: "unsupported" }),
    );
  });
});

test("the error for a share that is text shows the text in quotes", async () => {
  const tfxio = await openTfxio(files, { schema: PEOPLE });
  expect(() => tfxio.split({ validation: "0.2" as never })).toThrow('found "0.2"');
});
