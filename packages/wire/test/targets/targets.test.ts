import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, inflateSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { ByteStore } from "../../src/sources/byte-store.js";
import type { ByteTarget } from "../../src/targets/byte-target.js";
import { compressedTarget } from "../../src/compression/compressed-target.js";
import { countingTarget } from "../../src/targets/counting-target.js";
import { memoryTarget } from "../../src/targets/memory-target.js";
import { openTarget } from "../../src/targets/open-target.js";
import { removeFile, renameFile } from "../../src/files/settled-files-node.js";
import { temporaryPathOf } from "../../src/files/temporary-file-node.js";
import { writeTfRecords } from "../../src/tfrecord/tfrecord-write.js";
import { failure } from "../sources.js";

let folder = "";
const at = (...names: string[]) => path.join(folder, ...names);
const text = (value: string) => new TextEncoder().encode(value);
const describeOnPosix = process.platform === "win32" ? describe.skip : describe;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "wire-target-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function write(input: string | URL, value: string): Promise<void> {
  const target = await openTarget(input);
  await target.write(text(value));
  await target.commit();
}

describe("renameFile and removeFile", () => {
  test("accept a file that does not exist, and renameFile replaces an existing file", async () => {
    await write(at("a"), "new");
    await write(at("b"), "old");
    expect(await renameFile(at("a"), pathToFileURL(at("b")))).toBe(true);
    expect(readFileSync(at("b"), "utf8")).toBe("new");
    expect(await renameFile(at("a"), at("b"))).toBe(false);
    expect(await renameFile(at("b", "a"), at("c"))).toBe(false);
    await removeFile(at("b"));
    await removeFile(at("b"));
    expect(readdirSync(folder)).toEqual([]);
  });

  test("report errors of the file system", async () => {
    await write(at("a"), "x");
    expect(await failure(renameFile(at("a"), at("none", "b")))).toMatchObject({ code: "not-found" });
    mkdirSync(at("full"));
    expect(await failure(removeFile(at("full")))).toMatchObject({ code: "io-failed", reason: "file" });
  });
});

describe("a file target", () => {
  test("does not exist under its name before it is committed", async () => {
    const target = await openTarget(at("a"));
    expect(target.uri).toBe(at("a"));
    await target.write(text("one "));
    await target.write(text("two"));
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.a\..*\.tmp$/)]);
    await target.commit();
    expect(readdirSync(folder)).toEqual(["a"]);
    expect(readFileSync(at("a"), "utf8")).toBe("one two");
  });

  test("accepts file: URLs, and leaves no file when it is discarded, even twice or after a commit", async () => {
    const target = await openTarget(pathToFileURL(at("a")));
    await target.write(text("x"));
    await target.discard();
    await target.discard();
    await write(at("b"), "b");
    const committed = await openTarget(at("c"));
    await committed.commit();
    await committed.discard();
    expect(readdirSync(folder)).toEqual(["b"]);
  });

  test("rejects a missing folder, a directory, and a name with a trailing slash", async () => {
    expect(await failure(openTarget(at("no", "a")), "not-found")).toMatchObject({ uri: at("no") });
    for (const name of [folder, `${at("a")}/`]) {
      expect(await failure(openTarget(name), "invalid-argument")).toMatchObject({ reason: "directory" });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test("can have a name of 250 bytes", async () => {
    await write(at("ü".repeat(125)), "x");
    expect(readdirSync(folder)).toEqual(["ü".repeat(125)]);
  });
});

describeOnPosix("a file target on POSIX", () => {
  test("writes through symbolic links, even to a missing file, and rejects loops and links to folders", async () => {
    mkdirSync(at("sub"));
    writeFileSync(at("sub", "real"), "old");
    symlinkSync("sub/real", at("link"));
    symlinkSync("link", at("chain"));
    symlinkSync("sub/later", at("dangling"));
    await write(at("chain"), "new");
    await write(at("dangling"), "made");
    expect(readFileSync(at("sub", "real"), "utf8")).toBe("new");
    expect(readFileSync(at("sub", "later"), "utf8")).toBe("made");
    for (const name of ["chain", "link", "dangling"]) expect(lstatSync(at(name)).isSymbolicLink()).toBe(true);
    expect(readdirSync(at("sub")).sort()).toEqual(["later", "real"]);
    symlinkSync("loop", at("loop"));
    expect(await failure(openTarget(at("loop")), "io-failed")).toMatchObject({ reason: "file" });
    symlinkSync("sub", at("folder"));
    expect(await failure(openTarget(at("folder")), "invalid-argument")).toMatchObject({
      reason: "directory",
    });
  });

  test("keeps the mode of the file that it replaces", async () => {
    writeFileSync(at("a"), "old");
    chmodSync(at("a"), 0o640);
    await write(at("a"), "new");
    expect(statSync(at("a")).mode & 0o7777).toBe(0o640);
    const mask = process.umask();
    await write(at("b"), "new");
    expect(statSync(at("b")).mode & 0o7777).toBe(0o666 & ~mask);
  });

  test("rejects a pipe and a device before writing anything", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    for (const name of [at("pipe"), "/dev/null"]) {
      expect(await failure(openTarget(name), "io-failed")).toMatchObject({ reason: "file", uri: name });
    }
    expect(readdirSync(folder)).toEqual(["pipe"]);
  });

  test("removes a temporary file only if it is for the same target and its writer no longer runs", async () => {
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    const named = (file: string, pid: number) =>
      temporaryPathOf(at(file)).replace(`.${process.pid}.`, `.${pid}.`);
    const leftover = named("a", gone);
    const alive = named("a", process.ppid);
    const other = named("b", gone);
    const foreign = at(".a.notes.tmp");
    const earlier = named("a", process.pid);
    for (const file of [leftover, alive, other, foreign, earlier]) writeFileSync(file, "x");
    utimesSync(earlier, 1, 1);
    const current = await openTarget(at("a"));
    await write(at("a"), "new");
    const left = readdirSync(folder);
    expect(left).toEqual(expect.arrayContaining([alive, other, foreign].map((file) => path.basename(file))));
    expect(left).toHaveLength(5);
    await current.commit();
    expect(readdirSync(folder)).toHaveLength(4);
  });
});

describe("openTarget", () => {
  test("creates a target in a store, returns a given target, and rejects a URI without a writable store", async () => {
    const created: string[] = [];
    const mine = memoryTarget("mem://a");
    const base = { schemes: ["mem:"], open: () => Promise.reject(new Error("unused")) };
    const store: ByteStore = {
      ...base,
      create: async (uri) => {
        created.push(uri);
        return mine;
      },
    };
    expect(await openTarget("mem://a", { stores: [store] })).toBe(mine);
    expect(created).toEqual(["mem://a"]);
    expect(await openTarget(mine)).toBe(mine);
    const readOnly = openTarget("mem://a", { stores: [base] });
    expect(await failure(readOnly, "unsupported")).toMatchObject({ reason: "read-only-store" });
    expect(await failure(openTarget("mem://a"), "unsupported")).toMatchObject({ reason: "url-scheme" });
    expect(await failure(openTarget("https://a/b"), "unsupported")).toMatchObject({ reason: "url-scheme" });
    const odd: ByteStore = { ...base, create: async () => ({}) as ByteTarget };
    expect(await failure(openTarget("mem://a", { stores: [odd] }), "invalid-argument")).toMatchObject({
      reason: "store-type",
      message: expect.stringContaining(
        "The store for mem: URIs must create a ByteTarget for mem://a, found an empty object.",
      ),
    });
  });

  test("rejects values that are not targets", async () => {
    for (const input of [5, null, undefined, {}, new Uint8Array(1)]) {
      expect(await failure(openTarget(input as never), "invalid-argument")).toMatchObject({
        reason: "target-type",
        argument: "target",
      });
    }
  });

  test("writes to a browser's file handle, whose content changes only at the commit", async () => {
    let content = "old";
    let isAborted = false;
    const handle = {
      name: "picked.csv",
      async createWritable() {
        let written = "";
        return {
          async write(bytes: Uint8Array) {
            if (bytes.length === 0) throw new DOMException("no", "NotAllowedError");
            written += new TextDecoder().decode(bytes.slice());
          },
          async close() {
            content = written;
          },
          async abort() {
            isAborted = true;
          },
        };
      },
    };
    const target = await openTarget(handle);
    expect(target.uri).toBe("picked.csv");
    await target.write(text("new"));
    await target.write(new Uint8Array(new SharedArrayBuffer(1)).fill(33));
    expect(content).toBe("old");
    await target.commit();
    expect(content).toBe("new!");
    const other = await openTarget(handle);
    expect(await failure(other.write(new Uint8Array(0)), "io-failed")).toMatchObject({ reason: "file" });
    await other.discard();
    expect(isAborted).toBe(true);
  });
});

describe("memoryTarget", () => {
  test("returns the bytes as they were when written, but only after the commit and before a discard", async () => {
    const target = memoryTarget();
    expect(target.uri).toBe("memory");
    const buffer = text("one");
    await target.write(buffer);
    buffer.fill(0);
    await target.write(text(" two"));
    expect(await failure(() => target.bytes(), "invalid-argument")).toMatchObject({
      reason: "not-committed",
    });
    await target.commit();
    expect(new TextDecoder().decode(target.bytes())).toBe("one two");
    expect(await target.blob("text/csv").text()).toBe("one two");
    expect(target.blob("text/csv").type).toBe("text/csv");
    await target.discard();
    await failure(() => target.blob(), "invalid-argument");
  });

  test("returns a new copy of its bytes each time", async () => {
    const target = memoryTarget();
    await target.write(text("a"));
    await target.commit();
    target.bytes().fill(0);
    expect(target.bytes()).toEqual(text("a"));
  });
});

describe("countingTarget", () => {
  test("counts written bytes, but not failed writes", async () => {
    const memory = memoryTarget("m");
    const target = countingTarget(memory);
    await target.write(text("abc"));
    memory.write = () => Promise.reject(new RangeError("full"));
    await expect(target.write(text("d"))).rejects.toThrow("full");
    expect(target.numBytes).toBe(3);
    await target.commit();
    expect(memory.bytes()).toHaveLength(3);
    expect(target.uri).toBe("m");
  });
});

describe("compressedTarget", () => {
  const chunk = Uint8Array.from({ length: 100_000 }, () => Math.random() * 256);

  test.each([
    ["none", (bytes: Uint8Array) => bytes],
    ["gzip", gunzipSync],
    ["zlib", inflateSync],
  ] as const)(
    "with compression %s lets the caller reuse a chunk after its write, and leaves the commit to the caller",
    async (compression, undo) => {
      const memory = memoryTarget("m");
      const target = compressedTarget(memory, compression, { level: compression === "none" ? undefined : 1 });
      expect(target.uri).toBe("m");
      const buffer = new Uint8Array(chunk.length);
      for (let n = 0; n < 20; n++) {
        buffer.set(chunk);
        buffer[0] = n;
        await target.write(buffer);
      }
      await target.finish();
      await failure(() => memory.bytes(), "invalid-argument");
      await memory.commit();
      const bytes = undo(memory.bytes());
      expect(bytes).toHaveLength(2_000_000);
      expect(Array.from({ length: 20 }, (_, n) => bytes[n * chunk.length])).toEqual(
        Array.from({ length: 20 }, (_, n) => n),
      );
    },
  );

  test("writes a valid gzip stream even without input", async () => {
    const memory = memoryTarget();
    const target = compressedTarget(memory, "gzip");
    await target.finish();
    await memory.commit();
    expect(gunzipSync(memory.bytes())).toHaveLength(0);
  });

  test("waits for a slow target", async () => {
    let release: () => void = () => {};
    const slow: ByteTarget = {
      ...memoryTarget(),
      write: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    };
    const target = compressedTarget(slow, "gzip");
    let numWritten = 0;
    const writing = (async () => {
      for (; numWritten < 100; numWritten++) await target.write(chunk);
    })();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(numWritten).toBeLessThan(10);
    slow.write = async () => {};
    release();
    await writing;
    await target.finish();
  });

  test("rejects a write or finish() with the target's error if the target fails, and can still be discarded", async () => {
    for (const numWrites of [1, 50]) {
      let isDiscarded = false;
      const failing: ByteTarget = {
        ...memoryTarget(),
        write: async () => {
          throw new RangeError("full");
        },
        discard: async () => {
          isDiscarded = true;
        },
      };
      const target = compressedTarget(failing, "gzip");
      const writing = (async () => {
        for (let n = 0; n < numWrites; n++) await target.write(chunk);
        await target.finish();
      })();
      await expect(writing).rejects.toThrow("full");
      await target.discard();
      expect(isDiscarded).toBe(true);
    }
  });

  test("can be discarded without writes, after writes and after finish(), even twice", async () => {
    for (const numWrites of [0, 1, 20]) {
      for (const isFinished of [false, true]) {
        const memory = memoryTarget();
        const target = compressedTarget(memory, "gzip");
        for (let n = 0; n < numWrites; n++) await target.write(chunk);
        if (isFinished) await target.finish();
        await target.discard();
        await target.discard();
        await memory.commit();
        expect(memory.bytes()).toHaveLength(0);
      }
    }
  });

  test("rejects an unknown compression, an invalid level and an unknown option", async () => {
    const errors = [
      await failure(() => compressedTarget(memoryTarget(), "brotli" as never), "invalid-argument"),
      await failure(() => compressedTarget(memoryTarget(), "gzip", { level: 10 }), "invalid-argument"),
      await failure(
        () => compressedTarget(memoryTarget(), "gzip", { speed: 1 } as never),
        "invalid-argument",
      ),
    ];
    expect(errors.map(({ argument }) => argument)).toEqual(["compression", "level", "speed"]);
  });
});

describe("writeTfRecords with a target or a store", () => {
  test("compresses according to the name of the target, and commits the target", async () => {
    const memory = memoryTarget("a.gz");
    const summary = await writeTfRecords([text("a")], memory);
    expect(gunzipSync(memory.bytes())).toHaveLength(17);
    expect(summary).toEqual({ uris: ["a.gz"], numRecords: 1, numBytes: memory.bytes().length });
  });

  test("discards the target if a record is invalid", async () => {
    let isDiscarded = false;
    const target: ByteTarget = { ...memoryTarget(), discard: async () => void (isDiscarded = true) };
    await failure(writeTfRecords([5 as never], target), "invalid-argument");
    expect(isDiscarded).toBe(true);
  });

  test("names shards in a store, and rejects shards for a given target", async () => {
    const made: ReturnType<typeof memoryTarget>[] = [];
    const store: ByteStore = {
      schemes: ["mem:"],
      open: () => Promise.reject(new Error("unused")),
      create: async (uri) => {
        const target = memoryTarget(uri);
        made.push(target);
        return target;
      },
    };
    const { uris } = await writeTfRecords([text("a")], "mem://b/a.tfrecord", {
      numShards: 2,
      stores: [store],
    });
    expect(uris).toEqual(["mem://b/a.tfrecord-00000-of-00002", "mem://b/a.tfrecord-00001-of-00002"]);
    expect(made.map((target) => target.bytes().length)).toEqual([17, 0]);
    const error = await failure(writeTfRecords([], memoryTarget(), { numShards: 2 }), "invalid-argument");
    expect(error.reason).toBe("target-type");
  });
});
