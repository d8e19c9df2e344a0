import { describe, expect, test } from "@jest/globals";
import type { HostDense } from "@tfxio/tensor-adapter";
import { ConversionError, isTfxioError, Random } from "@tfxio/wire";
import { Field, Float32, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import {
  type ColumnBlock,
  type Dataset,
  fromBlocks,
  fromItems,
  fromRecordBatches,
  type FromRecordBatchesOptions,
} from "../src/index.js";
import { plain, rowsBatch, rowsSchema, rowsToHost } from "./arrow-rows.js";

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}

/** Returns rows 0 to `numRows` (exclusive) in batches of random sizes. */
function randomBatches(numRows: number, random: Random): RecordBatch[] {
  const batches: RecordBatch[] = [];
  for (let start = 0; start < numRows; ) {
    const end = Math.min(numRows, start + random.below(9));
    const whole = rowsBatch(range(start, end + 3));
    batches.push(whole.slice(0, end - start));
    start = end;
  }
  return batches;
}

function datasetOf(
  batches: readonly RecordBatch[],
  options: Partial<FromRecordBatchesOptions> = {},
): Dataset<{ readonly x: unknown }> {
  return fromRecordBatches(() => batches, {
    arrowSchema: rowsSchema,
    toHost: rowsToHost,
    ...options,
  }) as Dataset<{ readonly x: unknown }>;
}

function blocksOf(batches: readonly RecordBatch[]): ColumnBlock[] {
  return batches.map((batch) => ({ numRows: batch.numRows, columns: rowsToHost(batch) }));
}

async function idsOf(batches: AsyncIterable<RecordBatch>): Promise<number[]> {
  const ids: number[] = [];
  for await (const batch of batches) {
    const host = rowsToHost(batch);
    ids.push(...(host["x"]?.values as Float32Array));
    const names = plain(host["name"]?.values) as number[][];
    expect(names.map((name) => new TextDecoder().decode(Uint8Array.from(name)))).toEqual(
      ids.slice(-batch.numRows).map((id) => `row ${id}`),
    );
  }
  return ids;
}

test("recordBatches rejects a cache whose rows an earlier pass converted to host columns", async () => {
  const cached = datasetOf([rowsBatch([1, 2, 3])], { independentRows: true }).cache();
  expect(await idsOf(cached.recordBatches())).toEqual([1, 2, 3]);
  const converted = datasetOf([rowsBatch([1, 2, 3])], { independentRows: true }).cache();
  await converted.toArray();
  await expect(idsOf(converted.recordBatches())).rejects.toMatchObject({ reason: "not-record-batches" });
  expect(await converted.toArray()).toHaveLength(3);
});

test("windowRows reads a cache whose rows an earlier pass converted to host columns", async () => {
  const cached = datasetOf([rowsBatch([1, 2, 3])], { independentRows: true }).cache();
  await cached.toArray();
  const windows = await cached.windowRows(2).toArray();
  expect(await Promise.all(windows.map((window) => window.toArray()))).toMatchObject([
    [{ x: 1 }, { x: 2 }],
    [{ x: 2 }, { x: 3 }],
  ]);
});

async function sizesOf(batches: AsyncIterable<RecordBatch>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const batch of batches) sizes.push(batch.numRows);
  return sizes;
}

type Step = { readonly name: string; apply<T>(this: void, dataset: Dataset<T>): Dataset<T> };

function randomStep(random: Random, seed: number): Step {
  const n = random.below(40);
  switch (random.below(5)) {
    case 0:
      return { name: `take(${n})`, apply: (d) => d.take(n) };
    case 1:
      return { name: `skip(${n})`, apply: (d) => d.skip(n) };
    case 2:
      return { name: `repeat(${n % 4})`, apply: (d) => d.repeat(n % 4) };
    case 3:
      return { name: `prefetch(${n + 1})`, apply: (d) => d.prefetch(n + 1) };
    default:
      return {
        name: `shuffle(${n + 1})`,
        apply: (d) => d.shuffle(n + 1, { seed, reshuffleEachIteration: false }),
      };
  }
}

/** 50 pipelines by default. `pnpm check` sets TFXIO_FUZZ_RECORDS to 100,000, so it draws 200. */
const numPipelines = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 25_000) / 500;

describe("rows of record batches", () => {
  test(`are the same as rows of columns after ${numPipelines} random pipelines, whether read as elements, batches or record batches`, async () => {
    const random = Random.of(11, 0);
    for (let run = 0; run < numPipelines; run++) {
      const numRows = random.below(60);
      const batches = randomBatches(numRows, Random.of(run, 1));
      const steps = Array.from({ length: random.below(5) }, (_, k) => randomStep(random, run + k));
      const size = random.below(9) + 1;
      const what = `${numRows} rows, ${steps.map(({ name }) => name).join(", ")}, size ${size}, run ${run}`;
      const apply = <T>(dataset: Dataset<T>): Dataset<T> => steps.reduce((d, step) => step.apply(d), dataset);
      const onBlocks = (): Dataset<unknown> =>
        apply(fromBlocks(() => blocksOf(batches), { cardinality: numRows }));
      const rows = plain(await onBlocks().toArray()) as { readonly x: number }[];
      const stacked = plain(await onBlocks().batch(size).toArray());
      for (const independentRows of [false, true]) {
        const onBatches = () => apply(datasetOf(batches, { independentRows, cardinality: numRows }));
        expect({ what, rows: plain(await onBatches().toArray()) }).toEqual({ what, rows });
        expect({ what, stacked: plain(await onBatches().batch(size).toArray()) }).toEqual({ what, stacked });
        expect({ what, count: onBatches().cardinality() }).toEqual({ what, count: rows.length });
        const ids = rows.map(({ x }) => x);
        expect({ what, ids: await idsOf(onBatches().recordBatches()) }).toEqual({ what, ids });
        const dropped = ids.slice(0, ids.length - (ids.length % size));
        const full = onBatches().recordBatches({ batchSize: size, dropRemainder: true });
        expect({ what, ids: await idsOf(full) }).toEqual({ what, ids: dropped });
      }
    }
  });

  test("are shuffled in the same order as items, even if the buffer holds few rows from each of many batches", async () => {
    const numRows = 30_000;
    const batches = range(0, 60).map((k) => rowsBatch(range(k * 500, k * 500 + 500)));
    const ids = range(0, numRows);
    for (const bufferSize of [7, 900, 20_000]) {
      const order = await fromItems(ids).shuffle(bufferSize, { seed: 3 }).toArray();
      const shuffled = (independentRows: boolean) =>
        datasetOf(batches, { independentRows }).shuffle(bufferSize, { seed: 3 });
      expect(await idsOf(shuffled(false).recordBatches())).toEqual(order);
      for (const independentRows of [false, true]) {
        const stacked = await shuffled(independentRows).prefetch(2).batch(100).toArray();
        expect(stacked.flatMap(({ x }) => plain((x as { values: unknown }).values))).toEqual(order);
      }
    }
  });

  test("are converted per source batch, or per batch(n) if independentRows is false, but never for recordBatches", async () => {
    const converted: number[] = [];
    const toHost: typeof rowsToHost = (batch) => {
      converted.push(batch.numRows);
      return rowsToHost(batch);
    };
    const batches = [rowsBatch(range(0, 6)), rowsBatch(range(6, 10))];
    await datasetOf(batches, { toHost }).batch(4).toArray();
    expect(converted.splice(0)).toEqual([4, 4, 2]);
    await datasetOf(batches, { toHost }).toArray();
    expect(converted.splice(0)).toEqual([6, 4]);
    await datasetOf(batches, { toHost, independentRows: true }).batch(4).toArray();
    expect(converted.splice(0)).toEqual([6, 4]);
    for await (const _ of datasetOf(batches, { toHost }).shuffle(3).recordBatches({ batchSize: 4 }));
    expect(converted).toEqual([]);
  });

  test("come from a factory that receives a pass number, which counts repeats and iterators, except iterators that are never read", async () => {
    const passes: number[] = [];
    const dataset = fromRecordBatches(
      ({ pass, signal }) => {
        expect(signal.aborted).toBe(false);
        passes.push(pass);
        return [rowsBatch([pass])];
      },
      { arrowSchema: rowsSchema, toHost: rowsToHost },
    );
    await dataset.iterator();
    expect((await dataset.repeat(2).toArray()).map(({ x }) => x)).toEqual([0, 1]);
    expect(await idsOf(dataset.recordBatches())).toEqual([2]);
    expect(passes).toEqual([0, 1, 2]);
  });
});

describe("recordBatches", () => {
  const batches = [rowsBatch(range(0, 6)), rowsBatch([]), rowsBatch(range(6, 10))].filter(Boolean);

  test("yields batches as they arrive, or of the requested size", async () => {
    expect(await sizesOf(datasetOf(batches).recordBatches())).toEqual([6, 4]);
    expect(await sizesOf(datasetOf(batches).recordBatches({ batchSize: 4 }))).toEqual([4, 4, 2]);
    const dropped = datasetOf(batches).recordBatches({ batchSize: 4, dropRemainder: true });
    expect(await sizesOf(dropped)).toEqual([4, 4]);
    const many = [rowsBatch(range(0, 5000))];
    expect(await sizesOf(datasetOf(many).shuffle(5000).recordBatches())).toEqual([
      1024, 1024, 1024, 1024, 904,
    ]);
  });

  test("shares the source's buffers if a batch lies within one source batch", async () => {
    const [first] = await collect(datasetOf(batches).skip(1).recordBatches({ batchSize: 3 }));
    const valuesOf = (batch: RecordBatch | undefined): Float32Array =>
      batch?.data.children[0]?.values as Float32Array;
    expect(valuesOf(first).buffer).toBe(valuesOf(batches[0]).buffer);
  });

  test("rejects datasets whose rows are not in record batches", () => {
    const dataset = datasetOf(batches);
    const others: Dataset<unknown>[] = [
      fromItems([1]),
      fromBlocks(() => []),
      dataset.batch(2),
      dataset.map((row) => row),
      dataset.filter(() => true),
      dataset
        .repeat(2)
        .filter(() => true)
        .take(2),
    ];
    for (const other of others) {
      expect(() => other.recordBatches()).toThrow(expect.objectContaining({ reason: "not-record-batches" }));
    }
    expect(() => dataset.recordBatches({ batchSize: 0 })).toThrow(
      "[invalid-argument] recordBatches: batchSize",
    );
    const unknown = { size: 2 } as object;
    expect(() => dataset.recordBatches(unknown)).toThrow(
      expect.objectContaining({ reason: "unknown-option" }),
    );
  });

  function watched() {
    const events: string[] = [];
    const dataset = fromRecordBatches(
      async function* ({ signal }) {
        events.push("open");
        try {
          yield rowsBatch([1, 2]);
          events.push("wait");
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        } finally {
          events.push("free");
        }
      },
      { arrowSchema: rowsSchema, toHost: rowsToHost },
    );
    return { events, dataset };
  }

  test("has no effect before it is read, and frees its source when the loop ends", async () => {
    const { events, dataset } = watched();
    const unread = dataset.prefetch(1).recordBatches();
    await unread.close();
    expect(events).toEqual([]);
    for await (const batch of dataset.prefetch(1).recordBatches({ batchSize: 1 })) {
      expect(batch.numRows).toBe(1);
      break;
    }
    expect(events.at(-1)).toBe("free");
  });

  test("rejects with the reason of its signal after an abort, but ends without an error when the dataset is closed", async () => {
    const { events, dataset } = watched();
    const controller = new AbortController();
    const reason = new Error("enough");
    const read = collect(dataset.recordBatches({ batchSize: 8, signal: controller.signal }));
    setTimeout(() => controller.abort(reason), 5);
    await expect(read).rejects.toBe(reason);
    expect(events).toEqual(["open", "wait", "free"]);
    const other = collect(dataset.recordBatches({ batchSize: 8 }));
    setTimeout(() => void dataset.close(), 5);
    expect(await other).toEqual([]);
    expect(events.slice(3)).toEqual(["open", "wait", "free"]);
  });
});

describe("a dataset of record batches", () => {
  const rejectOdd: typeof rowsToHost = (batch) => {
    const host = rowsToHost(batch);
    const values = host["x"]?.values as Float32Array;
    const odd = values.find((x) => x % 2 === 1);
    if (odd !== undefined) throw new ConversionError("not-convertible", `${odd} is odd`);
    return host;
  };
  const batches = [rowsBatch([0, 1, 2, 4]), rowsBatch([6, 7, 8, 10])];

  test.each([false, true])(
    "has an error in place of each row and batch that toHost rejects (independentRows %p)",
    async (independentRows) => {
      const dataset = datasetOf(batches, { toHost: rejectOdd, independentRows });
      expect(await outcomes(dataset)).toEqual([0, "1 is odd", 2, 4, 6, "7 is odd", 8, 10]);
      expect(await outcomes(dataset.batch(2))).toEqual(["1 is odd", [2, 4], "7 is odd", [8, 10]]);
      const shuffled = await outcomes(dataset.shuffle(5, { seed: 1 }));
      const texts = shuffled.map(String).sort();
      expect(texts).toEqual(["0", "1 is odd", "10", "2", "4", "6", "7 is odd", "8"]);
      expect(await idsOf(dataset.recordBatches())).toEqual([0, 1, 2, 4, 6, 7, 8, 10]);
    },
  );

  test.each([false, true])(
    "names a rejected row by its number in the source batch (independentRows %p)",
    async (independentRows) => {
      const rejectFives: typeof rowsToHost = (batch) => {
        const host = rowsToHost(batch);
        const values = host["x"]?.values as Float32Array;
        const row = values.findIndex((x) => x % 5 === 0);
        if (row < 0) return host;
        throw new ConversionError("not-convertible", `Tensor "row 0", row ${row}: a five.`, {
          tensorName: "row 0",
          row,
        });
      };
      const dataset = datasetOf([rowsBatch([1, 2, 3]), rowsBatch([4, 6, 5, 7, 10])], {
        toHost: rejectFives,
        independentRows,
      });
      const iterator = await dataset.iterator({ onElementError: "continue" });
      const rows: unknown[] = [];
      for (let i = 0; i < 8; i++) await iterator.next().catch((error: unknown) => rows.push(error));
      expect(rows).toEqual([
        expect.objectContaining({ row: 2, message: '[not-convertible] Tensor "row 0", row 2: a five.' }),
        expect.objectContaining({ row: 4, message: '[not-convertible] Tensor "row 0", row 4: a five.' }),
      ]);
    },
  );

  test("names a rejected row by its number in the source batch even if the message mentions the row first and then the column", async () => {
    const rejectFives: typeof rowsToHost = (batch) => {
      const host = rowsToHost(batch);
      const values = host["x"]?.values as Float32Array;
      const row = values.indexOf(5);
      if (row < 0) return host;
      const problem = `Row ${row} of column "row 0" is a five.`;
      throw new ConversionError("not-convertible", `Cannot make tensor "row 0": ${problem}`, { row });
    };
    const iterator = await datasetOf([rowsBatch([1, 2, 5])], { toHost: rejectFives }).iterator();
    await iterator.next();
    await iterator.next();
    await expect(iterator.next()).rejects.toMatchObject({
      row: 2,
      message: '[not-convertible] Cannot make tensor "row 0": Row 2 of column "row 0" is a five.',
    });
  });

  async function outcomes(dataset: Dataset<{ readonly x: unknown }>): Promise<unknown[]> {
    const found: unknown[] = [];
    const iterator = await dataset.iterator({ onElementError: "continue" });
    for (;;) {
      try {
        const { value, done } = await iterator.next();
        if (done === true) return found;
        found.push(typeof value.x === "number" ? value.x : plain((value.x as { values: unknown }).values));
      } catch (error) {
        if (!isTfxioError(error, "not-convertible")) throw error;
        found.push(error.message.replace("[not-convertible] ", ""));
      }
    }
  }

  test("ends the pass at a batch with a different schema, or at a value that is not a batch", async () => {
    const other = new ArrowSchema([new Field("y", new Float32())]);
    const wrong = fromRecordBatches(() => batches, { arrowSchema: other, toHost: rowsToHost });
    await expect(wrong.toArray()).rejects.toMatchObject({ code: "schema-mismatch", reason: "batch-schema" });
    const nothing = datasetOf([{} as RecordBatch]);
    await expect(nothing.toArray()).rejects.toMatchObject({ code: "invalid-argument", argument: "factory" });
  });

  test("names the function that throws, and a column with too few rows", async () => {
    const broken = fromRecordBatches(
      () => {
        throw new Error("no disk");
      },
      { arrowSchema: rowsSchema, toHost: rowsToHost },
    );
    await expect(broken.recordBatches().next()).rejects.toMatchObject({
      code: "user-function",
      operator: "fromRecordBatches",
    });
    const thrown = datasetOf(batches, {
      toHost: () => {
        throw new Error("no idea");
      },
    });
    await expect(thrown.batch(2).toArray()).rejects.toMatchObject({
      code: "user-function",
      message: "[user-function] fromRecordBatches: toHost failed: Error: no idea",
    });
    const few = datasetOf(batches, { toHost: (batch) => rowsToHost(batch.slice(0, 1)) });
    await expect(few.batch(4).toArray()).rejects.toMatchObject({ code: "shape-mismatch", tensorName: "x" });
  });

  test("delivers the rows drawn before the source failed", async () => {
    const failing = fromRecordBatches(
      function* () {
        yield rowsBatch(range(0, 50));
        throw new Error("lost");
      },
      { arrowSchema: rowsSchema, toHost: rowsToHost },
    );
    const iterator = await failing.shuffle(10, { seed: 1 }).iterator();
    for (let i = 0; i < 41; i++) expect((await iterator.next()).done).toBe(false);
    await expect(iterator.next()).rejects.toMatchObject({ code: "user-function" });
  });

  test("rejects wrong options at the call", () => {
    const make = (options: object): unknown =>
      fromRecordBatches(() => batches, options as FromRecordBatchesOptions);
    expect(() => make({ toHost: rowsToHost })).toThrow("arrowSchema");
    expect(() => make({ arrowSchema: rowsSchema })).toThrow("toHost");
    const both = { arrowSchema: rowsSchema, toHost: rowsToHost };
    expect(() => make({ ...both, cardinality: -1 })).toThrow("cardinality");
    expect(() => make({ ...both, independentRows: 1 })).toThrow("independentRows");
    expect(() => make({ ...both, rows: 1 })).toThrow(expect.objectContaining({ reason: "unknown-option" }));
  });
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("windows of rows in record batches", () => {
  test("are slices that share the buffers of their batch", async () => {
    const whole = rowsBatch(range(0, 6));
    const windows = await datasetOf([whole]).windowRows(4, { shift: 2 }).toArray();
    expect(windows).toHaveLength(2);
    for (const [index, window] of windows.entries()) {
      const batches: RecordBatch[] = [];
      for await (const batch of window.recordBatches()) batches.push(batch);
      expect(await idsOf(window.recordBatches())).toEqual(range(index * 2, index * 2 + 4));
      const values = batches.map((batch) => batch.getChild("x")?.data[0]?.values as Float32Array);
      const source = whole.getChild("x")?.data[0]?.values as Float32Array;
      expect(values.every(({ buffer }) => buffer === source.buffer)).toBe(true);
    }
  });

  test("join the values of several batches, component by component", async () => {
    const source = datasetOf([rowsBatch(range(0, 3)), rowsBatch(range(3, 5))]) as Dataset<{
      readonly x: number;
    }>;
    const windows = await source.window(2, { shift: 2, dropRemainder: false }).toArray();
    const xs = await Promise.all(windows.map(async ({ x }) => x.batch(9).toArray()));
    expect(xs.map(([batch]) => [...(batch as HostDense<"float32">).values])).toEqual([[0, 1], [2, 3], [4]]);
  });
});
