import { existsSync } from "node:fs";
import path from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import type { ByteSource } from "../../src/sources/byte-source.js";
import { bytesSource } from "../../src/sources/bytes-source.js";
import { isTfxioError } from "../../src/errors.js";
import { openSources } from "../../src/sources/open-sources.js";
import type { Position } from "../../src/sources/position.js";
import { tfRecordBlocks } from "../../src/tfrecord/tfrecord-blocks.js";
import { tfRecordWindows } from "../../src/tfrecord/tfrecord-windows.js";
import { choppedSource, collect, failure, payloadsOf } from "../sources.js";
import { crc32c, frame, masked, randomNumbers, randomPayloads } from "../tfrecord-bytes.js";

const random = randomNumbers(7);
const payloads = randomPayloads(random, 60, 40);
const file = Buffer.concat(payloads.map(frame));
const offsets = payloads.map((_, index) => Buffer.concat(payloads.slice(0, index).map(frame)).length);

const read = (bytes: Uint8Array, options = {}) =>
  payloadsOf(tfRecordBlocks(bytesSource(bytes, "a"), options));

/** Returns a header with this length and a correct checksum. */
function header(length: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(length);
  return Buffer.concat([bytes, masked(bytes)]);
}

describe("the CRC-32C function of these tests", () => {
  test("matches the test vectors of RFC 3720, appendix B.4", () => {
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
    expect(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(0x46dd794e);
    expect(crc32c(Uint8Array.from({ length: 32 }, (_, i) => 31 - i))).toBe(0x113fdb5c);
  });
});

describe("tfRecordBlocks", () => {
  test("yields the same records from uncompressed, gzip and zlib files", async () => {
    expect(await read(file)).toEqual(payloads);
    expect(await read(gzipSync(file))).toEqual(payloads);
    expect(await read(deflateSync(file))).toEqual(payloads);
    expect(await read(gzipSync(file), { compression: "gzip" })).toEqual(payloads);
    expect(await read(deflateSync(file), { compression: "zlib" })).toEqual(payloads);
  });

  test("yields no record for an empty file", async () => {
    expect(await read(new Uint8Array(0))).toEqual([]);
  });

  test("reads an uncompressed file whose first bytes look like gzip or zlib", async () => {
    // 0x088b1f and 0x9c78 as little-endian lengths are the magic bytes 1f 8b 08 and 78 9c.
    for (const length of [0x088b1f, 0x9c78]) {
      const records = await read(frame(new Uint8Array(length)));
      expect(records.map((record) => record.length)).toEqual([length]);
    }
  });

  test("yields the same records for chunks of any size", async () => {
    for (let round = 0; round < 60; round++) {
      const maxSize = [1, 3, 17, 100, 2000][round % 5]!;
      const source = choppedSource(file, () => 1 + Math.floor(random() * maxSize));
      expect(await payloadsOf(tfRecordBlocks(source))).toEqual(payloads);
    }
  });

  test("keeps no view of a chunk that its source may overwrite", async () => {
    for (const compressedFile of [file, gzipSync(file)]) {
      for (const maxSize of [3, 100, 2000]) {
        const chopped = choppedSource(compressedFile, () => 1 + Math.floor(random() * maxSize));
        const source: ByteSource = {
          ...chopped,
          async *stream(options) {
            for await (const chunk of chopped.stream(options)) {
              const copy = new Uint8Array(chunk);
              yield copy;
              if (options?.reuseChunks === true) copy.fill(0xff);
            }
          },
        };
        expect(await payloadsOf(tfRecordBlocks(source))).toEqual(payloads);
      }
    }
  });

  test("reports the position of each block in the file", async () => {
    const source = choppedSource(file, () => 100);
    for await (const block of tfRecordBlocks(source)) {
      expect(block.byteOffset).toBe(offsets[block.firstRecordIndex]);
      expect(block.uri).toBe("chopped");
    }
  });

  test("reads an empty record, and a record larger than a chunk", async () => {
    const large = new Uint8Array(3_000_000).map((_, index) => index * 31);
    const bytes = Buffer.concat([frame(large), frame(new Uint8Array(0)), frame(large)]);
    const records = await read(bytes);
    expect(records.map((record) => record.length)).toEqual([3_000_000, 0, 3_000_000]);
    expect(Buffer.compare(records[2]!, large)).toBe(0);
  });

  test("returns all whole records of a chunk in one block, and a record that spans chunks in a separate block", async () => {
    const chunks = [file.subarray(0, offsets[30]! + 5), file.subarray(offsets[30]! + 5)];
    let next = 0;
    const source = choppedSource(file, () => chunks[next++]!.length);
    const sizes: number[] = [];
    for await (const block of tfRecordBlocks(source)) sizes.push(block.numRecords);
    expect(sizes).toEqual([30, 1, 29]);
  });

  test("allows two readers to share a source", async () => {
    const source = bytesSource(file);
    const [first, second] = await Promise.all([
      payloadsOf(tfRecordBlocks(source)),
      payloadsOf(tfRecordBlocks(source)),
    ]);
    expect([first, second]).toEqual([payloads, payloads]);
  });
});

const real = path.join(
  import.meta.dirname,
  "../../../../../shared/data/tfrecord/morris_sequence_first_5.tfrecord",
);
(existsSync(real) ? describe : describe.skip)("a file written by TensorFlow", () => {
  test("has the five records that its name announces", async () => {
    const [source] = await openSources(real);
    expect(await payloadsOf(tfRecordBlocks(source!))).toHaveLength(5);
  });
});

describe("resuming at a position", () => {
  const from = { row: 23, detail: offsets[23]! };
  const rest = payloads.slice(23);

  async function readFrom(bytes: Uint8Array, position: Position) {
    const records: Uint8Array[] = [];
    let first: number | undefined;
    for await (const block of tfRecordBlocks(bytesSource(bytes), { from: position })) {
      first ??= block.firstRecordIndex;
      for (let i = 0; i < block.numRecords; i++)
        records.push(block.bytes.slice(block.starts[i], block.ends[i]));
    }
    return { first, records };
  }

  test("yields the remaining records of an uncompressed file and of a gzip file", async () => {
    for (const bytes of [file, gzipSync(file)]) {
      expect(await readFrom(bytes, from)).toEqual({ first: 23, records: rest });
      expect(await readFrom(bytes, { row: 23 })).toEqual({ first: 23, records: rest });
      expect(await readFrom(bytes, { row: 23, detail: null })).toEqual({ first: 23, records: rest });
    }
  });

  test("yields nothing at the end of a file, and rejects a position after the end", async () => {
    for (const bytes of [file, gzipSync(file)]) {
      expect((await readFrom(bytes, { row: 60, detail: file.length })).records).toEqual([]);
      expect((await readFrom(bytes, { row: 60 })).records).toEqual([]);
      for (const behind of [{ row: 61 }, { row: 61, detail: file.length + 1 }]) {
        const error = await failure(readFrom(bytes, behind), "invalid-argument");
        expect(error.reason).toBe("behind-end");
      }
    }
  });
});

describe("broken files", () => {
  test("yield their complete records if cut in the first 300 bytes, then fail unless the cut is between records", async () => {
    for (let length = 0; length < 300; length++) {
      const bytes = file.subarray(0, length);
      const isWhole = offsets.includes(length);
      const numWhole = offsets.filter((offset) => offset <= length).length - 1;
      for (const source of [bytesSource(bytes, "cut"), choppedSource(bytes, () => 50)]) {
        const records: number[] = [];
        let caught: unknown;
        try {
          for await (const block of tfRecordBlocks(source, { compression: "none" }))
            records.push(block.numRecords);
        } catch (error) {
          caught = error;
        }
        expect(records.reduce((sum, count) => sum + count, 0)).toBe(numWhole);
        if (isWhole) {
          expect(caught).toBeUndefined();
          continue;
        }
        const left = length - offsets[numWhole]!;
        const part = left < 12 ? "header" : left < 12 + payloads[numWhole]!.length ? "payload" : "footer";
        expect(caught).toMatchObject({
          code: "truncated-record",
          reason: `record-${part}`,
          uri: source.uri,
          recordIndex: numWhole,
          byteOffset: offsets[numWhole],
        });
      }
    }
  });

  test("fail with a corrupt-record error at a record with a flipped bit, for each byte of the first 8 records", async () => {
    for (let at = 0; at < offsets[8]!; at++) {
      const broken = Uint8Array.from(file);
      broken[at]! ^= 1 << Math.floor(random() * 8);
      const recordIndex = offsets.findLastIndex((offset) => offset <= at);
      const inHeader = at - offsets[recordIndex]! < 12;
      const error = await failure(read(broken, { compression: "none" }), "corrupt-record");
      expect(error).toMatchObject({
        reason: inHeader ? "length-crc" : "payload-crc",
        uri: "a",
        recordIndex,
        byteOffset: offsets[recordIndex],
      });
      const source = choppedSource(broken, () => 1 + Math.floor(random() * 64));
      await failure(payloadsOf(tfRecordBlocks(source)), "corrupt-record");
    }
  });

  test("with a damaged payload are read if verifyPayload is false, but a damaged length is rejected", async () => {
    const broken = Uint8Array.from(file);
    broken[offsets[3]! + 12]! ^= 1;
    const records = await read(broken, { verifyPayload: false });
    expect(records).toHaveLength(60);
    expect(records[3]![0]).toBe(payloads[3]![0]! ^ 1);
    broken[offsets[5]!]! ^= 1;
    expect((await failure(read(broken, { verifyPayload: false }), "corrupt-record")).reason).toBe(
      "length-crc",
    );
  });

  test("yield the records before the damage", async () => {
    const broken = Uint8Array.from(file);
    broken[offsets[9]! + 12]! ^= 1;
    const blocks = tfRecordBlocks(bytesSource(broken));
    expect((await blocks.next()).value).toMatchObject({ numRecords: 9 });
    expect(await failure(blocks.next(), "corrupt-record")).toMatchObject({ recordIndex: 9 });
  });

  test("are rejected if a record's length exceeds the limit or the rest of the file, even with a valid checksum", async () => {
    const start = { uri: "a", recordIndex: 0, byteOffset: 0 };
    for (const length of [2n ** 26n + 1n, 2n ** 40n, 2n ** 64n - 1n]) {
      const error = await failure(read(Buffer.concat([header(length), file])), "limit-exceeded");
      expect(error).toMatchObject({ ...start, reason: "record-length" });
    }
    for (const byteLength of [undefined, 12 + file.length]) {
      const source = {
        ...choppedSource(Buffer.concat([header(2n ** 26n), file]), () => 50, byteLength),
        uri: "a",
      };
      const error = await failure(payloadsOf(tfRecordBlocks(source)), "truncated-record");
      expect(error).toMatchObject({ ...start, reason: "record-payload" });
    }
    const limited = await failure(read(frame(new Uint8Array(11)), { maxRecordBytes: 10 }), "limit-exceeded");
    expect(limited).toMatchObject(start);
    expect(await read(frame(new Uint8Array(10)), { maxRecordBytes: 10 })).toHaveLength(1);
  });

  test("compressed with gzip or zlib fail with a RecordError, or yield the records of the undamaged file", async () => {
    for (const compressed of [gzipSync(file), deflateSync(file)]) {
      for (let at = 0; at < compressed.length; at += 3) {
        const flipped = Uint8Array.from(compressed);
        flipped[at]! ^= 1 << Math.floor(random() * 8);
        for (const bytes of [flipped, compressed.subarray(0, at)]) {
          let records: Uint8Array[] | undefined;
          try {
            records = await read(bytes, { compression: compressed[0] === 0x1f ? "gzip" : "zlib" });
          } catch (error) {
            expect(isTfxioError(error, "corrupt-record", "truncated-record", "limit-exceeded")).toBe(true);
          }
          // Some fields of the gzip header, such as its time, may change without effect.
          if (records !== undefined) expect(records).toEqual(payloads);
        }
      }
    }
  });
});

describe("TFRecord windows", () => {
  test("begin where the consumer stopped, always with a whole record", async () => {
    for (const size of [1, 7, 64, 5000]) {
      const windows = tfRecordWindows(choppedSource(file, () => size));
      const taken: Uint8Array[] = [];
      let consumed = 0;
      for (;;) {
        const window = await windows.next(consumed);
        if (window === null) break;
        expect(window.firstRecordIndex).toBe(taken.length);
        expect(window.byteOffset).toBe(offsets[taken.length]);
        const length = new DataView(window.bytes.buffer, window.bytes.byteOffset).getUint32(0, true);
        taken.push(window.bytes.slice(12, 12 + length));
        consumed = length + 16;
      }
      await windows.close();
      expect(taken).toEqual(payloads);
    }
  });

  test("are repeated if the consumer took nothing", async () => {
    const windows = tfRecordWindows(bytesSource(file));
    const first = await windows.next(0);
    expect(await windows.next(0)).toEqual(first);
  });

  test("cannot continue within a record, and are closed by the attempt", async () => {
    const windows = tfRecordWindows(bytesSource(file));
    await windows.next(0);
    expect(await failure(windows.next(5), "invalid-argument")).toMatchObject({
      argument: "consumed",
      message:
        "[invalid-argument] consumed must be the position in the window at which a record ends, found 5.",
    });
    expect((await failure(windows.next(0), "invalid-argument")).reason).toBe("closed");
    await windows.close();
  });

  test("open the source only at the first request, and close the source only once", async () => {
    let opened = 0;
    let closed = 0;
    const source = {
      ...bytesSource(file),
      async *stream() {
        opened++;
        try {
          yield file.subarray(0, 500);
          yield file.subarray(500);
        } finally {
          closed++;
        }
      },
    };
    const windows = tfRecordWindows(source);
    expect(opened).toBe(0);
    await windows.next(0);
    await windows.close();
    await windows.close();
    expect([opened, closed]).toEqual([1, 1]);
    for await (const _ of tfRecordBlocks(source)) break;
    expect([opened, closed]).toEqual([2, 2]);
  });

  test("pass the reason of the signal unchanged to the caller of tfRecordBlocks", async () => {
    const reason = { because: "of me" };
    const controller = new AbortController();
    const blocks = tfRecordBlocks(
      choppedSource(gzipSync(file), () => 10),
      { signal: controller.signal },
    );
    await blocks.next();
    controller.abort(reason);
    await expect(collect(blocks as never)).rejects.toBe(reason);
  });

  test("reject invalid options", async () => {
    for (const [options, argument] of [
      [{ compression: "brotli" as never }, "compression"],
      [{ maxRecordBytes: -1 }, "maxRecordBytes"],
      [{ maxRecordBytes: Number.NaN }, "maxRecordBytes"],
      [{ from: { row: -1 } }, "from.row"],
      [{ from: { row: 0, detail: 0.5 } }, "from.detail"],
    ] as const) {
      const error = await failure(() => tfRecordWindows(bytesSource(file), options), "invalid-argument");
      expect(error.argument).toBe(argument);
    }
  });
});
