import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { main } from "../src/main.js";
import type { Measurement } from "../src/measurement.js";
import { generateSet } from "../src/sets/generate.js";
import { taxi } from "../src/sets/taxi.js";
import { shardFile } from "../src/threads/shard-file.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tfxio-bench-threads-"));
});
afterAll(async () => rm(folder, { recursive: true }));

test("shards divide the bytes of a file into about equal parts", async () => {
  const file = await generateSet(taxi, 100_000, folder);
  const shards = await Promise.all((await shardFile(file, 4)).map((shard) => readFile(shard)));
  expect(Buffer.concat(shards).equals(await readFile(file.path))).toBe(true);
  for (const { length } of shards) expect(Math.abs(length - file.numBytes / 4)).toBeLessThan(2000);
});

describe("bench threads", () => {
  const built = existsSync(path.join(import.meta.dirname, "../../../packages/io/dist/node/serve-node.js"));
  (built ? test : test.skip)(
    "measures owned and leased reads on the calling thread, with one worker and with two workers",
    async () => {
      const args = ["--cache", "cache", "threads", "--mb", "0.2", "--rounds", "1", "--sets", "taxi"];
      const lines: string[] = [];
      const output = { print: (line: string) => lines.push(line), progress: () => {} };
      const environment = { TFXIO_INVOKED_FROM: folder };
      expect(await main([...args, "--json", "threads.json"], environment, output)).toBe(0);
      const rows = JSON.parse(await readFile(path.join(folder, "threads.json"), "utf8")) as Measurement[];
      expect(rows.map(({ subject, unit }) => `${subject} ${unit}`)).toEqual([
        "ours:2-workers MB/s",
        "ours:1-worker MB/s",
        "ours:calling-thread MB/s",
        "ours:2-workers-leased MB/s",
        "ours:1-worker-leased MB/s",
        "ours:calling-thread-leased MB/s",
      ]);
      for (const { median } of rows) expect(median).toBeGreaterThan(0);
    },
  );
});
