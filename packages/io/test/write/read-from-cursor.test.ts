import { expect, test } from "@jest/globals";
import type { ReadOptions, ReadPlan, Split } from "@tfxio/format";
import { tableFromArrays } from "apache-arrow";
import { batchesFrom } from "../../src/write/read-from-cursor.js";

test("counts the bytes of a file over all of its splits, and from 0 again for the next file", async () => {
  const [batch] = tableFromArrays({ id: Int32Array.of(1, 2) }).batches;
  const splits = ["a", "a", "b"].map((uri, index): Split => ({ index, uri }));
  async function* read(split: Split, { onProgress }: ReadOptions = {}) {
    const progress = { position: { recordIndex: 2, byteOffset: 0 }, numRows: 2, numSkipped: 0 };
    onProgress?.({ ...progress, split, numBytes: 10 + split.index } as never);
    yield batch!;
  }
  const plan = { splits, read } as unknown as ReadPlan;
  const counts: [string, number][] = [];
  for await (const { uri, numBytesRead } of batchesFrom(plan, { split: 0, numSkipped: 0 }, undefined)) {
    counts.push([uri, numBytesRead]);
  }
  expect(counts).toEqual([
    ["a", 10],
    ["a", 21],
    ["b", 12],
  ]);
});
