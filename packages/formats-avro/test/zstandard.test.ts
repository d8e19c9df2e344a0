import { expect, test } from "@jest/globals";
import { plainRows } from "@tfxio/arrow-encoding";
import { avro } from "@tfxio/formats-avro";
import type { Limits } from "@tfxio/format";
import { bytesSource, isTfxioError } from "@tfxio/wire";

/**
 * Written by fastavro 1.13.1 with backports.zstd: codec "zstandard", sync_interval 200, twelve rows { id, name }, where name is
 * null in every fifth row, and otherwise "row N " three times.
 */
const file = Uint8Array.from(
  Buffer.from(
    "T2JqAQQUYXZyby5jb2RlYxJ6c3RhbmRhcmQWYXZyby5zY2hlbWHyAXsidHlwZSI6ICJyZWNvcmQiLCAibmFtZSI6ICJSIiwgImZpZWxkcyI6IFt7Im5hbWUiOiAiaWQiLCAidHlwZSI6ICJsb25nIn0sIHsibmFtZSI6ICJuYW1lIiwgInR5cGUiOiBbIm51bGwiLCAic3RyaW5nIl19XX0AeROXIl0zKe3BRuva/uRdtxi+ASi1L/0gxrUCAAQCAAACAiRyb3cgMSAEMgYzCDQKAAw2DjcQOBI5FAAWAioZAKoCMEvwMk3BCyAO52BABi7DOQQQgHs4BwMycJnO4YAMXIZzCCAA93AOBmTgMpyDCFe8eROXIl0zKe3BRuva/uRdtw==",
    "base64",
  ),
);

async function rowsOf(bytes: Uint8Array, limits: Partial<Limits> = {}): Promise<object[]> {
  const reader = await avro.open([bytesSource(bytes, "zstd.avro")], { limits });
  const rows: object[] = [];
  const plan = await reader.plan();
  for (const split of plan.splits) for await (const batch of plan.read(split)) rows.push(...plainRows(batch));
  return rows;
}

const rows = Array.from({ length: 12 }, (_, id) => ({
  id,
  name: id % 5 === 0 ? null : `row ${id} `.repeat(3),
}));

test("a zstandard file written by fastavro is read", async () => {
  expect(await rowsOf(file)).toEqual(rows);
});

test("a zstandard block that expands beyond the page limit is rejected", async () => {
  await expect(rowsOf(file, { maxPageBytes: 100 })).rejects.toMatchObject({
    code: "limit-exceeded",
    reason: "page-length",
  });
});

test("a damaged zstandard file is read or causes a TfxioError, and array buffers grow by less than 200 MiB", async () => {
  const before = process.memoryUsage().arrayBuffers;
  for (let at = 0; at < file.length; at++) {
    for (const flipped of [0xff, 0x80, 1]) {
      const damaged = Uint8Array.from(file);
      damaged[at]! ^= flipped;
      try {
        await rowsOf(damaged);
      } catch (error) {
        expect(isTfxioError(error)).toBe(true);
      }
    }
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200 * 2 ** 20);
});
