import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { arrow } from "@tfxio/formats-arrow";
import { openTfxio } from "@tfxio/io";
import { openTarget } from "@tfxio/wire";
import { tableFromArrays } from "apache-arrow";

const fileBytes = 300e6;
const numRows = 10_000;
const ids = BigInt64Array.from({ length: numRows }, (_, row) => BigInt(row));
const scores = Float64Array.from({ length: numRows }, (_, row) => row / 4);
const [batch] = tableFromArrays({ id: ids, score: scores }).batches;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tfxio-memory-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes a file that repeats the same rows. */
type WriteFile = (file: string) => Promise<void>;

const writeText =
  (header: string, row: (id: number) => string): WriteFile =>
  async (file) => {
    const rows = Buffer.from(Array.from({ length: numRows }, (_, id) => row(id)).join(""));
    const handle = await open(file, "w");
    await handle.writeFile(header);
    for (let written = 0; written < fileBytes; written += rows.length) await handle.writeFile(rows);
    await handle.close();
  };

const writeArrow =
  (container: "file" | "stream", compression: "none" | "zstd"): WriteFile =>
  async (file) => {
    const target = await openTarget(file);
    const writer = await arrow.createWriter(target, {
      arrowSchema: batch!.schema,
      options: { container, compression },
    });
    for (let written = 0; written < fileBytes; written += numRows * 16) await writer.write(batch!);
    await writer.finish();
    await target.commit();
  };

/**
 * Forces garbage collections, and returns the number of bytes in live array buffers. Unlike resident memory, this number does not
 * depend on when V8 collects garbage.
 */
async function liveBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let round = 0; round < 3; round++) {
    collect();
    // Another thread frees dead buffers.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return process.memoryUsage().arrayBuffers;
}

describe("during a read of a file whose uncompressed size is 300 MB, the memory of array buffers", () => {
  test.each<readonly [string, WriteFile]>([
    ["data.csv", writeText("id,score\n", (id) => `${id},${id / 4}\n`)],
    ["data.jsonl", writeText("", (id) => `{"id":${id},"score":${id / 4}}\n`)],
    ["data.arrow", writeArrow("file", "none")],
    ["zstd.arrow", writeArrow("file", "zstd")],
    ["data.arrows", writeArrow("stream", "none")],
    ["zstd.arrows", writeArrow("stream", "zstd")],
  ])(
    "grows by less than 24 MB: %s",
    async (name, write) => {
      const file = path.join(folder, name);
      await write(file);
      const tfxio = await openTfxio(file);
      const before = await liveBytes();
      const live: number[] = [];
      let [numRead, next] = [0, 0];
      for await (const { numRows: inBatch } of tfxio.recordBatches({ workers: 0 })) {
        numRead += inBatch;
        if (numRead < next) continue;
        next = numRead + 2_000_000;
        live.push((await liveBytes()) - before);
      }
      expect(live.length).toBeGreaterThan(4);
      expect(Math.max(...live)).toBeLessThan(24e6);
      await rm(file);
    },
    120_000,
  );
});
