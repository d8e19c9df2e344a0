import { openAsBlob } from "node:fs";
import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { blobSource } from "../../src/sources/blob-source.js";
import { fileSource } from "../../src/files/fs-node.js";
import { collect, failure } from "../sources.js";

const bytes = Uint8Array.from({ length: 2_500_000 }, (_, index) => index * 13);
let folder = "";
let file = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "wire-changed-"));
  file = path.join(folder, "a.bin");
  writeFileSync(file, bytes);
  utimesSync(file, 1_000_000, 1_000_000);
});
afterEach(() => rmSync(folder, { recursive: true }));

const changes: Record<string, () => void> = {
  grown: () => appendFileSync(file, "more"),
  shrunk: () => truncateSync(file, 2_000_000),
  "rewritten with the same length": () => writeFileSync(file, bytes),
  replaced: () => {
    writeFileSync(`${file}.new`, bytes);
    renameSync(`${file}.new`, file);
  },
};

describe.each(Object.entries(changes))("a file that was %s after it was opened", (_, change) => {
  test("fails when it is sliced", async () => {
    const source = await fileSource(file);
    await source.slice(0, 10);
    change();
    const error = await failure(source.slice(0, 10), "io-failed");
    expect(error).toMatchObject({ uri: file, reason: "source-changed" });
    expect(error.message).toMatch(
      /expected 2500000 bytes modified at 1970-01-12T.*, found \d+ bytes modified/,
    );
    const ranges = [{ start: 2_499_000, end: 2_500_000 }];
    expect(await failure(source.slices!(ranges), "io-failed")).toMatchObject({ reason: "source-changed" });
  });

  test("fails when it is streamed", async () => {
    const source = await fileSource(file);
    change();
    expect(await failure(source.stream()[Symbol.asyncIterator]().next(), "io-failed")).toMatchObject({
      reason: "source-changed",
    });
  });
});

describe("a file that changes while it is being streamed", () => {
  test.each(["grown", "shrunk", "rewritten with the same length"])(
    "fails at the end, and yields no more bytes than its original length (change: %s)",
    async (name) => {
      const source = await fileSource(file);
      const parts: Uint8Array[] = [];
      const reading = (async () => {
        for await (const chunk of source.stream()) {
          if (parts.length === 0) changes[name]!();
          parts.push(chunk);
        }
      })();
      expect(await failure(reading, "io-failed")).toMatchObject({ reason: "source-changed" });
      expect(Buffer.concat(parts).length).toBeLessThanOrEqual(bytes.length);
    },
  );
});

describe("versions", () => {
  test("of files consist of size and modification time", async () => {
    const before = (await fileSource(file)).version;
    expect(before).toBe("2500000-1000000000");
    appendFileSync(file, "x");
    expect((await fileSource(file)).version).not.toBe(before);
  });

  test("are absent for a Blob, and consist of size and time for a File", () => {
    expect(blobSource(new Blob(["a"])).version).toBeUndefined();
    expect(blobSource(new File(["a"], "f", { lastModified: 7 })).version).toBe("1-7");
  });
});

test("a Blob from openAsBlob cannot be read after its file has changed", async () => {
  const source = blobSource(await openAsBlob(file), "picked");
  appendFileSync(file, "x");
  expect(await failure(collect(source.stream()), "io-failed")).toMatchObject({ reason: "source-changed" });
});
