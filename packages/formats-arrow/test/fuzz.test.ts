import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { bytesSource, isTfxioError, Random } from "@tfxio/wire";
import { arrow } from "../src/index.js";
import { readBatches } from "./read.js";
import { written } from "./written.js";

/** Files of every type and container, if they are present. */
const folder = path.join(import.meta.dirname, "../../../../shared/goldens/arrow-files");
const numFiles = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 25_000) / 25;

const row = {
  id: 1n,
  score: 0.5,
  word: "ab",
  good: true,
  kind: "x",
  parts: [1, 2],
  point: { x: 1, y: null },
};
const own = await Promise.all(
  (["none", "lz4", "zstd"] as const).map((compression) =>
    written([row, {}, row], { batchRows: 2, options: { compression } }),
  ),
);
const foreign = ["ipc", "feather"].flatMap((name) => {
  const inside = path.join(folder, name);
  const names = existsSync(inside) ? readdirSync(inside) : [];
  return names
    .filter((file) => !file.endsWith(".json"))
    .map((file) => new Uint8Array(readFileSync(path.join(inside, file))));
});
const files = [...own, ...foreign];

test("randomly damaged files yield rows or a TfxioError", async () => {
  const random = Random.of(1, 0);
  let numRejected = 0;
  for (let index = 0; index < numFiles; index++) {
    const bytes = files[random.below(files.length)]!.slice();
    for (let left = 1 + random.below(3); left > 0 && bytes.length > 0; left--) {
      bytes[random.below(bytes.length)] = [0, 1, 0x7f, 0x80, 0xff, random.below(256)][random.below(6)]!;
    }
    try {
      // A damaged file may declare very many rows that take no bytes. Large batches keep the number of batches small.
      await readBatches(arrow, [bytesSource(bytes, "damaged")], { batchSize: 2 ** 20 });
    } catch (error) {
      if (!isTfxioError(error)) throw error;
      numRejected++;
    }
  }
  expect(numRejected).toBeGreaterThan(numFiles / 4);
});
