import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { bytesSource } from "../../src/sources/bytes-source.js";
import { fileSource } from "../../src/files/fs-node.js";
import { slicesOf, tailOf } from "../../src/sources/ranged-reads.js";
import { choppedSource, failure } from "../sources.js";

const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index * 7);
const folder = mkdtempSync(path.join(os.tmpdir(), "wire-ranged-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, "a.bin");
writeFileSync(file, bytes);

const ranges = [
  { start: 900, end: 2000 },
  { start: 0, end: 3 },
  { start: 5, end: 5 },
  { start: 2, end: 4 },
  { start: 1500, end: 1600 },
];
const expected = ranges.map(({ start, end }) => bytes.subarray(start, end));

describe("slicesOf", () => {
  test("returns ranges in the requested order, for sources with and without a slices method", async () => {
    for (const source of [bytesSource(bytes), await fileSource(file)]) {
      expect(await slicesOf(source, ranges)).toEqual(expected);
      expect(await slicesOf(source, [])).toEqual([]);
    }
    expect(await fileSource(file)).toHaveProperty("slices");
  });

  test("requests up to six slices at a time, and stops soon after a failure", async () => {
    let numRunning = 0;
    let numBegun = 0;
    let most = 0;
    const source = {
      ...bytesSource(bytes),
      async slice(start: number): Promise<Uint8Array> {
        most = Math.max(most, ++numRunning);
        numBegun++;
        await new Promise(setImmediate);
        numRunning--;
        if (start === 10) throw new RangeError("mine");
        return bytes.subarray(start, start + 1);
      },
    };
    const many = Array.from({ length: 100 }, (_, start) => ({ start, end: start + 1 }));
    await expect(slicesOf(source, many)).rejects.toThrow("mine");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(most).toBe(6);
    expect(numBegun).toBeLessThan(30);
  });

  test("rejects with the reason of an aborted signal", async () => {
    const source = { ...bytesSource(bytes), slices: () => new Promise<never>(() => {}) };
    const controller = new AbortController();
    const reading = slicesOf(source, ranges, { signal: controller.signal });
    controller.abort("enough");
    await expect(reading).rejects.toBe("enough");
  });
});

describe("tailOf", () => {
  test("returns the last bytes of any source, or all bytes of a shorter source", async () => {
    const sources = [
      bytesSource(bytes),
      await fileSource(file),
      choppedSource(bytes, () => 7),
      choppedSource(bytes, () => 2000),
      { ...choppedSource(bytes, () => 7), tail: async (n: number) => bytes.slice(Math.max(0, 1000 - n)) },
    ];
    for (const source of sources) {
      for (const numBytes of [0, 1, 7, 8, 999, 1000, 5000]) {
        expect(await tailOf(source, numBytes)).toEqual(bytes.slice(Math.max(0, 1000 - numBytes)));
      }
    }
  });

  test("copies the bytes of a stream of unknown length that overwrites its chunks, even if they are Buffers", async () => {
    for (const chunk of [new Uint8Array(4), Buffer.alloc(4)]) {
      const source = {
        uri: "reused",
        slice: async () => bytes,
        async *stream() {
          for (let n = 0; n < 5; n++) yield chunk.fill(n);
        },
      };
      expect(await tailOf(source, 6)).toEqual(Uint8Array.of(3, 3, 4, 4, 4, 4));
    }
  });

  test("rejects an invalid number of bytes", async () => {
    expect(await failure(tailOf(bytesSource(bytes), -1), "invalid-argument")).toMatchObject({
      argument: "numBytes",
    });
  });
});
