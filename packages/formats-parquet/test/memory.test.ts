import { expect, test } from "@jest/globals";
import { ColumnPath } from "@tfxio/schema";
import { bytesSource } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { fixture, handedSource } from "./probe.js";
import { readBatches } from "./read-parquet.js";

// 2,000 rows in pages of 50. The ids count from 0; fixtures/make.py describes the other columns.
const FILES = ["pages-v1.parquet", "pages-v2.parquet"];
const IDS = Array.from({ length: 2000 }, (_, row) => BigInt(row));

function idsOf(batches: readonly RecordBatch[]): readonly bigint[] {
  return batches.flatMap((batch) => [...(batch.getChild("id") as Iterable<bigint>)]);
}

/** Computes the position of the footer from its length, which precedes the last 4 bytes of the file. */
function footerStart(file: Uint8Array): number {
  return file.length - 8 - new DataView(file.buffer, file.byteOffset).getUint32(file.length - 8, true);
}

test.each(FILES)("batches of %s do not change while later batches are read", async (name) => {
  for (const batchSize of [7, 50, 333, 5000]) {
    const batches = await readBatches(handedSource(fixture(name)).source, { batchSize });
    expect(idsOf(batches)).toEqual(IDS);
  }
});

test.each(FILES)("a batch of %s keeps no other rows in memory", async (name) => {
  const columns = [ColumnPath.of("id")];
  const [batch] = await readBatches(bytesSource(fixture(name)), { batchSize: 10, columns });
  // Ten numbers of 8 bytes, which arrow-js may pad to a multiple of 64 bytes.
  expect(batch?.getChild("id")?.data[0]?.values.buffer.byteLength).toBeLessThanOrEqual(128);
});

test.each(FILES)("the pages of %s are freed after they are decoded", async (name) => {
  const file = fixture(name);
  const { source, slices } = handedSource(file);
  await readBatches(source);
  const ofPages = slices.filter(({ end }) => end <= footerStart(file));
  expect(ofPages.length).toBeGreaterThan(0);
  expect(ofPages.filter(({ buffer }) => buffer.byteLength > 0)).toEqual([]);
});

test.each(FILES)("%s can be read twice from a source that does not hand over its slices", async (name) => {
  const file = fixture(name);
  const copy = file.slice();
  const source = bytesSource(file);
  expect(idsOf(await readBatches(source))).toEqual(IDS);
  expect(file).toEqual(copy);
  expect(idsOf(await readBatches(source))).toEqual(IDS);
});
