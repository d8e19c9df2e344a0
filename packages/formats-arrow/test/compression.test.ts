import { expect, test } from "@jest/globals";
import { compressLz4, decompressLz4 } from "../src/compression/lz4-frame.js";
import { xxHash32 } from "../src/compression/xx-hash-32.js";
import { compressZstd, decompressZstd } from "../src/compression/zstd.js";

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const hex = (bytes: string): Uint8Array => new Uint8Array(Buffer.from(bytes, "hex"));

test("xxHash32 computes the hashes that xxhsum prints", () => {
  expect(xxHash32(text(""))).toBe(0x02cc5d05);
  expect(xxHash32(text("a"))).toBe(0x550d7456);
  expect(xxHash32(text("abc"))).toBe(0x32d153ff);
  expect(xxHash32(text("Nobody inspects the spammish repetition"))).toBe(0xe2293b2f);
});

// Created with `lz4` 1.9.4 and `zstd` 1.5.4. The LZ4 frame has linked blocks, block checksums and a content checksum.
const plain = text("arrow ".repeat(20));
const lz4 = hex("04224d187440bd100000006f6172726f772006005a5072726f7720b8ea0a3f00000000646a2fe4");
const zstd = hex("28b52ffd24786d0000306172726f772001002f692902002bbd9d");

test("decompressLz4 and decompressZstd read the output of the lz4 and zstd commands", async () => {
  expect(decompressLz4(lz4, plain.length)).toEqual(plain);
  expect(await decompressZstd(zstd, plain.length)).toEqual(plain);
});

test.each([0, 1, 12, 13, 100, 65_536, 200_000, 5_000_000])(
  "LZ4 and Zstandard restore an input of %d bytes (Zstandard is not tested with 0 bytes)",
  async (length) => {
    let seed = 1;
    for (const spread of length > 1_000_000 ? [7] : [1, 7, 256]) {
      const bytes = Uint8Array.from({ length }, () => {
        seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
        return (seed >>> 16) % spread;
      });
      expect(Buffer.compare(decompressLz4(compressLz4(bytes), length), bytes)).toBe(0);
      if (length > 0)
        expect(Buffer.compare(await decompressZstd(await compressZstd(bytes), length), bytes)).toBe(0);
    }
  },
);

test("decompression rejects a wrong declared length, even 2^40 bytes", async () => {
  for (const length of [plain.length - 1, plain.length + 1, 2 ** 40]) {
    expect(() => decompressLz4(lz4, length)).toThrow(RangeError);
    await expect(decompressZstd(zstd, length)).rejects.toThrow(RangeError);
  }
});

test("decompressLz4 rejects content that does not match its checksum", () => {
  const damaged = lz4.slice();
  damaged[damaged.length - 1]! ^= 1;
  expect(() => decompressLz4(damaged, plain.length)).toThrow("checksum");
});
