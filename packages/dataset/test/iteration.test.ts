import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "@jest/globals";
import { type ColumnBlock, Dataset, fromBlocks, fromItems } from "../src/index.js";
import { dense } from "./host-columns.js";

function block(...values: number[]): ColumnBlock {
  return { numRows: values.length, columns: { x: dense(Float32Array.from(values), [values.length]) } };
}

/**
 * A source that yields two blocks, then waits for its signal. It logs when it is opened, when it begins to wait, and when it is
 * freed.
 */
function watchedSource() {
  const events: string[] = [];
  const dataset = fromBlocks(async function* ({ signal }) {
    events.push("open");
    try {
      yield block(1, 2);
      yield block(3);
      events.push("wait");
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    } finally {
      events.push("free");
    }
  });
  return { events, dataset };
}

describe("an iterator", () => {
  test("has no effect before the first next()", async () => {
    const { events, dataset } = watchedSource();
    const iterator = await dataset.shuffle(2).batch(1).prefetch(2).iterator();
    expect(events).toEqual([]);
    await iterator.close();
    expect(events).toEqual([]);
    expect(await iterator.next()).toEqual({ value: null, done: true });
  });

  test("ends with { value: null, done: true }, again and again", async () => {
    const iterator = await fromItems([1]).iterator();
    expect(await iterator.next()).toEqual({ value: 1, done: false });
    for (let i = 0; i < 3; i++) expect(await iterator.next()).toEqual({ value: null, done: true });
  });

  test("answers overlapping calls in call order", async () => {
    const iterator = await fromItems([1, 2, 3])
      .map(async (x) => {
        await new Promise((resolve) => setTimeout(resolve, 5 - x));
        return x;
      })
      .iterator();
    const results = await Promise.all([iterator.next(), iterator.next(), iterator.next(), iterator.next()]);
    expect(results.map(({ value }) => value)).toEqual([1, 2, 3, null]);
  });

  test("frees its source when a loop ends early", async () => {
    const { events, dataset } = watchedSource();
    for await (const row of dataset) {
      expect(row).toEqual({ x: 1 });
      break;
    }
    expect(events).toEqual(["open", "free"]);
  });

  test("frees its source and ends a pending next() on return()", async () => {
    const { events, dataset } = watchedSource();
    const iterator = await dataset.batch(10).iterator();
    const waiting = iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(events).toEqual(["open", "wait"]);
    expect(await iterator.return()).toEqual({ value: null, done: true });
    expect(events).toEqual(["open", "wait", "free"]);
    expect(await waiting).toEqual({ value: null, done: true });
  });

  test("frees its source through Symbol.asyncDispose", async () => {
    const { events, dataset } = watchedSource();
    const iterator = await dataset.iterator();
    await iterator.next();
    await iterator[Symbol.asyncDispose]();
    expect(events).toEqual(["open", "free"]);
  });

  test("does not wait for a source that ignores its signal", async () => {
    const dataset = fromBlocks(async function* () {
      yield block(1);
      await new Promise(() => undefined);
    });
    const iterator = await dataset.prefetch(2).iterator();
    await iterator.next();
    expect(await iterator.return()).toEqual({ value: null, done: true });
  });

  test("frees its source when garbage-collected before the end of the pass", async () => {
    const { events, dataset } = watchedSource();
    await (await dataset.iterator()).next();
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    for (let i = 0; i < 50 && !events.includes("free"); i++) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      collectGarbage();
    }
    expect(events).toEqual(["open", "free"]);
  });

  test("does not keep its dataset alive after the last element", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const freed: string[] = [];
    const registry = new FinalizationRegistry<string>((name) => void freed.push(name));
    const read = async (): Promise<void> => {
      const dataset = fromItems([1, 2]);
      registry.register(dataset, "dataset");
      for await (const item of dataset) expect(item).toBeGreaterThan(0);
    };
    await read();
    for (let turn = 0; turn < 50 && freed.length === 0; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      collectGarbage();
    }
    expect(freed).toEqual(["dataset"]);
  });

  test("rejects with the signal's reason, unwrapped, and is then finished", async () => {
    const { events, dataset } = watchedSource();
    const controller = new AbortController();
    const iterator = await dataset.batch(10).prefetch(1).iterator({ signal: controller.signal });
    const waiting = iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(events).toEqual(["open", "wait", "free"]);
    expect(await iterator.next()).toEqual({ value: null, done: true });
  });

  test("rejects without opening anything if the signal was aborted beforehand", async () => {
    const { events, dataset } = watchedSource();
    const signal = AbortSignal.abort("never mind");
    await expect(dataset.toArray({ signal })).rejects.toBe("never mind");
    expect(events).toEqual([]);
  });

  test("frees its source when the signal is aborted between two calls", async () => {
    const { events, dataset } = watchedSource();
    const controller = new AbortController();
    const iterator = await dataset.iterator({ signal: controller.signal });
    await iterator.next();
    controller.abort("stop");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(events).toEqual(["open", "free"]);
    await expect(iterator.next()).rejects.toBe("stop");
    expect(await iterator.next()).toEqual({ value: null, done: true });
  });

  test("is not disturbed by a signal that is aborted after the end", async () => {
    const controller = new AbortController();
    const iterator = await fromItems([1]).iterator({ signal: controller.signal });
    await iterator.next();
    await iterator.next();
    controller.abort("late");
    expect(await iterator.next()).toEqual({ value: null, done: true });
  });

  test("is finished after an error from its source", async () => {
    const dataset = fromBlocks(function* () {
      yield block(1);
      throw new Error("disk on fire");
    });
    const iterator = await dataset.iterator();
    await iterator.next();
    await expect(iterator.next()).rejects.toMatchObject({
      code: "user-function",
      operator: "fromBlocks",
      cause: new Error("disk on fire"),
    });
    expect(await iterator.next()).toEqual({ value: null, done: true });
  });

  test.each([
    [
      "next()",
      async (dataset: Dataset<unknown>) => {
        const iterator = await dataset.iterator();
        for (;;) await iterator.next();
      },
    ],
    [
      "`for await`",
      async (dataset: Dataset<unknown>) => {
        for await (const row of dataset) expect(row).toEqual({ x: 1 });
      },
    ],
    ["toArray()", async (dataset: Dataset<unknown>) => dataset.toArray()],
  ])("frees its source before %s rejects because of an error in one element", async (_name, read) => {
    const { events, dataset } = watchedSource();
    const failing = dataset
      .map((row) => {
        if (row.x === 2) throw new RangeError("two");
        return row;
      })
      .prefetch(2);
    await expect(read(failing)).rejects.toMatchObject({ cause: new RangeError("two") });
    expect(events.at(-1)).toBe("free");
  });

  test("ends after an error in one element, unless told to continue", async () => {
    const dataset = fromItems([1, 2, 3]).map((x) => {
      if (x === 2) throw new RangeError("two");
      return x;
    });
    const ended = await dataset.iterator();
    await ended.next();
    const overlapping = [ended.next(), ended.next(), ended.next()] as const;
    await expect(overlapping[0]).rejects.toThrow("two");
    expect(await overlapping[1]).toEqual({ value: null, done: true });
    expect(await overlapping[2]).toEqual({ value: null, done: true });

    const iterator = await dataset.iterator({ onElementError: "continue" });
    expect(await iterator.next()).toEqual({ value: 1, done: false });
    await expect(iterator.next()).rejects.toMatchObject({
      code: "user-function",
      operator: "map",
      elementIndex: 1,
      cause: new RangeError("two"),
    });
    expect(await iterator.next()).toEqual({ value: 3, done: false });
    await expect(dataset.toArray()).rejects.toThrow("[user-function]");
    await expect(dataset.iterator({ onElementError: "skip" as never })).rejects.toThrow(
      '[invalid-argument] iterator: onElementError must be "end" or "continue", found "skip".',
    );
  });

  test("lets timers run during a long computation", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const busy = fromItems(Array.from({ length: 100 }, (_, i) => i)).map((x) => {
      const end = performance.now() + 2;
      while (performance.now() < end);
      return x;
    });
    await busy.batch(100).toArray();
    clearInterval(timer);
    // In 200 ms of work, timers must run at least every 50 ms.
    expect(ticks).toBeGreaterThanOrEqual(4);
  });
});

describe("a dataset", () => {
  test("closes its open iterators on close(), and can be read again", async () => {
    const { events, dataset } = watchedSource();
    const iterator = await dataset.iterator();
    await iterator.next();
    await dataset.close();
    expect(events).toEqual(["open", "free"]);
    expect(await iterator.next()).toEqual({ value: null, done: true });
    expect(await dataset.take(3).toArray()).toEqual([{ x: 1 }, { x: 2 }, { x: 3 }]);
  });

  test("reports its size in the form that tfjs expects, and its exact cardinality", () => {
    const source = fromItems([1, 2, 3]);
    expect([source.size, source.cardinality()]).toEqual([3, 3]);
    expect(source.repeat().size).toBe(Number.POSITIVE_INFINITY);
    expect(source.filter(() => true).size).toBeNull();
    expect(fromBlocks(() => []).cardinality()).toBe("unknown");
    expect(fromBlocks(() => [], { cardinality: 12 }).batch(5).size).toBe(3);
  });

  test("has no property named next, by which tfjs recognizes iterators", () => {
    expect("next" in fromItems([1])).toBe(false);
    expect(fromItems([1])).toBeInstanceOf(Dataset);
  });

  test("has no enumerable properties for tfjs to traverse", () => {
    expect(Object.keys(fromItems([1]).batch(1))).toEqual([]);
  });

  test("ends a repeat, even an endless one, if a pass has no elements", async () => {
    expect(await fromItems([]).repeat().toArray()).toEqual([]);
    expect(
      await fromItems([1])
        .filter(() => false)
        .repeat()
        .take(1)
        .toArray(),
    ).toEqual([]);
  });

  test("supports take and skip after an endless repeat", async () => {
    expect(await fromItems([1, 2]).repeat().take(5).toArray()).toEqual([1, 2, 1, 2, 1]);
    expect(await fromItems([1, 2]).repeat().skip(1).take(3).toArray()).toEqual([2, 1, 2]);
  });

  test("rejects skip if each pass has a different order, because rows that were already read could reappear", async () => {
    const shuffled = fromItems([1, 2, 3, 4]).shuffle(4, { seed: 1 });
    const reshuffled = [shuffled, shuffled.batch(2), shuffled.map((x) => x).prefetch(1), shuffled.repeat(2)];
    for (const dataset of reshuffled as Dataset<unknown>[]) {
      expect(() => dataset.skip(1)).toThrow(
        expect.objectContaining({ code: "invalid-argument", reason: "reshuffled" }),
      );
    }
    expect(await shuffled.skip(0).toArray()).toHaveLength(4);
    const fixed = fromItems([1, 2, 3, 4]).shuffle(4, { seed: 1, reshuffleEachIteration: false });
    const parts = [...(await fixed.take(2).toArray()), ...(await fixed.skip(2).toArray())];
    expect(new Set(parts)).toEqual(new Set([1, 2, 3, 4]));
  });

  test("rejects toArray for an endless dataset", async () => {
    await expect(fromItems([1]).repeat().toArray()).rejects.toThrow("[invalid-argument] toArray");
    await expect(fromItems([1]).repeat().toArray()).rejects.toMatchObject({ reason: "infinite-dataset" });
  });

  test.each<[string, (dataset: Dataset<number>) => Dataset<unknown>]>([
    ["filter", (dataset) => dataset.filter(() => false)],
    ["batch", (dataset) => dataset.batch(1e9)],
    ["skip", (dataset) => dataset.filter(() => true).skip(1e12)],
    ["shuffle", (dataset) => dataset.shuffle(1e9)],
    ["prefetch", (dataset) => dataset.filter(() => false).prefetch(1)],
  ])("can be closed while %s runs endlessly", async (_name, apply) => {
    const iterator = await apply(fromItems([1]).repeat()).iterator();
    const waiting = iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await iterator.close();
    expect(await waiting).toEqual({ value: null, done: true });
  });

  test("keeps components whose names are special in JavaScript", async () => {
    const columns = Object.fromEntries(
      ["__proto__", "toString"].map((name) => [name, dense(Float32Array.of(1), [1])]),
    );
    const rows = await fromBlocks(() => [{ numRows: 1, columns }]).toArray();
    expect(Object.keys(rows[0] ?? {})).toEqual(["__proto__", "toString"]);
    const batches = await fromItems(rows).batch(1).toArray();
    expect(Object.keys(batches[0] ?? {})).toEqual(["__proto__", "toString"]);
  });

  test("reads no more of its source than requested", async () => {
    const seen: number[] = [];
    const source = fromItems([1, 2, 3, 4, 5, 6]).map((x) => {
      seen.push(x);
      return x;
    });
    const iterator = await source.batch(2).iterator();
    await iterator.next();
    expect(seen).toEqual([1, 2]);
    await iterator.close();
    expect(await source.take(1).toArray()).toEqual([1]);
    expect(seen).toEqual([1, 2, 1]);
  });

  test("skips empty blocks and rejects inconsistent blocks", async () => {
    expect(await fromBlocks(() => [block(), block(1), block()]).toArray()).toEqual([{ x: 1 }]);
    const wrong = { ...block(1, 2), numRows: 3 };
    await expect(fromBlocks(() => [wrong]).toArray()).rejects.toMatchObject({
      code: "shape-mismatch",
      tensorName: "x",
    });
  });

  test.each(["repeat", "take", "skip"] as const)("rejects a count of -2 or 1.5 in %s", (method) => {
    expect(() => fromItems([1])[method](-2)).toThrow(
      `[invalid-argument] ${method}: count must be an integer of at least -1, found -2`,
    );
    expect(() => fromItems([1])[method](1.5)).toThrow("[invalid-argument]");
  });

  test.each<[string, () => unknown]>([
    ["batch", () => fromItems([1]).batch(1, { zork: 1 } as never)],
    ["shuffle", () => fromItems([1]).shuffle(3, { zork: 1 } as never)],
    ["toXY", () => fromItems([{ y: 1 }]).toXY({ ys: "y", zork: 1 } as never)],
    ["withTensors", () => fromItems([1]).withTensors({ tf: { tensor: () => 0 }, zork: 1 } as never)],
    ["fromBlocks", () => fromBlocks(() => [], { zork: 1 } as never)],
    ["iterator", () => fromItems([1]).iterator({ zork: 1 } as never)],
    ["toArray", () => fromItems([1]).toArray({ zork: 1 } as never)],
  ])("rejects an option that %s does not have", async (name, call) => {
    const rejection = { code: "invalid-argument", reason: "unknown-option", argument: "zork" };
    await expect((async () => call())()).rejects.toMatchObject({
      ...rejection,
      message: expect.stringContaining(`${name} has no option "zork"; it has `),
    });
  });

  test.each<[string, () => unknown, string]>([
    ["toXY", () => fromItems([{ y: 1 }]).toXY(undefined as never), "options"],
    ["toXY", () => fromItems([{ y: 1 }]).toXY({} as never), "ys"],
    ["toXY", () => fromItems([{ y: 1 }]).toXY({ ys: "y", xs: [{}] } as never), "xs"],
    ["toXY", () => fromItems([{ y: 1 }]).toXY({ ys: [] }), "ys"],
    ["toXY", () => fromItems([{ y: 1 }]).toXY({ ys: "y", keepRank: 1 } as never), "keepRank"],
    ["batch", () => fromItems([1]).batch(1, null as never), "options"],
    ["batch", () => fromItems([1]).batch(1, { dropRemainder: "no" } as never), "dropRemainder"],
    [
      "shuffle",
      () => fromItems([1]).shuffle(1, { reshuffleEachIteration: 0 } as never),
      "reshuffleEachIteration",
    ],
    ["withTensors", () => fromItems([1]).withTensors(undefined as never), "options"],
    ["iterator", () => fromItems([1]).iterator(null as never), "options"],
    ["fromBlocks", () => fromBlocks(() => [], null as never), "options"],
    ["fromBlocks", () => fromBlocks(() => [{}] as never).toArray(), "factory"],
    ["fromBlocks", () => fromBlocks(() => [undefined] as never).toArray(), "factory"],
    [
      "fromBlocks",
      () => fromBlocks(() => [{ numRows: 1, columns: { x: [1] } }] as never).toArray(),
      "factory",
    ],
  ])("names the invalid argument of %s", async (name, call, argument) => {
    await expect((async () => call())()).rejects.toMatchObject({
      code: "invalid-argument",
      argument,
      message: expect.stringContaining(`${name}: `),
    });
  });

  test("rejects a signal that is not an AbortSignal", async () => {
    for (const signal of [1, {}, "abort"]) {
      const rejection = { code: "invalid-argument", argument: "signal" };
      await expect(fromItems([1]).iterator({ signal } as never)).rejects.toMatchObject(rejection);
      await expect(fromItems([1]).toArray({ signal } as never)).rejects.toMatchObject(rejection);
    }
  });

  test("rejects an argument of the wrong type, or out of range, as soon as a method is called", () => {
    expect(() => fromItems([1]).map(1 as never)).toThrow("[invalid-argument] map");
    expect(() => fromItems([1]).filter(undefined as never)).toThrow("[invalid-argument] filter");
    expect(() => fromBlocks([] as never)).toThrow("[invalid-argument] fromBlocks: factory");
    expect(() => fromBlocks(() => [], { cardinality: -1 })).toThrow(
      "[invalid-argument] fromBlocks: cardinality",
    );
    expect(() => fromItems(3 as never)).toThrow("[invalid-argument] fromItems");
  });
});
