import { Blob } from "node:buffer";
import { describe, expect, test } from "@jest/globals";
import { blobSource } from "../../src/sources/blob-source.js";
import { bytesSource } from "../../src/sources/bytes-source.js";
import { collect, failure } from "../sources.js";

const bytes = Uint8Array.from({ length: 3_000_000 }, (_, index) => index * 7);

for (const [name, create] of [
  ["bytesSource", () => bytesSource(bytes, "here")],
  ["blobSource", () => blobSource(new Blob([bytes]), "here")],
] as const) {
  describe(name, () => {
    test("has a URI and a length", () => {
      expect(create()).toMatchObject({ uri: "here", byteLength: 3_000_000 });
    });

    test("returns slices, clipped to the length of the source", async () => {
      const source = create();
      expect(await source.slice(5, 8)).toEqual(bytes.subarray(5, 8));
      expect(await source.slice(2_999_999, 9_000_000)).toHaveLength(1);
      expect(await source.slice(9_000_000, 9_000_001)).toHaveLength(0);
      expect(await source.slice(8, 5)).toHaveLength(0);
    });

    test("streams from any byte, in non-empty chunks", async () => {
      const source = create();
      for (const start of [0, 1, 2_999_999, 3_000_000, 4_000_000]) {
        for await (const chunk of source.stream({ start })) expect(chunk.length).toBeGreaterThan(0);
        expect(Buffer.compare(await collect(source.stream({ start })), bytes.subarray(start))).toBe(0);
      }
    });

    test("rejects invalid offsets", async () => {
      const source = create();
      for (const offset of [-1, 0.5, Number.NaN]) {
        const slicing = await failure(async () => source.slice(offset, 10), "invalid-argument");
        const streaming = await failure(collect(source.stream({ start: offset })), "invalid-argument");
        expect([slicing.argument, streaming.argument]).toEqual(["start", "start"]);
      }
    });

    test("rejects the next read of a stream with the reason of an aborted signal", async () => {
      const controller = new AbortController();
      const chunks = create().stream({ signal: controller.signal })[Symbol.asyncIterator]();
      await chunks.next();
      controller.abort("enough");
      await expect(chunks.next()).rejects.toBe("enough");
    });
  });
}

describe("bytesSource", () => {
  test("borrows its bytes, and also accepts an ArrayBuffer", async () => {
    const slice = await bytesSource(bytes).slice(1, 2);
    expect(slice.buffer).toBe(bytes.buffer);
    expect(await bytesSource(bytes.buffer).slice(0, 2)).toEqual(bytes.subarray(0, 2));
  });

  test("returns plain Uint8Arrays for a Buffer, so that their slice() copies", async () => {
    const part = await bytesSource(Buffer.from([1, 2, 3])).slice(0, 3);
    part.slice()[0] = 9;
    expect([...part]).toEqual([1, 2, 3]);
  });
});

describe("blobSource", () => {
  test("hands over its slices, so that writing to a slice changes neither the Blob nor later slices", async () => {
    const source = blobSource(new Blob([bytes]));
    expect(source.handsOverSlices).toBe(true);
    (await source.slice(0, 100)).fill(9);
    expect(await source.slice(0, 100)).toEqual(bytes.subarray(0, 100));
  });

  test("takes the name of its File, and reports a Blob that cannot be read", async () => {
    const broken = {
      size: 3,
      name: "a.tfrecord",
      slice: () => ({ arrayBuffer: () => Promise.reject(new Error("gone")) }),
    };
    const source = blobSource(broken as unknown as globalThis.Blob);
    expect(source.uri).toBe("a.tfrecord");
    expect(await failure(source.slice(0, 3), "io-failed")).toMatchObject({ uri: "a.tfrecord" });
  });
});
