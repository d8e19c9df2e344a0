import { describe, expect, test } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { Random } from "@tfxio/wire";
import { chooseFromDatasets, fromItems, sampleFromDatasets, tuple, zip } from "../src/index.js";

describe("flatMap", () => {
  test("accepts functions that return datasets, structures of datasets, arrays, iterables or promises of them", async () => {
    async function* twice(x: number) {
      yield x;
      yield x;
    }
    const source = fromItems([1, 2]);
    expect(await source.flatMap((x) => fromItems([x, -x])).toArray()).toEqual([1, -1, 2, -2]);
    expect(await source.flatMap((x) => ({ a: fromItems([x]), b: fromItems([10 * x]) })).toArray()).toEqual([
      { a: 1, b: 10 },
      { a: 2, b: 20 },
    ]);
    expect(await source.flatMap((x) => [x, x]).toArray()).toEqual([1, 1, 2, 2]);
    expect(await source.flatMap(twice).toArray()).toEqual([1, 1, 2, 2]);
    expect(await source.flatMap(async (x) => fromItems([x])).toArray()).toEqual([1, 2]);
  });

  test("keeps null elements, from arrays and from other iterables", async () => {
    const values = [1, null, 2];
    expect(
      await fromItems([0])
        .flatMap(() => values)
        .toArray(),
    ).toEqual(values);
    expect(
      await fromItems([0])
        .flatMap(() => new Set(values))
        .toArray(),
    ).toEqual(values);
  });

  test("reports an error for an element if the function returns neither a dataset nor an iterable", async () => {
    const flat = fromItems([1]).flatMap((() => 7) as never);
    await expect(flat.toArray()).rejects.toMatchObject({ code: "invalid-argument", reason: "not-a-dataset" });
  });

  test("ends the pass, even with ignoreErrors, if an iterable from the function throws", async () => {
    const failing = fromItems([1, 2]).flatMap(function* (x) {
      yield x;
      throw new Error("gone");
    });
    await expect(failing.ignoreErrors().toArray()).rejects.toMatchObject({
      operator: "flatMap",
      message: "[user-function] flatMap: the iterable that the function returned failed: Error: gone",
    });
  });

  test("closes the iterable of an element if the loop ends early", async () => {
    let isClosed = false;
    function* endless() {
      try {
        for (let x = 0; ; x++) yield x;
      } finally {
        isClosed = true;
      }
    }
    for await (const x of fromItems([0]).flatMap(endless)) if (x === 3) break;
    expect(isClosed).toBe(true);
  });
});

test("filter keeps undefined elements that its predicate accepts", async () => {
  expect(
    await fromItems([1, undefined, 2])
      .filter((x) => x !== 1)
      .toArray(),
  ).toEqual([undefined, 2]);
});

describe("zip", () => {
  test("ends with the shortest dataset, and closes the others", async () => {
    let isClosed = false;
    function* endless() {
      try {
        for (;;) yield 7;
      } finally {
        isClosed = true;
      }
    }
    const zipped = zip({ a: fromItems([1, 2]), b: fromItems([0]).flatMap(endless) });
    expect(await zipped.toArray()).toEqual([
      { a: 1, b: 7 },
      { a: 2, b: 7 },
    ]);
    expect(isClosed).toBe(true);
  });

  test("accepts nested structures, and knows its length", async () => {
    const zipped = zip(tuple(fromItems([1, 2, 3]), { b: fromItems(["x", "y"]) }));
    expect(zipped.cardinality()).toBe(2);
    expect((await zipped.toArray()).map(([a, { b }]) => [a, b])).toEqual([
      [1, "x"],
      [2, "y"],
    ]);
  });

  test("yields one failure in place of a pair with a failed element", async () => {
    const failing = fromItems([1, 2, 3]).map((x) => {
      if (x === 2) throw new Error("two");
      return x;
    });
    const pairs = await zip({ a: failing, b: fromItems(["a", "b", "c"]) })
      .ignoreErrors()
      .toArray();
    expect(pairs).toEqual([
      { a: 1, b: "a" },
      { a: 3, b: "c" },
    ]);
  });

  test("rejects a value that is not a structure of datasets", () => {
    for (const wrong of [fromItems([1]), [fromItems([1])], { a: 1 }, {}, null]) {
      expect(() => zip(wrong as never)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
    }
  });
});

describe("ignoreErrors", () => {
  const failing = fromItems([1, 2, 3, 4]).map((x) => {
    if (x % 2 === 0) throw new Error(`no ${x}`);
    return x;
  });

  test("reports each error and continues", async () => {
    const log: unknown[] = [];
    expect(await failing.ignoreErrors({ log: (error) => log.push(String(error)) }).toArray()).toEqual([1, 3]);
    expect(log).toEqual([expect.stringContaining("no 2"), expect.stringContaining("no 4")]);
  });

  test("ends with the first error beyond the maximum", async () => {
    await expect(failing.ignoreErrors({ max: 1 }).toArray()).rejects.toMatchObject({ code: "user-function" });
  });
});

describe("cache", () => {
  test("reads its source in every pass until one pass is complete, and then never again", async () => {
    let numPasses = 0;
    const source = fromItems([0]).flatMap(function* () {
      numPasses++;
      yield* [1, 2, 3];
    });
    const cached = source.cache();
    for await (const x of cached) if (x === 2) break;
    expect(await cached.toArray()).toEqual([1, 2, 3]);
    expect(numPasses).toBe(2);
    expect(await cached.toArray()).toEqual([1, 2, 3]);
    expect(await cached.batch(2).toArray()).toHaveLength(2);
    expect(numPasses).toBe(2);
    expect(cached.cardinality()).toBe(3);
  });

  test("lets a second pass read the source while the first fills the cache", async () => {
    const cached = fromItems([1, 2, 3])
      .map((x) => x)
      .cache();
    const [a, b] = [await cached.iterator(), await cached.iterator()];
    expect([(await a.next()).value, (await b.next()).value]).toEqual([1, 1]);
    expect([await a.toArray(), await b.toArray()]).toEqual([
      [2, 3],
      [2, 3],
    ]);
    expect(await cached.toArray()).toEqual([1, 2, 3]);
  });
});

describe("scan", () => {
  test("begins each pass with the initial state", async () => {
    const sums = fromItems([1, 2, 3]).scan(10, (state, x) => [state + x, state + x]);
    expect(await sums.repeat(2).toArray()).toEqual([11, 13, 16, 11, 13, 16]);
  });

  test("rejects a result that is not a pair of state and output", async () => {
    const scanned = fromItems([1]).scan(0, (() => 5) as never);
    await expect(scanned.toArray()).rejects.toMatchObject({ code: "invalid-argument" });
  });
});

describe("interleave", () => {
  test("takes blocks from the datasets in turn", async () => {
    const rows = fromItems([1, 2, 3]).interleave((x) => Array.from({ length: 4 }, () => x), {
      cycle: 2,
      block: 2,
    });
    expect(await rows.toArray()).toEqual([1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 3, 3]);
  });
});

describe("parallel interleave", () => {
  const slow = (x: number) =>
    fromItems([0, 1, 2, 3]).map(async (y) => {
      await wait(x === 1 ? 20 : 1);
      return 10 * x + y;
    });

  test.each([
    [1, 1],
    [2, 1],
    [2, 3],
    [5, 2],
  ])("with cycle %p and block %p keeps the order of the sequential interleave", async (cycle, block) => {
    const source = fromItems([1, 2, 3]);
    const expected = await source.interleave(slow, { cycle, block }).toArray();
    expect(await source.interleave(slow, { cycle, block, parallel: true }).toArray()).toEqual(expected);
  });

  test("keeps the order of the sequential interleave for 200 random sets of datasets, including empty ones", async () => {
    const random = Random.of(7, 0);
    for (let run = 0; run < 200; run++) {
      const sizes = Array.from({ length: random.below(9) }, () => random.below(6));
      const settings = { cycle: 1 + random.below(5), block: 1 + random.below(4) };
      const rows = (size: number) => fromItems(Array.from({ length: size }, (_, row) => `${size}/${row}`));
      const inTurns = await fromItems(sizes).interleave(rows, settings).toArray();
      const parallel = await fromItems(sizes)
        .interleave(rows, { ...settings, parallel: true })
        .toArray();
      expect({ sizes, settings, rows: parallel }).toEqual({ sizes, settings, rows: inTurns });
    }
  });

  test("does not wait for the slowest dataset if `ordered` is false", async () => {
    const rows = await fromItems([1, 2])
      .interleave(slow, { cycle: 2, parallel: true, ordered: false })
      .toArray();
    expect(rows.toSorted((a, b) => a - b)).toEqual([10, 11, 12, 13, 20, 21, 22, 23]);
    expect(rows.indexOf(23)).toBeLessThan(rows.indexOf(13));
  });

  test("reads all datasets of a cycle concurrently", async () => {
    let numReading = 0;
    let mostReading = 0;
    const waits = (x: number) =>
      fromItems([x]).map(async (y) => {
        mostReading = Math.max(mostReading, ++numReading);
        await wait(20, y);
        numReading--;
        return y;
      });
    await fromItems([1, 2, 3, 4]).interleave(waits, { cycle: 4, parallel: true }).toArray();
    expect(mostReading).toBe(4);
  });

  test("delivers an error at its position, and can be closed while reads are pending", async () => {
    const failing = fromItems([1, 2]).interleave(
      (x) => {
        if (x === 1) throw new Error("one");
        return slow(x);
      },
      { parallel: true },
    );
    await expect(failing.toArray()).rejects.toMatchObject({ code: "user-function" });
    expect(await failing.ignoreErrors().toArray()).toEqual([20, 21, 22, 23]);
    for await (const row of fromItems([1, 2]).interleave(slow, { parallel: true })) {
      expect(row).toBe(10);
      break;
    }
  });
});

describe("sampleFromDatasets", () => {
  test("draws by weight, reproducibly for a seed, and differently in the next pass", async () => {
    const many = (x: number) => fromItems(Array.from({ length: 3000 }, () => x));
    const sampled = sampleFromDatasets([many(0), many(1), many(2)], { weights: [1, 3, 0], seed: 5 });
    const [first, second] = [await sampled.take(2000).toArray(), await sampled.take(2000).toArray()];
    const ones = first.filter((x) => x === 1).length;
    expect(ones).toBeGreaterThan(1400);
    expect(ones).toBeLessThan(1600);
    expect(first).not.toContain(2);
    expect(first).not.toEqual(second);
    const again = sampleFromDatasets([many(0), many(1), many(2)], { weights: [1, 3, 0], seed: 5 });
    expect(await again.take(2000).toArray()).toEqual(first);
  });

  test.each([{}, { seed: 5 }])(
    "rejects skip, because each pass has a different order (options: %j)",
    async (options) => {
      const [zeros, ones] = [0, 1].map((x) => fromItems(Array.from({ length: 100 }, () => x)));
      const sampled = sampleFromDatasets([zeros!, ones!], options);
      expect(await sampled.toArray()).not.toEqual(await sampled.toArray());
      expect(() => sampled.skip(1)).toThrow(
        expect.objectContaining({ code: "invalid-argument", reason: "reshuffled" }),
      );
      expect(sampled.skip(0).take(1)).toBeDefined();
    },
  );

  test("rejects a wrong number of weights, and weights that are all 0", () => {
    expect(() => sampleFromDatasets([fromItems([1])], { weights: [1, 2] })).toThrow(/weights/);
    expect(() => sampleFromDatasets([fromItems([1])], { weights: [0] })).toThrow(/weights/);
  });
});

test("the result of chooseFromDatasets supports skip unless its choices or datasets are reshuffled", async () => {
  const choices = fromItems(Array.from({ length: 100 }, (_, index) => index % 2));
  const [zeros, ones] = [0, 1].map((x) => fromItems(Array.from({ length: 100 }, () => x)));
  const chosen = chooseFromDatasets([zeros!, ones!], choices.shuffle(100));
  expect(await chosen.toArray()).not.toEqual(await chosen.toArray());
  const reshuffled = expect.objectContaining({ code: "invalid-argument", reason: "reshuffled" }) as unknown;
  expect(() => chosen.skip(1)).toThrow(reshuffled);
  expect(() => chooseFromDatasets([zeros!.shuffle(2), ones!], choices).skip(1)).toThrow(reshuffled);
  const fixed = choices.shuffle(100, { reshuffleEachIteration: false });
  const same = chooseFromDatasets([zeros!, ones!], fixed);
  expect(await same.skip(1).toArray()).toEqual((await same.toArray()).slice(1));
});

test("chooseFromDatasets, on request, skips a dataset that has ended", async () => {
  const [a, b] = [fromItems(["a"]), fromItems(["b", "b"])];
  const choices = fromItems([0, 0, 1, 1]);
  expect(await chooseFromDatasets([a, b], choices).toArray()).toEqual(["a"]);
  expect(await chooseFromDatasets([a, b], choices, { stopOnEmpty: false }).toArray()).toEqual([
    "a",
    "b",
    "b",
  ]);
});

test("each element of a dataset is in exactly one of its shards", async () => {
  const source = fromItems(Array.from({ length: 23 }, (_, x) => x));
  const shards = await Promise.all([0, 1, 2].map((index) => source.shard(3, index).toArray()));
  expect(shards.flat().toSorted((a, b) => a - b)).toEqual(await source.toArray());
  expect(source.shard(3, 2).cardinality()).toBe(shards[2]?.length);
  expect(() => source.shard(3, 3)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
});
