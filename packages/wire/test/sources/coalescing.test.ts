import { describe, expect, jest, test } from "@jest/globals";
import type { ByteRange, ByteSource } from "../../src/sources/byte-source.js";
import { bytesSource } from "../../src/sources/bytes-source.js";
import { coalescing } from "../../src/sources/coalescing.js";
import { failure } from "../sources.js";
import { randomNumbers } from "../tfrecord-bytes.js";

const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index * 7);

function recording(base: ByteSource = bytesSource(bytes)): ByteSource & { readonly reads: ByteRange[] } {
  const reads: ByteRange[] = [];
  return {
    ...base,
    reads,
    async slices(ranges) {
      reads.push(...ranges.map(({ start, end }) => ({ start, end })));
      return Promise.all(ranges.map(({ start, end }) => base.slice(start, end)));
    },
  };
}

describe("coalescing", () => {
  test("joins ranges up to maxGapBytes apart into one read, and returns views of the joined bytes", async () => {
    const source = recording();
    const ranges = [
      { start: 300, end: 310 },
      { start: 0, end: 10 },
      { start: 20, end: 30 },
      { start: 5, end: 25 },
      { start: 41, end: 41 },
    ];
    const parts = await coalescing(source, { maxGapBytes: 10 }).slices!(ranges);
    expect(source.reads).toEqual([
      { start: 0, end: 30 },
      { start: 300, end: 310 },
    ]);
    expect(parts).toEqual(ranges.map(({ start, end }) => bytes.subarray(start, end)));
    expect(parts[1]!.buffer).toBe(parts[3]!.buffer);
  });

  test("joins ranges up to 32 KiB apart by default", async () => {
    const long = bytesSource(new Uint8Array(100_000));
    const source = recording(long);
    const second = 10 + 32 * 1024;
    await coalescing(source).slices!([
      { start: 0, end: 10 },
      { start: second, end: second + 1 },
      { start: 2 * second + 1, end: 2 * second + 2 },
    ]);
    expect(source.reads).toEqual([
      { start: 0, end: second + 1 },
      { start: 2 * second + 1, end: 2 * second + 2 },
    ]);
  });

  test("returns the same bytes as slice() for random ranges and gaps, with and without a known length", async () => {
    const random = randomNumbers(17);
    for (let round = 0; round < 300; round++) {
      const { byteLength, ...unknown } = bytesSource(bytes);
      const base: ByteSource = round % 2 === 0 ? { ...unknown, byteLength } : unknown;
      const source = coalescing(round % 3 === 0 ? base : recording(base), {
        maxGapBytes: Math.floor(random() * 500),
      });
      const ranges = Array.from({ length: Math.floor(random() * 12) }, () => {
        const start = Math.floor(random() * 5500);
        return { start, end: Math.max(0, start + Math.floor(random() * 400) - 50) };
      });
      const parts = await source.slices!(ranges);
      const expected = await Promise.all(ranges.map(({ start, end }) => base.slice(start, end)));
      expect(parts).toEqual(expected);
    }
  });

  test("passes single slices, tails and streams on to the source, and keeps the source's properties", async () => {
    const signal = new AbortController().signal;
    const base = recording();
    const tail = jest.fn(async (_numBytes: number, _options?: object) => bytes);
    const source = coalescing({ ...base, version: "1", tail });
    expect(source).toMatchObject({ uri: "bytes", byteLength: 5000, version: "1" });
    expect(await source.slice(1, 3)).toEqual(bytes.subarray(1, 3));
    await source.tail!(3, { signal });
    expect(tail).toHaveBeenCalledWith(3, { signal });
    expect(coalescing(base)).not.toHaveProperty("tail");
    for await (const chunk of source.stream({ start: 4999 })) expect(chunk).toHaveLength(1);
  });

  test("rejects invalid offsets and options", async () => {
    const errors = [
      await failure(() => coalescing(recording(), { maxGapBytes: -1 }), "invalid-argument"),
      await failure(() => coalescing(recording(), { gap: 1 } as never), "invalid-argument"),
      await failure(coalescing(recording()).slices!([{ start: -1, end: 2 }]), "invalid-argument"),
    ];
    expect(errors.map(({ argument }) => argument)).toEqual(["maxGapBytes", "gap", "start"]);
  });
});
