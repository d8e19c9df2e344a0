import { describe, expect, test } from "@jest/globals";
import { fromRecordBatches, type InterleaveRowsOptions, interleaveBatches } from "../src/index.js";
import { plain, rowsBatch, rowsSchema, rowsToHost } from "./arrow-rows.js";

const turn = (ms = 1): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns parts a, b and so on, with the given numbers of items. `events` logs when parts are opened, read and closed. */
function lettered(sizes: readonly number[], wait: (part: number) => Promise<void> = () => turn()) {
  const events: string[] = [];
  const parts = sizes.map((size, index) => {
    const letter = String.fromCharCode(97 + index);
    return async function* () {
      events.push(`open ${letter}`);
      try {
        for (let item = 1; item <= size; item++) {
          events.push(`read ${letter}${item}`);
          await wait(index);
          yield `${letter}${item}`;
        }
      } finally {
        events.push(`close ${letter}`);
      }
    };
  });
  return { events, parts };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("interleaveBatches", () => {
  test("takes turns among the open parts, and replaces a finished part with the next part", async () => {
    const { parts } = lettered([3, 1, 2, 0, 1]);
    expect(await collect(interleaveBatches(parts, { cycleLength: 2 }))).toEqual([
      "a1",
      "b1",
      "a2",
      "c1",
      "a3",
      "c2",
      "e1",
    ]);
    expect(await collect(interleaveBatches(lettered([2, 2]).parts, { cycleLength: 1 }))).toEqual([
      "a1",
      "a2",
      "b1",
      "b2",
    ]);
    expect(await collect(interleaveBatches([], { cycleLength: 3 }))).toEqual([]);
  });

  test("opens only cycleLength parts, at the first next(), and reads one item ahead in each", async () => {
    const { events, parts } = lettered([3, 3, 3]);
    const items = interleaveBatches(parts, { cycleLength: 2 });
    await turn(5);
    expect(events).toEqual([]);
    expect((await items.next()).value).toBe("a1");
    await turn(10);
    expect(events).toEqual(["open a", "read a1", "open b", "read b1", "read a2"]);
    await items.return();
    expect(events.slice(5).sort()).toEqual(["close a", "close b"]);
  });

  test("yields items as they arrive if `sloppy` is true", async () => {
    let arrive = (): void => {};
    const late = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { parts } = lettered([2, 4], (part) => (part === 0 ? late : turn()));
    const found: string[] = [];
    for await (const item of interleaveBatches(parts, { cycleLength: 2, sloppy: true })) {
      found.push(item);
      if (found.length === 4) arrive();
    }
    expect(found).toEqual(["b1", "b2", "b3", "b4", "a1", "a2"]);
  });

  test.each([false, true])("closes every open part on an error (sloppy: %p)", async (sloppy) => {
    const { events, parts } = lettered([3, 3]);
    const failing = async function* (): AsyncGenerator<string> {
      yield "x1";
      throw new Error("lost");
    };
    let numLeft = 0;
    const options = {
      cycleLength: 3,
      sloppy,
      onLeave: async () => {
        numLeft++;
      },
    };
    await expect(collect(interleaveBatches([...parts, failing], options))).rejects.toThrow("lost");
    expect(events.filter((event) => event.startsWith("close")).sort()).toEqual(["close a", "close b"]);
    expect(numLeft).toBe(1);
    await collect(interleaveBatches(parts, options));
    expect(numLeft).toBe(1);
  });

  test("rejects with the reason of its signal after an abort, and closes the open parts", async () => {
    const { events, parts } = lettered([9, 9]);
    const controller = new AbortController();
    const reason = new Error("enough");
    const items = interleaveBatches(parts, { cycleLength: 2, signal: controller.signal });
    await items.next();
    controller.abort(reason);
    await expect(items.next()).rejects.toBe(reason);
    expect(events.slice(-2).sort()).toEqual(["close a", "close b"]);
    const unread = interleaveBatches(parts, { cycleLength: 2, signal: controller.signal });
    await expect(unread.next()).rejects.toBe(reason);
  });

  const batches = (...starts: number[]) =>
    starts.map(
      (start) =>
        async function* () {
          yield rowsBatch([start, start + 1, start + 2, start + 3, start + 4]);
          yield rowsBatch([start + 5]);
        },
    );
  const ids = async (options: InterleaveRowsOptions): Promise<number[][]> => {
    const found = await collect(interleaveBatches(batches(0, 10, 20), options));
    return found.map((batch) => plain(rowsToHost(batch)["x"]?.values) as number[]);
  };

  test("cuts each batch into slices of at most turnRows rows, so that rows of the open parts mix", async () => {
    expect(await ids({ cycleLength: 2, turnRows: 2 })).toEqual(
      JSON.parse("[[0,1],[10,11],[2,3],[12,13],[4],[14],[5],[15],[20,21],[22,23],[24],[25]]"),
    );
  });

  test("yields the remaining rows of a batch after the batches that have already arrived, if `sloppy` is true", async () => {
    const found: number[] = [];
    const options = { cycleLength: 3, turnRows: 2, sloppy: true };
    for await (const batch of interleaveBatches(batches(0, 10, 20), options)) {
      found.push(...(plain(rowsToHost(batch)["x"]?.values) as number[]));
      await turn();
    }
    expect(found.slice(0, 6)).toEqual([0, 1, 10, 11, 20, 21]);
    expect([...found].sort((a, b) => a - b)).toEqual((await ids({ cycleLength: 1 })).flat());
  });

  test("mixes four parts so that every hundred rows of a shuffle include at least nine rows of each part", async () => {
    const parts = [0, 1, 2, 3].map(
      (part) =>
        async function* () {
          for (let k = 0; k < 4; k++) yield rowsBatch(Array.from({ length: 100 }, () => part));
        },
    );
    const mixed = fromRecordBatches(
      ({ signal }) => interleaveBatches(parts, { cycleLength: 4, turnRows: 10, signal }),
      { arrowSchema: rowsSchema, toHost: rowsToHost },
    ).shuffle(80, { seed: 5 });
    const labels = (await mixed.toArray()).map(({ x }) => x as number);
    for (let start = 0; start < 1600; start += 100) {
      for (const part of [0, 1, 2, 3]) {
        const count = labels.slice(start, start + 100).filter((label) => label === part).length;
        expect(count).toBeGreaterThan(8);
      }
    }
  });

  test("rejects wrong options at the call", () => {
    expect(() => interleaveBatches([], { cycleLength: 0 })).toThrow("cycleLength");
    expect(() => interleaveBatches([], { cycleLength: 1, turnRows: 0 })).toThrow("turnRows");
    const unknown = { cycleLength: 1, readers: 2 };
    expect(() => interleaveBatches([], unknown)).toThrow(
      expect.objectContaining({ reason: "unknown-option" }),
    );
  });
});
