import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { fileSource } from "../../src/files/fs-node.js";
import { openSources } from "../../src/sources/open-sources.js";
import { tfRecordBlocks } from "../../src/tfrecord/tfrecord-blocks.js";
import { slicesOf } from "../../src/sources/ranged-reads.js";
import { collect, failure } from "../sources.js";
import { frame } from "../tfrecord-bytes.js";

const bytes = Uint8Array.from({ length: 2_500_000 }, (_, index) => index * 13);
let folder = "";
const at = (...names: string[]) => path.join(folder, ...names);

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "wire-file-"));
  writeFileSync(at("large.bin"), bytes);
  writeFileSync(at("b.tfrecord"), "b");
  writeFileSync(at("a.tfrecord"), "a");
  writeFileSync(at("c[1].tfrecord"), "c");
  mkdirSync(at("d.tfrecord"));
  mkdirSync(at("sub"));
  writeFileSync(at("sub", "e.tfrecord"), "e");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the number of open descriptors of this process for `file`. */
function numOpen(file: string): number {
  return readdirSync("/proc/self/fd").filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === file;
    } catch {
      return false;
    }
  }).length;
}
const describeOnLinux = process.platform === "linux" ? describe : describe.skip;

describe("fileSource", () => {
  test("provides the length, slices and streams of a file", async () => {
    const source = await fileSource(at("large.bin"));
    expect(source).toMatchObject({ uri: at("large.bin"), byteLength: 2_500_000 });
    expect(await source.slice(1_000_000, 1_000_003)).toEqual(bytes.subarray(1_000_000, 1_000_003));
    expect(await source.slice(2_499_999, 9_000_000)).toHaveLength(1);
    for (const start of [0, 1_048_575, 2_500_000, 3_000_000]) {
      expect(Buffer.compare(await collect(source.stream({ start })), bytes.subarray(start))).toBe(0);
    }
  });

  test("hands over its slices, so that changing one slice changes neither the file nor a second slice", async () => {
    const source = await fileSource(at("large.bin"));
    expect(source.handsOverSlices).toBe(true);
    const range = { start: 10, end: 20 };
    const [first, second] = await slicesOf(source, [range, range]);
    first!.fill(0);
    structuredClone(first!.buffer, { transfer: [first!.buffer as ArrayBuffer] });
    expect(second).toEqual(bytes.subarray(10, 20));
    expect(await source.slice(10, 20)).toEqual(bytes.subarray(10, 20));
  });

  test("does not change a chunk when the next chunk is read", async () => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await fileSource(at("large.bin"))).stream()) chunks.push(chunk);
    expect(Buffer.compare(Buffer.concat(chunks), bytes)).toBe(0);
  });

  test("reuses two buffers if reuseChunks is true, and does not overwrite the chunk in use", async () => {
    const buffers = new Set<ArrayBufferLike>();
    let position = 0;
    for await (const chunk of (await fileSource(at("large.bin"))).stream({ reuseChunks: true })) {
      // Meanwhile, the source reads the next chunk.
      await delay(10);
      expect(Buffer.compare(chunk, bytes.subarray(position, position + chunk.length))).toBe(0);
      position += chunk.length;
      buffers.add(chunk.buffer);
    }
    expect(position).toBe(bytes.length);
    expect(buffers.size).toBe(2);
  });

  test("delivers the right bytes to two simultaneous streams", async () => {
    const source = await fileSource(at("large.bin"));
    const [first, second] = await Promise.all([
      collect(source.stream()),
      collect(source.stream({ start: 5 })),
    ]);
    expect(Buffer.compare(first, bytes)).toBe(0);
    expect(Buffer.compare(second, bytes.subarray(5))).toBe(0);
  });

  test("rejects a missing or deleted file, a directory, a file that is not regular, and an invalid path", async () => {
    const missing = await failure(fileSource(at("missing")), "not-found");
    expect(missing).toMatchObject({ uri: at("missing") });
    expect(missing.message).toContain(at("missing"));
    expect(await failure(fileSource(folder), "invalid-argument")).toMatchObject({ reason: "directory" });
    for (const file of ["", 5, null, {}] as never[]) await failure(fileSource(file), "invalid-argument");
    for (const url of ["https://example.com/a", "file:///a%2Fb"]) {
      expect((await failure(fileSource(new URL(url)), "invalid-argument")).message).toContain(url);
    }
    if (process.platform === "linux") await failure(fileSource("/dev/null"), "io-failed");
    const gone = at("gone");
    writeFileSync(gone, "x");
    const source = await fileSource(gone);
    rmSync(gone);
    await failure(collect(source.stream()), "not-found");
    await failure(source.slice(0, 1), "not-found");
  });
});

describeOnLinux("file descriptors", () => {
  test("are opened for the first chunk, and closed at the end, when a loop ends early, and on abort", async () => {
    const file = at("large.bin");
    const source = await fileSource(file);
    const untouched = source.stream();
    expect(numOpen(file)).toBe(0);
    for await (const _ of untouched) expect(numOpen(file)).toBe(1);
    expect(numOpen(file)).toBe(0);
    for await (const _ of source.stream()) break;
    expect(numOpen(file)).toBe(0);
    const controller = new AbortController();
    const reading = (async () => {
      for await (const _ of source.stream({ signal: controller.signal })) controller.abort("enough");
    })();
    await expect(reading).rejects.toBe("enough");
    expect(numOpen(file)).toBe(0);
  });

  test("are closed after a record error and after an abort between records", async () => {
    const file = at("records.tfrecord");
    const record = frame(new Uint8Array(500_000));
    writeFileSync(file, Buffer.concat([record, record, record, record, Buffer.from("garbage")]));
    const [source] = await openSources(file);
    await failure(collect(tfRecordBlocks(source!) as never), "truncated-record");
    expect(numOpen(file)).toBe(0);
    const controller = new AbortController();
    const blocks = tfRecordBlocks(source!, { signal: controller.signal });
    await blocks.next();
    expect(numOpen(file)).toBe(1);
    controller.abort("enough");
    await expect(blocks.next()).rejects.toBe("enough");
    expect(numOpen(file)).toBe(0);
  });
});

(process.platform === "win32" ? test.skip : test)(
  "a named pipe is rejected with advice to open a stream",
  async () => {
    execFileSync("mkfifo", [at("fifo")]);
    const { message } = await failure(openSources(at("fifo")), "io-failed");
    expect(message).toContain(
      `Open it as a stream: openTfxio(createReadStream(${JSON.stringify(at("fifo"))}))`,
    );
  },
);

describe("openSources with names", () => {
  const names = async (input: Parameters<typeof openSources>[0]) =>
    (await openSources(input)).map(({ uri }) => path.relative(folder, uri).split(path.sep).join("/"));

  test("sorts the matches of a glob, and omits directories", async () => {
    expect(await names(at("*.tfrecord"))).toEqual(expect.arrayContaining(["a.tfrecord", "b.tfrecord"]));
    expect(await names(at("{b,a}.tfrecord"))).toEqual(["a.tfrecord", "b.tfrecord"]);
    expect(await names(at("**/[ae].tfrecord"))).toEqual(["a.tfrecord", "sub/e.tfrecord"]);
    expect(await names(at("?.tfrecord"))).toEqual(["a.tfrecord", "b.tfrecord"]);
  });

  test("follows links to files, but follows links to folders only in the part of the pattern before **", async () => {
    const linked = at("linked");
    mkdirSync(path.join(linked, "real/deep"), { recursive: true });
    mkdirSync(path.join(linked, "data"));
    for (const file of ["real/x.rec", "real/deep/y.rec", "data/own.rec"])
      writeFileSync(path.join(linked, file), file);
    symlinkSync("../real", path.join(linked, "data/link"));
    symlinkSync("../real/x.rec", path.join(linked, "data/to-file.rec"));
    symlinkSync("..", path.join(linked, "real/deep/up"));
    const found = async (pattern: string): Promise<string[]> =>
      (await names(path.join(linked, pattern))).map((name) => name.replace("linked/", ""));
    const own = ["data/own.rec", "data/to-file.rec"];
    expect(await found("data/**/*.rec")).toEqual(own);
    expect(await found("**/*.rec")).toEqual([...own, "real/deep/y.rec", "real/x.rec"]);
    const ofLink = ["data/link/deep/y.rec", "data/link/x.rec"];
    expect(await found("data/link/**/*.rec")).toEqual(ofLink);
    expect(await found("d*/l*/**/*.rec")).toEqual(ofLink);
    expect(await found("data/*/*.rec")).toEqual(["data/link/x.rec"]);
  });

  test("prefers a file with exactly the given name to the matches of a glob", async () => {
    expect(await names(at("c[1].tfrecord"))).toEqual(["c[1].tfrecord"]);
  });

  test("keeps the order and the duplicates of a list", async () => {
    expect(await names([at("b.tfrecord"), at("{a,b}.tfrecord")])).toEqual([
      "b.tfrecord",
      "a.tfrecord",
      "b.tfrecord",
    ]);
  });

  test("reads file: URLs, as text and as URL objects, without globbing", async () => {
    const url = pathToFileURL(at("c[1].tfrecord"));
    for (const input of [url, url.href]) {
      const [source] = await openSources(input);
      expect(source!.uri).toBe(url.href);
      expect(new TextDecoder().decode(await source!.slice(0, 9))).toBe("c");
    }
  });

  test("rejects a pattern without matches, a path that does not exist, and a directory", async () => {
    const error = await failure(openSources(at("*.nothing")), "not-found");
    expect(error).toMatchObject({ uri: at("*.nothing"), reason: "no-match" });
    expect(error.message).toContain("*.nothing");
    expect(await failure(openSources(at("nothing")), "not-found")).toMatchObject({ uri: at("nothing") });
    expect(await failure(openSources(folder), "invalid-argument")).toMatchObject({ reason: "directory" });
  });
});
