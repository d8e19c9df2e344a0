import { describe, expect, test } from "@jest/globals";
import { Random } from "@tfxio/wire";
import { Float32, Int32, type RecordBatch, Table, tableFromArrays, vectorFromArray } from "apache-arrow";
import { ArrowDataset } from "../src/arrow/index.js";
import {
  type Dataset,
  type DatasetState,
  fromBlocks,
  fromItems,
  fromRandomAccess,
  type RandomAccessRows,
  withProgress,
} from "../src/index.js";
import { createPermutation } from "../src/random-access/permutation.js";
import { rowsBatch, rowsSchema, rowsToHost } from "./arrow-rows.js";

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);
const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);
const idOf = (row: unknown): number => (row as { readonly x: number }).x;

/** Rows of {@link rowsBatch}, and the positions that were read. */
function recorded(numRows: number): { readonly rows: RandomAccessRows; readonly reads: number[][] } {
  const reads: number[][] = [];
  const read = (positions: Uint32Array): RecordBatch => {
    reads.push([...positions]);
    return rowsBatch([...positions]);
  };
  return { rows: { numRows, read }, reads };
}

const conversion = { arrowSchema: rowsSchema, toHost: rowsToHost };
const open = (rows: RandomAccessRows, rowsPerRead = 16): Dataset<unknown> =>
  fromRandomAccess(rows, { ...conversion, rowsPerRead });

describe("a random order", () => {
  // 65,536 is the largest length whose order is a list. Longer orders come from a Feistel network over the next power of four,
  // so the edge cases are lengths near powers of four.
  test.each([0, 1, 2, 3, 100, 65_536, 65_537, 262_143, 262_144, 262_145])(
    "of length %i contains each position once",
    (length) => {
      const order = createPermutation(length, Random.of(1, 0));
      const seen = new Uint8Array(length);
      for (let index = 0; index < length; index++) (seen[order(index)] as number)++;
      expect(seen.every((times) => times === 1)).toBe(true);
    },
  );

  test("of four rows is about equally likely to be any of the 24 orders", () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 24_000; seed++) {
      const order = range(4)
        .map(createPermutation(4, Random.of(seed, 0)))
        .join();
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    // Chi-square with 23 degrees of freedom exceeds 58 less than once in 10,000 times.
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeLessThan(58);
  });

  test("of a large source moves rows to any position, and separates neighbours", () => {
    const length = 100_000;
    const places = new Float64Array(16);
    const steps = new Float64Array(16);
    for (let seed = 0; seed < 200; seed++) {
      const order = createPermutation(length, Random.of(seed, 0));
      for (let index = 0; index < 40; index++) {
        const place = order(index);
        (places[Math.floor((place * 16) / length)] as number)++;
        const step = (order(index + 1) - place + length) % length;
        (steps[Math.floor((step * 16) / length)] as number)++;
      }
    }
    // Chi-square with 15 degrees of freedom exceeds 45 less than once in 10,000 times.
    for (const counts of [places, steps]) {
      expect(counts.reduce((sum, count) => sum + (count - 500) ** 2 / 500, 0)).toBeLessThan(45);
    }
  });
});

describe('shuffle("all")', () => {
  test("reads each row once per pass with all its columns, in a different order each time", async () => {
    const { rows, reads } = recorded(100);
    const dataset = open(rows).shuffle("all", { seed: 1 });
    const [first, second] = [await dataset.toArray(), await dataset.toArray()];
    for (const pass of [first, second]) {
      expect(sorted(pass.map(idOf))).toEqual(range(100));
      for (const row of pass as readonly { readonly x: number; readonly name: Uint8Array }[]) {
        expect(new TextDecoder().decode(row.name)).toBe(`row ${row.x}`);
      }
    }
    expect(second.map(idOf)).not.toEqual(first.map(idOf));
    expect(sorted(reads.flat())).toEqual(sorted([...range(100), ...range(100)]));
    const again = await open(recorded(100).rows, 7).shuffle("all", { seed: 1 }).repeat(2).toArray();
    expect(again.map(idOf)).toEqual([...first, ...second].map(idOf));
  });

  test("keeps its order in every pass if reshuffling is off", async () => {
    const dataset = open(recorded(50).rows).shuffle("all", { reshuffleEachIteration: false });
    expect((await dataset.toArray()).map(idOf)).toEqual((await dataset.toArray()).map(idOf));
  });

  test("reads rows only when they are requested, rowsPerRead at a time", async () => {
    const { rows, reads } = recorded(1_000_000_000);
    const iterator = await open(rows).shuffle("all", { seed: 1 }).batch(8).iterator();
    await iterator.next();
    await iterator.next();
    expect(reads.map(({ length }) => length)).toEqual([16]);
    await iterator.next();
    expect(reads.map(({ length }) => length)).toEqual([16, 16]);
    await iterator.close();
  });

  test("resumes at every position with exactly the remaining rows, and reads no others", async () => {
    const whole = (await open(recorded(40).rows).shuffle("all", { seed: 3 }).repeat(2).toArray()).map(idOf);
    const iterator = await open(recorded(40).rows).shuffle("all", { seed: 3 }).repeat(2).iterator();
    for (let position = 0; position <= 80; position++) {
      const state = JSON.parse(JSON.stringify(iterator.state())) as DatasetState;
      const { rows, reads } = recorded(40);
      const resumed = await open(rows).shuffle("all", { seed: 3 }).repeat(2).iterator({ state });
      expect((await resumed.toArray()).map(idOf)).toEqual(whole.slice(position));
      expect(reads.flat()).toEqual(whole.slice(position));
      await iterator.next();
    }
  });

  test("shuffles items, tables and lists of record batches", async () => {
    const items = await fromItems(range(100)).shuffle("all", { seed: 1 }).toArray();
    expect(items).not.toEqual(range(100));
    expect(sorted(items)).toEqual(range(100));

    const table = tableFromArrays({ id: Int32Array.from(range(1000)) });
    const parts = new Table([...table.slice(0, 300).batches, ...table.slice(300).batches]);
    const fromTable = ArrowDataset.fromTable(parts, { as: "dict" }).shuffle("all", { seed: 1 });
    const ids = ((await fromTable.toArray()) as readonly { readonly id: number }[]).map(({ id }) => id);
    expect(ids.slice(0, 10)).not.toEqual(range(10));
    expect(sorted(ids)).toEqual(range(1000));

    const batches = [rowsBatch(range(30)), rowsBatch([]), rowsBatch(range(70).map((id) => id + 30))];
    const ofList = ArrowDataset.fromRecordBatches(batches, { columns: ["x"], as: "dict" });
    expect(sorted((await ofList.shuffle("all").toArray()).map(idOf))).toEqual(range(100));
    await expect(ArrowDataset.fromRecordBatches([]).shuffle("all").toArray()).resolves.toEqual([]);
  });

  test.each<[string, Dataset<unknown>]>([
    ["map", fromItems([1]).map((x) => x)],
    ["batch", fromItems([1]).batch(1)],
    ["shuffle", fromItems([1]).shuffle(1)],
    ["withProgress", withProgress(fromItems([1]), () => undefined)],
    ["fromBlocks", fromBlocks(() => [])],
    [
      "a batched table",
      ArrowDataset.fromTable(new Table({ x: vectorFromArray([1], new Int32()) }), { batchSize: 2 }),
    ],
    [
      "a dataset of record batches from a function",
      ArrowDataset.fromRecordBatches(() => [], { arrowSchema: rowsSchema, columns: ["x"] }),
    ],
  ])("is rejected after %s, which has no random access", (_, dataset) => {
    expect(() => dataset.shuffle("all")).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "no-random-access" }),
    );
  });
});

describe("rows from a function", () => {
  /** Returns a dataset that counts how often its rows are opened, and logs the positions that it reads. */
  function late(numRows: number): {
    readonly dataset: Dataset<unknown>;
    readonly reads: number[][];
    opened: number;
  } {
    const { rows, reads } = recorded(numRows);
    const counted = {
      opened: 0,
      reads,
      dataset: fromRandomAccess(async () => {
        counted.opened++;
        return { ...rows, rowsPerRead: 8 };
      }, conversion),
    };
    return counted;
  }

  test("are opened at the first next(), only once for all passes", async () => {
    const counted = late(100);
    const shuffled = counted.dataset.shuffle("all", { seed: 1 });
    expect(shuffled.cardinality()).toBe("unknown");
    await (await shuffled.iterator()).close();
    expect(counted.opened).toBe(0);
    const [first, second] = [(await shuffled.toArray()).map(idOf), (await shuffled.toArray()).map(idOf)];
    expect(sorted(first)).toEqual(range(100));
    expect(second).not.toEqual(first);
    expect(counted.opened).toBe(1);
    expect(counted.reads.every(({ length }) => length <= 8)).toBe(true);
  });

  test("let a pass resume in the middle and read only the remaining rows", async () => {
    const opened = (): ReturnType<typeof late> => late(100);
    const whole = (await opened().dataset.shuffle("all", { seed: 3 }).toArray()).map(idOf);
    const iterator = await opened().dataset.shuffle("all", { seed: 3 }).iterator();
    for (let row = 0; row < 37; row++) await iterator.next();
    const state = iterator.state();
    await iterator.close();
    const again = opened();
    const rest = await again.dataset.shuffle("all", { seed: 3 }).iterator({ state });
    expect((await rest.toArray()).map(idOf)).toEqual(whole.slice(37));
    expect(again.reads.flat()).toHaveLength(63);
  });

  test("are rejected if they set rowsPerRead to 0", async () => {
    const { rows } = recorded(50);
    const dataset = fromRandomAccess(async () => ({ ...rows, rowsPerRead: 0 }), conversion);
    await expect(dataset.toArray()).rejects.toThrow(
      "rows must be { numRows, read }, with a positive rowsPerRead if set",
    );
  });

  test("may be returned in several batches by one read", async () => {
    const { rows } = recorded(50);
    const read = async function* (positions: Uint32Array): AsyncGenerator<RecordBatch> {
      yield rowsBatch([...positions.subarray(0, 3)]);
      yield rowsBatch([...positions.subarray(3)]);
    };
    const dataset = fromRandomAccess(async () => ({ ...rows, read }), { ...conversion, rowsPerRead: 10 });
    expect((await dataset.toArray()).map(idOf)).toEqual(range(50));
    const short = fromRandomAccess(
      async () => ({ numRows: 20, read: () => read(Uint32Array.of(1, 2, 3, 4)) }),
      conversion,
    );
    await expect(short.toArray()).rejects.toMatchObject({
      argument: "read",
      message: expect.stringContaining(
        "read must return record batches with as many rows as were requested (20), found 4",
      ),
    });
  });

  test("are opened again after an error, which ends the pass", async () => {
    let numFailures = 1;
    const { rows } = recorded(5);
    const dataset = fromRandomAccess(async () => {
      if (numFailures-- > 0) throw new Error("disk");
      return rows;
    }, conversion).shuffle("all");
    await expect(dataset.toArray()).rejects.toMatchObject({
      code: "user-function",
      operator: "fromRandomAccess",
    });
    expect(sorted((await dataset.toArray()).map(idOf))).toEqual(range(5));
    const none = fromRandomAccess((() => undefined) as never, conversion);
    await expect(none.shuffle("all").toArray()).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "rows",
    });
  });

  test("let a pass end while they are being opened", async () => {
    const dataset = fromRandomAccess(() => new Promise(() => undefined), conversion).shuffle("all");
    const iterator = await dataset.iterator();
    const pending = iterator.next();
    await iterator.close();
    await expect(pending).resolves.toMatchObject({ done: true });
  });
});

describe("fromRandomAccess", () => {
  test("returns rows in the order of their positions without a shuffle", async () => {
    expect((await open(recorded(50).rows).toArray()).map(idOf)).toEqual(range(50));
    expect(open(recorded(50).rows).cardinality()).toBe(50);
    await expect(open(recorded(0).rows).shuffle("all").toArray()).resolves.toEqual([]);
  });

  test("fails with an error that states the expected number of rows if read() returns a different number", async () => {
    const short = open({ numRows: 20, read: () => rowsBatch([1]) });
    await expect(short.toArray()).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "read",
      message: expect.stringContaining(
        "read must return record batches with as many rows as were requested (16), found 1",
      ),
    });
    const none = open({ numRows: 20, read: () => undefined as never });
    await expect(none.toArray()).rejects.toMatchObject({ code: "invalid-argument", argument: "read" });
    const noBatch = open({ numRows: 20, read: () => ({ numRows: 16 }) as never });
    await expect(noBatch.toArray()).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "read",
      message: expect.stringMatching(
        /fromRandomAccess: read must return record batches .*, found \D/,
      ) as unknown,
    });
  });

  test("rejects batches with a different schema", async () => {
    const [other] = new Table({ x: vectorFromArray(range(16), new Float32()) }).batches;
    await expect(open({ numRows: 16, read: () => other as RecordBatch }).toArray()).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "batch-schema",
    });
  });

  test("ends the pass with a user-function error if read() fails, and aborts a pending read if the pass is closed", async () => {
    const failing = open({ numRows: 5, read: () => Promise.reject(new Error("disk")) });
    await expect(failing.shuffle("all").toArray()).rejects.toMatchObject({
      code: "user-function",
      operator: "fromRandomAccess",
      message: "[user-function] fromRandomAccess: read failed: Error: disk",
    });
    let signal: AbortSignal | undefined;
    const waiting = open({
      numRows: 5,
      read: (_, options) => {
        ({ signal } = options);
        return new Promise<RecordBatch>(() => undefined);
      },
    });
    const iterator = await waiting.shuffle("all").iterator();
    const pending = iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await iterator.close();
    await expect(pending).resolves.toMatchObject({ done: true });
    expect(signal?.aborted).toBe(true);
  });

  test("is named in the error if toHost throws", async () => {
    const toHost = (): never => {
      throw new Error("no idea");
    };
    const dataset = fromRandomAccess(recorded(5).rows, { ...conversion, toHost });
    await expect(dataset.toArray()).rejects.toMatchObject({
      operator: "fromRandomAccess",
      message: "[user-function] fromRandomAccess: toHost failed: Error: no idea",
    });
  });

  test.each([
    [{ numRows: -1, read: () => rowsBatch([]) }],
    [{ numRows: 2 ** 33, read: () => rowsBatch([]) }],
    [{ numRows: 1 }],
    [undefined],
  ])("rejects %j at the call", (rows) => {
    expect(() => fromRandomAccess(rows as never, conversion)).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "rows" }),
    );
  });
});
