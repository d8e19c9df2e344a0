import { describe, expect, test } from "@jest/globals";
import { Int32, makeData, RecordBatch, Struct, Field, Schema } from "apache-arrow";
import {
  batchDense,
  chooseFromDatasets,
  type Dataset,
  type DatasetState,
  fromBlocks,
  fromItems,
  fromRecordBatches,
  sampleFromDatasets,
  tuple,
  zip,
} from "../../src/index.js";
import { dense } from "../host-columns.js";

const numbers = (count: number): Dataset<number> => fromItems(Array.from({ length: count }, (_, x) => x));

const blocks = (): Dataset<{ readonly x: number }> =>
  fromBlocks(function* () {
    for (let start = 0; start < 40; start += 7) {
      const size = Math.min(7, 40 - start);
      yield {
        numRows: size,
        columns: {
          x: dense(
            Float32Array.from({ length: size }, (_, k) => start + k),
            [size],
          ),
        },
      };
    }
  }) as Dataset<{ readonly x: number }>;

const field = new Field("x", new Int32(), false);
const arrowSchema = new Schema([field]);
const batchOf = (values: Int32Array): RecordBatch =>
  new RecordBatch(
    arrowSchema,
    makeData({
      type: new Struct([field]),
      length: values.length,
      children: [makeData({ type: new Int32(), data: values, length: values.length })],
    }),
  );

const arrowRows = (independentRows: boolean): Dataset<unknown> =>
  fromRecordBatches(
    function* ({ pass }) {
      for (let start = 0; start < 50; start += 9)
        yield batchOf(
          Int32Array.from({ length: Math.min(9, 50 - start) }, (_, k) => pass * 1000 + start + k),
        );
    },
    {
      arrowSchema,
      independentRows,
      toHost: (batch) => ({
        x: {
          kind: "dense",
          dtype: "int32",
          shape: [batch.numRows],
          values: batch.getChild("x")?.toArray() as Int32Array,
          borrowed: true,
        },
      }),
    },
  );

/** Functions that each build the dataset again, as another process would. */
const pipelines: Readonly<Record<string, () => Dataset<unknown>>> = {
  items: () => numbers(9),
  "blocks, batch": () => blocks().batch(6),
  "record batches": () => arrowRows(false),
  "record batches of independent rows, batch": () => arrowRows(true).batch(8, { dropRemainder: true }),
  "record batches, shuffle, batch, repeat": () => arrowRows(true).shuffle(20, { seed: 3 }).batch(7).repeat(2),
  "shuffle with a given seed": () => numbers(40).shuffle(10, { seed: 5 }),
  "shuffle with a drawn seed": () => numbers(40).shuffle(10),
  "shuffle in the same order in every pass": () =>
    numbers(40).shuffle(10, { reshuffleEachIteration: false }).repeat(2),
  "shuffle, repeat": () => numbers(11).shuffle(4, { seed: 1 }).repeat(4),
  "shuffle, repeat, batch across passes": () => numbers(11).shuffle(4).repeat(4).batch(3),
  "filter, shuffle, repeat: a pass of unknown length": () =>
    numbers(12)
      .filter((x) => x % 3 !== 0)
      .shuffle(5)
      .repeat(3),
  "repeat, shuffle": () => numbers(7).repeat(4).shuffle(9),
  "repeat of a repeat": () =>
    numbers(5)
      .shuffle(5)
      .repeat(2)
      .map((x) => x + 1)
      .repeat(3)
      .batch(4),
  "repeat, take, repeat": () => numbers(10).shuffle(4).repeat(2).take(5).repeat(4),
  "two shuffles": () =>
    numbers(30)
      .shuffle(6)
      .map((x) => x)
      .shuffle(3)
      .prefetch(4),
  "map, prefetch, batch, prefetch": () =>
    numbers(20)
      .map((x) => x * 2)
      .prefetch(3)
      .batch(3)
      .prefetch(2),
  "parallel map": () => numbers(20).map(async (x) => x * 2, { parallel: 4 }),
  "enumerate, skip, take": () => numbers(30).enumerate(5).skip(4).take(20),
  "skip in the middle of a block": () => blocks().skip(10).take(25).batch(4),
  shard: () => numbers(31).shard(3, 1),
  "shard of blocks": () => blocks().shard(4, 3).shuffle(3, { seed: 1 }),
  concatenate: () => numbers(9).shuffle(3).concatenate(numbers(8).shuffle(4)).repeat(2),
  zip: () => zip(tuple(numbers(20).shuffle(5), numbers(15).shuffle(5))).repeat(2),
  scan: () => numbers(15).scan(0, (sum, x: number) => [sum + x, sum + x] as const),
  "takeWhile, unique": () =>
    numbers(20)
      .map((x) => x % 7)
      .unique()
      .takeWhile((x) => x < 6),
  "unbatch, rebatch": () => numbers(20).batch(6).rebatch([2, 3]).unbatch(),
  flatMap: () =>
    numbers(6)
      .shuffle(3)
      .flatMap((x) => numbers(x)),
  interleave: () => numbers(6).interleave((x) => numbers(x + 1), { cycle: 3, block: 2 }),
  "parallel interleave": () => numbers(6).interleave((x) => numbers(x + 1), { cycle: 3, parallel: true }),
  windows: () =>
    numbers(12)
      .shuffle(4)
      .windowRows(3, { shift: 2 })
      .map((window) => window.toArray()),
  groupByWindow: () =>
    numbers(17)
      .shuffle(6)
      .groupByWindow((x) => x % 3, { windowSize: 4, reduce: (_, group) => group.batch(4) }),
  bucketBySequenceLength: () =>
    numbers(17)
      .shuffle(6)
      .map((x) => new Float32Array(x % 5))
      .bucketBySequenceLength({ length: (x) => x.length, boundaries: [2, 4], batchSizes: [2, 2, 2] }),
  batchBy: () =>
    numbers(9)
      .map((x) => ({ x, y: x }))
      .batchBy(2, { y: batchDense() }),
  paddedBatch: () =>
    numbers(9)
      .map((x) => new Float32Array(x))
      .paddedBatch(2),
  choose: () =>
    chooseFromDatasets([numbers(9).shuffle(3), numbers(9)], fromItems([0, 1, 1, 0, 0, 1, 0, 1]).repeat(3)),
  sample: () => sampleFromDatasets([numbers(9), numbers(20).shuffle(4)], { stopOnEmpty: false }).repeat(2),
  "cache of a shuffle, repeat": () => numbers(9).shuffle(9).cache().repeat(4),
  ignoreErrors: () =>
    numbers(12)
      .map((x) => {
        if (x % 4 === 1) throw new Error("no");
        return x;
      })
      .ignoreErrors(),
  toXY: () =>
    numbers(9)
      .map((x) => ({ x, y: x }))
      .batch(2)
      .toXY({ ys: "y" }),
};

/** Reads a pass. Returns its elements, and the states before each element and at the end, as JSON. */
async function passOf(dataset: Dataset<unknown>): Promise<{ elements: unknown[]; states: string[] }> {
  const iterator = await dataset.iterator();
  const elements: unknown[] = [];
  const states = [JSON.stringify(iterator.state())];
  for (;;) {
    const { value, done } = await iterator.next();
    if (done === true) return { elements, states };
    elements.push(value);
    states.push(JSON.stringify(iterator.state()));
  }
}

const rest = async (dataset: Dataset<unknown>, state: string): Promise<unknown[]> => {
  const iterator = await dataset.iterator({ state: JSON.parse(state) as DatasetState });
  return iterator.toArray();
};

describe("a new dataset", () => {
  test.each(Object.entries(pipelines))("resumes after any element: %s", async (_name, build) => {
    const { elements, states } = await passOf(build());
    expect(elements.length).toBeGreaterThan(3);
    for (const [index, state] of states.entries())
      expect({ index, rest: await rest(build(), state) }).toEqual({ index, rest: elements.slice(index) });
  });

  test.each(Object.entries(pipelines))(
    "resumes in the middle of the third pass, and then returns the fourth: %s",
    async (_name, build) => {
      const original = build();
      await original.toArray();
      await original.toArray();
      const { elements, states } = await passOf(original);
      const fourth = await original.toArray();
      const middle = Math.floor(elements.length / 2);
      const resumed = build().resume(JSON.parse(states[middle] as string) as DatasetState);
      expect(await resumed.toArray()).toEqual(elements.slice(middle));
      expect(await resumed.toArray()).toEqual(fourth);
    },
  );
});
