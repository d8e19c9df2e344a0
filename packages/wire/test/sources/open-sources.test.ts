import { Blob, File } from "node:buffer";
import { describe, expect, test } from "@jest/globals";
import { bytesSource } from "../../src/sources/bytes-source.js";
import * as browser from "../../src/files/fs-browser.js";
import { openSources, type SourceInput } from "../../src/sources/open-sources.js";
import { failure } from "../sources.js";

describe("openSources", () => {
  test("accepts bytes, buffers, Blobs, Files and sources, and names unnamed inputs by type and position", async () => {
    const own = bytesSource(new Uint8Array([5]), "own");
    const inputs = [
      new Uint8Array([1]),
      new Uint8Array([2]).buffer,
      new Blob(["\x03"]),
      new File(["\x04"], "four.tfrecord") as globalThis.Blob,
      own,
      Buffer.from([6]),
    ];
    const sources = await openSources(inputs);
    expect(sources.map(({ uri }) => uri)).toEqual([
      "bytes:0",
      "bytes:1",
      "blob:2",
      "four.tfrecord",
      "own",
      "bytes:5",
    ]);
    const first = await Promise.all(sources.map(async (source) => (await source.slice(0, 1))[0]));
    expect(first).toEqual([1, 2, 3, 4, 5, 6]);
    expect(sources[4]).toBe(own);
  });

  test("records the origin of bytes, of a Blob and of a file", async () => {
    const [bytes, blob, file] = await openSources([
      Buffer.from([6]),
      new Blob(["\x03"]),
      import.meta.filename,
    ]);
    expect(Array.from(bytes?.origin as Uint8Array)).toEqual([6]);
    expect(await (blob!.origin as Blob).text()).toBe("\x03");
    expect(file?.origin).toBe(import.meta.filename);
    expect((await openSources(file?.origin as string))[0]?.byteLength).toBe(file?.byteLength);
  });

  test("rejects an empty list, a value that is not a source, and an unknown URL scheme", async () => {
    expect(await failure(openSources([]), "invalid-argument")).toMatchObject({ reason: "no-input" });
    for (const input of [5, null, undefined, {}, new Float32Array(1), { uri: "a" }]) {
      const error = await failure(openSources(input as unknown as SourceInput), "invalid-argument");
      expect(error.reason).toBe("source-type");
    }
    expect(await failure(openSources("gs://bucket/a"), "unsupported")).toMatchObject({
      reason: "url-scheme",
    });
  });

  test("rejects with the reason of an aborted signal", async () => {
    await expect(openSources(new Uint8Array(1), { signal: AbortSignal.abort("why") })).rejects.toBe("why");
  });
});

describe("the browser build", () => {
  test("reports that there is no file system", async () => {
    const errors = [
      await failure(browser.fileSource("a"), "unsupported"),
      await failure(browser.findFiles("*"), "unsupported"),
      await failure(browser.fileTarget("a"), "unsupported"),
    ];
    for (const error of errors) expect(error.reason).toBe("file-system");
  });
});
