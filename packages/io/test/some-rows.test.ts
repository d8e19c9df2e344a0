import { describe, expect, test } from "@jest/globals";
import { plainRows } from "@tfxio/arrow-encoding";
import { bytesSource, type ByteSource, memoryTarget } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { firstRows, lastRows, openTfxio, sampleRows, type TfxioOptions, writeTfxio } from "../src/index.js";
import { collect, range } from "./fixtures.js";
import { PEOPLE, people, peopleFile } from "./people.js";

const small: TfxioOptions = { schema: PEOPLE, batchBytes: 600 };
const rowsOf = async (batches: AsyncIterable<RecordBatch>): Promise<unknown[]> =>
  (await collect(batches)).flatMap((batch) => plainRows(batch));
const files = () => [peopleFile(0, 40), peopleFile(40, 45), peopleFile(45, 100)];
/** Returns a source that calls `count` with the number of bytes of each read. */
const counted = (bytes: Uint8Array, count: (numBytes: number) => void): ByteSource => {
  const source = bytesSource(bytes, "big.arrow");
  return {
    ...source,
    async slice(start, end, options) {
      count(Math.min(end, bytes.length) - start);
      return source.slice(start, end, options);
    },
    async *stream(options) {
      for await (const chunk of source.stream(options)) {
        count(chunk.length);
        yield chunk;
      }
    },
  };
};

describe("firstRows and lastRows", () => {
  test.each([0, 1, 17, 42, 100, 1000])(
    "return %d rows across several files, or all rows if there are fewer",
    async (numRows) => {
      const tfxio = await openTfxio(files(), small);
      expect(await rowsOf(firstRows(tfxio, { numRows }))).toEqual(people(0, 100).slice(0, numRows));
      expect(await rowsOf(lastRows(tfxio, { numRows }))).toEqual(people(Math.max(0, 100 - numRows), 100));
    },
  );

  test("count only the rows that a filter keeps", async () => {
    const tfxio = await openTfxio(files(), { ...small, filter: "id >= 10 and id < 60" });
    expect(await rowsOf(firstRows(tfxio, { numRows: 3 }))).toEqual(people(10, 13));
    expect(await rowsOf(lastRows(tfxio, { numRows: 3 }))).toEqual(people(57, 60));
  });

  test("do not read a whole file for the last rows, if the format can subdivide it", async () => {
    const target = memoryTarget("big.arrow");
    const csv = new Blob([`id\n${range(0, 500_000).join("\n")}\n`]);
    await writeTfxio(await openTfxio(csv, { format: "csv", inferSchema: "first" }), target);
    const file = target.bytes();
    let numBytes = 0;
    const source = counted(file, (more) => (numBytes += more));
    const tfxio = await openTfxio(source, { splitBytes: 64 * 1024, formatOptions: { joinBatches: false } });
    expect(await rowsOf(lastRows(tfxio, { numRows: 2 }))).toEqual([{ id: [499_998] }, { id: [499_999] }]);
    expect(numBytes).toBeLessThan(file.length / 4);
  });

  test("reject a negative number of last rows", async () => {
    const tfxio = await openTfxio(files(), small);
    await expect(rowsOf(lastRows(tfxio, { numRows: -1 }))).rejects.toMatchObject({
      code: "invalid-argument",
    });
  });
});

describe("sampleRows", () => {
  test("draws rows without replacement, in file order, and the same rows for the same seed", async () => {
    const tfxio = await openTfxio(files(), small);
    const draw = (seed: number) => rowsOf(sampleRows(tfxio, { numRows: 10, seed }));
    const ids = (await draw(3)).map((row) => (row as { id: number[] }).id[0] as number);
    expect(new Set(ids).size).toBe(10);
    expect(ids).toEqual(ids.toSorted((left, right) => left - right));
    expect(await draw(3)).toEqual(await draw(3));
    expect(await draw(3)).not.toEqual(await draw(4));
  });

  test("returns all rows if there are fewer than requested", async () => {
    const tfxio = await openTfxio(files(), small);
    expect(await rowsOf(sampleRows(tfxio, { numRows: 1000 }))).toEqual(people(0, 100));
  });

  test("draws every row about equally often", async () => {
    const tfxio = await openTfxio(files(), small);
    const counts = Array.from({ length: 100 }, () => 0);
    for (let seed = 0; seed < 300; seed++) {
      for (const row of await rowsOf(sampleRows(tfxio, { numRows: 20, seed })))
        counts[(row as { id: number[] }).id[0] as number]!++;
    }
    // Binomial distribution of 300 draws with probability 0.2: mean 60, standard deviation 6.9. The limit is five deviations.
    for (const count of counts) expect(Math.abs(count - 60)).toBeLessThan(35);
  });
});

describe("countRows", () => {
  test("counts the rows of all files, or only the rows that a filter keeps", async () => {
    expect(await (await openTfxio(files(), small)).countRows()).toBe(100);
    expect(await (await openTfxio(files())).countRows()).toBe(100);
    expect(await (await openTfxio(files(), { ...small, filter: "id >= 90" })).countRows()).toBe(10);
    expect(await (await openTfxio(files(), { filter: "id >= 90", columns: ["age"] })).countRows()).toBe(10);
  });

  test("counts the rows of each part of a split", async () => {
    const tfxio = await openTfxio(files(), small);
    const { train, validation, test: held } = tfxio.split({ validation: 0.2, test: 0.2 });
    const counts = await Promise.all([train, validation, held].map((part) => part.countRows()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(100);
    expect(Math.min(...counts)).toBeGreaterThan(5);
  });
});

describe("split with a test set", () => {
  test("leaves the validation set unchanged, and puts no row in two parts", async () => {
    const tfxio = await openTfxio(files(), small);
    const rows = (part: { rows(): AsyncIterable<unknown> }) => collect(part.rows());
    const three = tfxio.split({ validation: 0.2, test: 0.3, by: "id" });
    const two = tfxio.split({ validation: 0.2, by: "id" });
    expect(await rows(three.validation)).toEqual(await rows(two.validation));
    const all = [
      ...(await rows(three.train)),
      ...(await rows(three.validation)),
      ...(await rows(three.test)),
    ];
    expect(all).toHaveLength(100);
    expect(new Set(all.map((row) => JSON.stringify(row))).size).toBe(100);
    expect("test" in two).toBe(false);
  });

  test("rejects shares that leave no training rows", async () => {
    const tfxio = await openTfxio(files(), small);
    expect(() => tfxio.split({ validation: 0.5, test: 0.5 })).toThrow(
      "test and validation must add up to less than 1, found 1: no rows would remain for training.",
    );
  });
});
