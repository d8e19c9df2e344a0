import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import type { RecordContainer, RecordPart } from "@tfxio/format";
import { fixedLengthContainer, linesContainer, sizeDelimitedContainer } from "@tfxio/format/containers";
import { bytesSource, type ByteSource } from "@tfxio/wire";
import { DEFAULT_LIMITS } from "../src/limits.js";
import { chunked, utf8 } from "./sources.js";

interface Cutting<Options extends object> {
  readonly container: RecordContainer<Options>;
  readonly options: Options;
}

const withDefaults = <Options extends object>(
  container: RecordContainer<Options>,
  options: Partial<Options> = {},
): Cutting<Options> => ({ container, options: { ...container.defaults, ...options } });

async function partsOf<Options extends object>(
  { container, options }: Cutting<Options>,
  source: ByteSource,
  partBytes: number,
): Promise<readonly RecordPart[]> {
  const cuts = await container.cuts!(source, { options, limits: DEFAULT_LIMITS, partBytes });
  const first = { byteOffset: 0, recordIndex: 0 };
  return [first, ...cuts].map(({ byteOffset: start, recordIndex }, at) => ({
    start,
    end: cuts[at]?.byteOffset ?? source.byteLength,
    firstRecordIndex: recordIndex,
  }));
}

async function recordsOf<Options extends object>(
  { container, options }: Cutting<Options>,
  source: ByteSource,
  part?: RecordPart,
): Promise<{ readonly texts: string[]; readonly indices: number[] }> {
  const texts: string[] = [];
  const indices: number[] = [];
  for await (const block of container.blocks(source, { options, limits: DEFAULT_LIMITS, part })) {
    for (let index = 0; index < block.numRecords; index++) {
      texts.push(new TextDecoder().decode(block.bytes.subarray(block.starts[index], block.ends[index])));
      indices.push(block.firstRecordIndex + index);
    }
  }
  return { texts, indices };
}

describe("lines", () => {
  test.each([
    "a\nbb\r\n\n\nccc\rc\nlast",
    "\uFEFFa mark\nand more\n",
    "one line of some length without its end",
    "\n\n\n\n",
    "",
  ])("of %j are the same whether the file is read whole or in parts of any size", async (text) => {
    const lines = withDefaults(linesContainer);
    const whole = await recordsOf(lines, bytesSource(utf8(text)));
    for (let partBytes = 1; partBytes <= text.length + 2; partBytes++) {
      for (const chunkBytes of [1, 3, 1000]) {
        const source = chunked(utf8(text), chunkBytes);
        const parts = await partsOf(lines, source, partBytes);
        const found = await Promise.all(parts.map((part) => recordsOf(lines, source, part)));
        expect(found.flatMap(({ texts }) => texts)).toEqual(whole.texts);
      }
    }
  });

  test("of a source that is compressed or of unknown length are read as one part", async () => {
    const gzip = new Uint8Array(gzipSync("a\nb\nc\n"));
    expect(await partsOf(withDefaults(linesContainer), bytesSource(gzip), 1)).toHaveLength(1);
    const told = withDefaults(linesContainer, { compression: "gzip" });
    expect(await partsOf(told, bytesSource(gzip), 1)).toHaveLength(1);
    const endless = { ...bytesSource(utf8("a\nb\n")), byteLength: undefined };
    expect(await partsOf(withDefaults(linesContainer), endless, 1)).toHaveLength(1);
  });

  test("of a source are grouped into parts, and finding the parts reads at most 64 KiB near each split point", async () => {
    const bytes = utf8(`${"x".repeat(99)}\n`.repeat(100_000));
    const source = bytesSource(bytes);
    let numBytes = 0;
    const counted: ByteSource = {
      ...source,
      slice(start, end, options) {
        numBytes += Math.min(end, bytes.length) - start;
        return source.slice(start, end, options);
      },
    };
    expect(await partsOf(withDefaults(linesContainer), counted, 1_000_000)).toHaveLength(10);
    expect(numBytes).toBeLessThan(10 * 65_536 + 3);
  });
});

test("a source of fixed-length records is split into parts without being read, and the records keep their numbers", async () => {
  const bytes = utf8(`head${"abcdefghijklmno".repeat(3)}`);
  const fixed = withDefaults(fixedLengthContainer, { recordBytes: 5, headerBytes: 4, compression: "none" });
  const unread: ByteSource = {
    ...bytesSource(bytes),
    slice: () => {
      throw new Error("read");
    },
  };
  for (let partBytes = 1; partBytes < 60; partBytes++) {
    const parts = await partsOf(fixed, unread, partBytes);
    expect(parts).toHaveLength(Math.ceil(9 / Math.ceil(partBytes / 5)));
    const found = await Promise.all(parts.map((part) => recordsOf(fixed, chunked(bytes, 7), part)));
    expect(found.flatMap(({ texts }) => texts)).toEqual([
      "abcde",
      "fghij",
      "klmno",
      "abcde",
      "fghij",
      "klmno",
      "abcde",
      "fghij",
      "klmno",
    ]);
    expect(found.flatMap(({ indices }) => indices)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  }
});

test("the container of size-delimited records has no `cuts` function", () => {
  expect("cuts" in sizeDelimitedContainer).toBe(false);
});
