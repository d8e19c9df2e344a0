import { describe, expect, test } from "@jest/globals";
import { type ColumnBlock, type Dataset, fromBlocks, fromItems } from "../src/index.js";
import { dense, ragged, sparse, strings } from "./host-columns.js";

const numbers = Array.from({ length: 100 }, (_, i) => i);

function shuffled(seed: number, options: { reshuffleEachIteration?: boolean } = {}): Dataset<number> {
  return fromItems(numbers).shuffle(10, { seed, ...options });
}

describe("shuffle", () => {
  test("has the same order for the same seed, and a different order for another seed", async () => {
    const order = await shuffled(1).toArray();
    expect(await shuffled(1).toArray()).toEqual(order);
    expect(await shuffled(2).toArray()).not.toEqual(order);
    expect([...order].sort((a, b) => a - b)).toEqual(numbers);
  });

  test("draws as documented, so that a seed gives the same order in every release", async () => {
    // The documented algorithm: draw an index in a buffer of 10, move the last row into the drawn slot, and append a new row.
    const { Random } = await import("@tfxio/wire");
    const random = Random.of(1, 0);
    const buffer = numbers.slice(0, 10);
    const expected: number[] = [];
    for (let next = 10; buffer.length > 0; next++) {
      const index = random.below(buffer.length);
      expected.push(buffer[index] as number);
      const last = buffer.pop() as number;
      if (index < buffer.length) buffer[index] = last;
      if (next < 100) buffer.push(next);
    }
    expect(await shuffled(1).toArray()).toEqual(expected);
  });

  test("gives each pass a new order from the seed and the pass number, even within repeat", async () => {
    const dataset = shuffled(1);
    const first = await dataset.toArray();
    const second = await dataset.toArray();
    expect(second).not.toEqual(first);
    expect(await shuffled(1).repeat(2).toArray()).toEqual([...first, ...second]);
  });

  test("counts no pass for an iterator that is never read", async () => {
    const dataset = shuffled(1);
    await dataset.iterator();
    expect(await dataset.toArray()).toEqual(await shuffled(1).toArray());
  });

  test("keeps its order if reshuffling is off, even without a seed", async () => {
    const dataset = shuffled(1, { reshuffleEachIteration: false });
    expect(await dataset.toArray()).toEqual(await dataset.toArray());
    const unseeded = fromItems(numbers).shuffle(100, { reshuffleEachIteration: false });
    expect(await unseeded.toArray()).toEqual(await unseeded.toArray());
  });

  test("has the same order, however rows are requested", async () => {
    const order = await shuffled(3).toArray();
    const oneByOne: number[] = [];
    for await (const value of shuffled(3)) oneByOne.push(value);
    const batched = await shuffled(3).prefetch(3).batch(7).toArray();
    expect(oneByOne).toEqual(order);
    expect(batched.flatMap((batch) => [...(batch.values as Float32Array)])).toEqual(order);
  });

  test("moves no element forward by more than the buffer size", async () => {
    const order = await shuffled(4).toArray();
    order.forEach((value, position) => expect(value).toBeLessThan(position + 10));
  });

  test("keeps the values of a row together, for columns of every kind", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => i);
    function* blocks(): Generator<ColumnBlock> {
      for (let start = 0; start < 40; start += 8) {
        const part = rows.slice(start, start + 8);
        yield {
          numRows: 8,
          columns: {
            id: dense(Int32Array.from(part), [8], "int32"),
            name: strings(...part.map((row) => `row ${row}`)),
            bag: sparse(
              part.map((row) => (row % 3 === 0 ? [] : [[row % 5, row] as const])),
              5,
            ),
            list: ragged(part.map((row) => Array.from({ length: row % 4 }, () => row))),
          },
        };
      }
    }
    const shuffledRows = await fromBlocks(blocks).shuffle(6, { seed: 9 }).toArray();
    expect(shuffledRows.map((row) => row["id"])).not.toEqual(rows);
    expect(shuffledRows.map((row) => row["id"] as number).sort((a, b) => a - b)).toEqual(rows);
    for (const row of shuffledRows) {
      const id = row["id"] as number;
      expect(new TextDecoder().decode(row["name"] as Uint8Array)).toBe(`row ${id}`);
      expect(row["bag"]).toMatchObject({
        indices: Int32Array.from(id % 3 === 0 ? [] : [id % 5]),
        values: Float32Array.from(id % 3 === 0 ? [] : [id]),
      });
      expect(row["list"]).toMatchObject({ shape: [id % 4], values: new Float32Array(id % 4).fill(id) });
    }
  });

  test.each([0, -1, 1.5, Number.NaN, 2 ** 53])("rejects buffer size %p at the call", (size) => {
    expect(() => fromItems([1]).shuffle(size)).toThrow("[invalid-argument] shuffle: bufferSize");
  });

  test("rejects a seed that is not a non-negative integer", () => {
    expect(() => fromItems([1]).shuffle(1, { seed: -1 })).toThrow("[invalid-argument] shuffle: seed");
    expect(() => fromItems([1]).shuffle(1, { seed: 0.5 })).toThrow("[invalid-argument] shuffle: seed");
  });
});
