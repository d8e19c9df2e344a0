import { crc32, deflateSync, gunzipSync, gzipSync, inflateSync } from "node:zlib";
import { describe, expect, jest, test } from "@jest/globals";
import type { ByteSource } from "../../src/sources/byte-source.js";
import { bytesSource } from "../../src/sources/bytes-source.js";
import { decompressed } from "../../src/compression/compression.js";
import { RecordError, SourceError } from "../../src/errors.js";
import * as browser from "../../src/compression/zlib-browser.js";
import type { DamageReport } from "../../src/compression/zlib-format.js";
import * as node from "../../src/compression/zlib-node.js";
import { choppedSource, collect, failure } from "../sources.js";
import { randomNumbers } from "../tfrecord-bytes.js";

const random = randomNumbers(3);
/** Half of the data is compressible, so that input and output chunks have different sizes. */
const bytes = Uint8Array.from({ length: 3_000_000 }, (_, index) =>
  index % 2 ? random() * 256 : index >> 12,
);
const gzip = gzipSync(bytes);
const zlib = deflateSync(bytes);
const small = { gzip: gzipSync("hello"), zlib: deflateSync("hello") };
const concat = (...parts: (Uint8Array | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const inflated = (data: Uint8Array, options = {}) =>
  collect(decompressed(bytesSource(data, "a.gz"), options));
const text = async (data: Uint8Array, options = {}) =>
  new TextDecoder().decode(await inflated(data, options));

/** Returns a source that overwrites each chunk when the next one is requested, if `reuseChunks` allows it. */
const overwritingSource = (data: Uint8Array, size: number): ByteSource => ({
  ...bytesSource(data, "overwriting"),
  async *stream({ reuseChunks } = {}) {
    for (let at = 0; at < data.length; at += size) {
      const chunk = new Uint8Array(data.subarray(at, at + size));
      yield chunk;
      if (reuseChunks === true) chunk.fill(0xee);
    }
  },
});

describe("decompressed", () => {
  test("yields the bytes of gzip, zlib and uncompressed sources", async () => {
    for (const [data, compression] of [
      [gzip, "gzip"],
      [zlib, "zlib"],
      [bytes, "none"],
      [gzip, "auto"],
      [bytes, "auto"],
    ] as const) {
      expect(Buffer.compare(await inflated(data, { compression }), bytes)).toBe(0);
    }
  });

  test("yields chunks of up to 1 MiB", async () => {
    const sizes: number[] = [];
    for await (const chunk of decompressed(bytesSource(gzip))) sizes.push(chunk.length);
    expect(Math.max(...sizes)).toBe(1 << 20);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
  });

  test("inflates zlib data only on request, because other data can begin like zlib data", async () => {
    expect(await inflated(small.zlib)).toEqual(new Uint8Array(small.zlib));
    expect(await text(small.zlib, { compression: "zlib" })).toBe("hello");
  });

  test("starts at any position in the uncompressed data, and rejects a start after the end", async () => {
    for (const data of [gzip, bytes]) {
      for (const start of [1, 1_048_576, 2_999_999, 3_000_000]) {
        expect(Buffer.compare(await inflated(data, { start }), bytes.subarray(start))).toBe(0);
      }
      const error = await failure(inflated(data, { start: 3_000_001 }), "invalid-argument");
      expect(error.reason).toBe("behind-end");
    }
  });

  test("reads all members of a gzip file, wherever chunks begin", async () => {
    const members = concat(small.gzip, gzipSync(" "), gzipSync(""), gzipSync("world"));
    for (let size = 1; size <= members.length; size++) {
      const source = choppedSource(members, () => size);
      expect(Buffer.from(await collect(decompressed(source))).toString()).toBe("hello world");
    }
  });

  test("accepts only zeros after gzip data, and nothing after zlib data", async () => {
    const zeros = new Uint8Array(600);
    expect(await text(concat(small.gzip, zeros))).toBe("hello");
    for (const rest of [concat("garbage"), concat(zeros, "x"), concat(zeros, small.gzip)]) {
      for (const size of [7, small.gzip.length, 10_000]) {
        const source = choppedSource(concat(small.gzip, rest), () => size);
        expect(await failure(collect(decompressed(source)), "corrupt-record")).toMatchObject({
          reason: "gzip",
        });
      }
    }
    for (const rest of [concat("garbage"), small.zlib, zeros]) {
      const error = await failure(
        inflated(concat(small.zlib, rest), { compression: "zlib" }),
        "corrupt-record",
      );
      expect(error.reason).toBe("zlib");
    }
  });

  test("delivers all valid bytes before reporting garbage after a gzip member", async () => {
    // A header, then a block of a type that does not exist.
    const magic = Buffer.from("1f8b080000000000000307ffff", "hex");
    // A header with every optional field: extra bytes, a name, a comment and a checksum.
    const fields = Buffer.from("1f8b081e00000000000302004142666900636f00", "hex");
    const named = concat(fields, Uint8Array.of(crc32(fields), crc32(fields) >> 8), small.gzip.subarray(10));
    expect(await text(named)).toBe("hello");
    for (const [data, expected] of [
      [gzip, bytes],
      [concat(named, gzip, small.gzip), concat("hello", bytes, "hello")],
    ] as const) {
      for (const garbage of [concat("garbage"), magic, gzip.subarray(1)]) {
        for (const size of [70_000, 10_000_000]) {
          for (const start of [0, 5, 2_999_990]) {
            const source = choppedSource(concat(data, garbage), () => size);
            const parts: Uint8Array[] = [];
            const reading = (async () => {
              for await (const part of decompressed(source, { start })) parts.push(part.slice());
            })();
            expect(await failure(reading, "corrupt-record")).toMatchObject({
              reason: "gzip",
              byteOffset: expected.length,
            });
            expect(Buffer.compare(Buffer.concat(parts), expected.subarray(start))).toBe(0);
          }
        }
      }
    }
  });

  test("passes on an error of the source when reading a damaged file a second time", async () => {
    let numPasses = 0;
    const source: ByteSource = {
      ...bytesSource(concat(small.gzip, "garbage"), "a.gz"),
      async *stream() {
        yield concat(small.gzip, "garbage").subarray(0, ++numPasses === 1 ? undefined : 5);
        if (numPasses > 1) throw new SourceError("io-failed", "the disk is gone", { uri: "a.gz" });
      },
    };
    expect(await failure(collect(decompressed(source)))).toMatchObject({ code: "io-failed" });
    expect(numPasses).toBe(2);
  });

  test("delivers no member after a member with a wrong checksum", async () => {
    const wrong = Uint8Array.from(small.gzip);
    wrong[wrong.length - 8]! ^= 1;
    const parts: Uint8Array[] = [];
    const reading = (async () => {
      for await (const part of decompressed(bytesSource(concat(small.gzip, wrong, gzip)))) parts.push(part);
    })();
    expect(await failure(reading, "corrupt-record")).toMatchObject({ reason: "gzip", byteOffset: 10 });
    expect(Buffer.concat(parts).toString()).toBe("hellohello");
  });

  test("accepts megabytes of zeros after gzip data, but no member among them, and no zeros after zlib data", async () => {
    // A gzip stream, a zero at which node:zlib stops, a member that it would lose, and padding.
    const behind = concat(gzip, Uint8Array.of(0), small.gzip, new Uint8Array(5_000_000));
    for (const size of [100_000, 1 << 20, gzip.length + 1, gzip.length + 10]) {
      const source = overwritingSource(behind, size);
      expect(await failure(collect(decompressed(source)), "corrupt-record")).toMatchObject({
        reason: "gzip",
        byteOffset: bytes.length,
      });
    }
    const padded = concat(gzip, new Uint8Array(5_000_000));
    for (const size of [100_000, 1 << 20, gzip.length]) {
      expect(Buffer.compare(await collect(decompressed(overwritingSource(padded, size))), bytes)).toBe(0);
    }
    const zlibSource = overwritingSource(concat(zlib, new Uint8Array(5_000_000)), 100_000);
    await failure(collect(decompressed(zlibSource, { compression: "zlib" })), "corrupt-record");
  });

  test("rejects a reuseChunks option that is not a boolean", async () => {
    const error = await failure(inflated(gzip, { reuseChunks: 3 }), "invalid-argument");
    expect(error.argument).toBe("reuseChunks");
  });

  test("distinguishes truncated from corrupt data, and reports the position", async () => {
    for (const compression of ["gzip", "zlib"] as const) {
      const data = { gzip, zlib }[compression];
      for (let left = 0; left < data.length; left += 300_000) {
        const error = await failure(inflated(data.subarray(0, left), { compression }), "truncated-record");
        expect(error).toMatchObject({ reason: `${compression}-truncated`, uri: "a.gz" });
        expect(error.byteOffset).toBeLessThan(bytes.length);
      }
      const checksum = Uint8Array.from(data);
      checksum[data.length - 2]! ^= 1;
      const error = await failure(inflated(checksum, { compression }), "corrupt-record");
      expect(error).toMatchObject({ reason: compression, uri: "a.gz" });
      expect(error.cause).toBeDefined();
    }
    expect(await failure(inflated(bytes, { compression: "gzip" }), "corrupt-record")).toMatchObject({
      byteOffset: 0,
    });
  });

  test("reads only a few chunks ahead of a slow consumer, and closes the source's stream on return()", async () => {
    const total = 64;
    let numRead = 0;
    let isClosed = false;
    const piece = gzip.subarray(0);
    const source: ByteSource = {
      ...bytesSource(piece),
      async *stream() {
        try {
          for (; numRead < total; numRead++) yield piece;
        } finally {
          isClosed = true;
        }
      },
    };
    const chunks = decompressed(source)[Symbol.asyncIterator]();
    await chunks.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(numRead).toBeLessThanOrEqual(3);
    await chunks.return();
    expect(isClosed).toBe(true);
  });

  test("passes on an error from the source, and the abort reason of a signal, unchanged", async () => {
    const reason = { because: "of me" };
    const failing: ByteSource = {
      ...bytesSource(gzip),
      async *stream() {
        yield gzip.subarray(0, 100_000);
        throw reason;
      },
    };
    await expect(collect(decompressed(failing))).rejects.toBe(reason);
    const controller = new AbortController();
    const chunks = decompressed(
      choppedSource(gzip, () => 100_000),
      { signal: controller.signal },
    );
    await chunks.next();
    controller.abort(reason);
    await expect(collect(chunks)).rejects.toBe(reason);
  });

  test("ends on return() while the source stalls", async () => {
    const stalled: ByteSource = {
      ...bytesSource(gzip),
      async *stream({ signal } = {}) {
        yield gzip.subarray(0, 500_000);
        await new Promise((_, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason as Error)),
        );
      },
    };
    const chunks = decompressed(stalled);
    expect((await chunks.next()).value!.length).toBeGreaterThan(0);
    expect(await chunks.return()).toEqual({ done: true, value: undefined });
  });

  test("rejects an unknown compression", async () => {
    const error = await failure(inflated(gzip, { compression: "brotli" }), "invalid-argument");
    expect(error.argument).toBe("compression");
  });
});

describe.each([
  ["node", node],
  ["browser", browser],
] as const)("the %s implementation of zlib", (name, platform) => {
  const damaged: DamageReport = (damage, cause) =>
    new RecordError("corrupt-record", damage, { cause, reason: damage });
  const chunks = (data: Uint8Array, size = 100_000) => choppedSource(data, () => size).stream();

  test.each(["gzip", "zlib"] as const)("inflates %s data produced by node:zlib", async (format) => {
    const result = await collect(platform.inflate(chunks({ gzip, zlib }[format]), format, damaged));
    expect(Buffer.compare(result, bytes)).toBe(0);
  });

  test.each(["gzip", "zlib"] as const)("produces %s data that node:zlib inflates", async (format) => {
    const result = await collect(platform.deflate(chunks(bytes), format, {}));
    expect(Buffer.compare({ gzip: gunzipSync, zlib: inflateSync }[format](result), bytes)).toBe(0);
  });

  test(`${name === "node" ? "accepts" : "rejects"} a compression level`, async () => {
    if (name === "browser") {
      const error = await failure(
        collect(platform.deflate(chunks(bytes), "gzip", { level: 1 })),
        "unsupported",
      );
      expect(error.reason).toBe("compression-level");
      return;
    }
    const [stored, smallest] = await Promise.all(
      [0, 9].map((level) => collect(platform.deflate(chunks(bytes), "gzip", { level }))),
    );
    expect(stored!.length).toBeGreaterThan(bytes.length);
    expect(smallest!.length).toBeLessThan(gzip.length * 1.01);
  });

  test("distinguishes truncated from corrupt data", async () => {
    const run = (data: Uint8Array) =>
      failure(collect(platform.inflate(chunks(data), "gzip", damaged)), "corrupt-record");
    expect((await run(gzip.subarray(0, -3))).reason).toBe("truncated");
    const corrupt = Uint8Array.from(gzip);
    corrupt[gzip.length >> 1]! ^= 0xff;
    expect((await run(corrupt)).reason).toBe("corrupt");
    // Node's DecompressionStream confirms a write before it inflates the data, so damage in the last chunk may be reported as
    // truncation. Here, the damage is in the first of three chunks.
    expect((await run(new Uint8Array(300_000))).reason).toBe("corrupt");
  });

  test(`${name === "node" ? "lets" : "does not let"} the source overwrite a chunk when the next one is requested`, async () => {
    const reused = overwritingSource(gzip, 100_000).stream({ reuseChunks: platform.TAKES_WHOLE_CHUNKS });
    expect(Buffer.compare(await collect(platform.inflate(reused, "gzip", damaged)), bytes)).toBe(0);
    // A DecompressionStream confirms a write before it inflates the data, so the chunk may still be in use.
    expect(platform.TAKES_WHOLE_CHUNKS).toBe(name === "node");
  });

  test("passes on an error from the input", async () => {
    async function* failing() {
      yield gzip.subarray(0, 1000);
      throw new RangeError("mine");
    }
    await expect(collect(platform.inflate(failing(), "gzip", damaged))).rejects.toThrow("mine");
  });

  test("closes the input when a loop over the output ends early", async () => {
    const ended = jest.fn();
    async function* input() {
      try {
        for (;;) yield gzip;
      } finally {
        ended();
      }
    }
    for await (const _ of platform.inflate(input(), "gzip", damaged)) break;
    expect(ended).toHaveBeenCalledTimes(1);
  });
});
