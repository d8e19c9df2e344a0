import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, inflateSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { bytesSource } from "../../src/sources/bytes-source.js";
import { openSources } from "../../src/sources/open-sources.js";
import { tfRecordBlocks } from "../../src/tfrecord/tfrecord-blocks.js";
import { encodeTfRecord, encodeTfRecords } from "../../src/tfrecord/tfrecord-encode.js";
import { writeTfRecords } from "../../src/tfrecord/tfrecord-write.js";
import { failure, payloadsOf } from "../sources.js";
import { frame, randomNumbers, randomPayloads } from "../tfrecord-bytes.js";

const random = randomNumbers(11);
const payloads = randomPayloads(random, 100, 60);
const file = Buffer.concat(payloads.map(frame));
let folder = "";
const at = (name: string) => path.join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "wire-write-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Yields 1000 records, which are more than fit in one chunk. */
async function* many(onRecord: (index: number) => void = () => {}) {
  for (let index = 0; index < 1000; index++) {
    onRecord(index);
    yield new Uint8Array(2000).fill(index);
  }
}

describe("the TFRecord encoder", () => {
  test("frames an empty record as TensorFlow does", () => {
    expect(Buffer.from(encodeTfRecord(new Uint8Array(0))).toString("hex")).toBe(
      "000000000000000029039807d8ea82a2",
    );
  });

  test("frames every record, even one at an offset in a buffer", () => {
    for (const payload of payloads) {
      const shifted = Buffer.concat([Buffer.from([1, 2, 3]), payload]).subarray(3);
      expect(Buffer.compare(encodeTfRecord(shifted), frame(payload))).toBe(0);
    }
  });

  test("creates a file in memory, uncompressed, as gzip or as zlib", async () => {
    expect(Buffer.compare(await encodeTfRecords(payloads), file)).toBe(0);
    expect(
      Buffer.compare(gunzipSync(await encodeTfRecords(payloads, { compression: "gzip", level: 9 })), file),
    ).toBe(0);
    expect(Buffer.compare(inflateSync(await encodeTfRecords(payloads, { compression: "zlib" })), file)).toBe(
      0,
    );
    expect(await encodeTfRecords([])).toHaveLength(0);
  });

  test("copies each record before it requests the next record", async () => {
    function* reused() {
      const buffer = new Uint8Array(1);
      for (buffer[0] = 0; buffer[0] < 3; buffer[0]++) yield buffer;
    }
    const bytes = await encodeTfRecords(reused());
    expect(await payloadsOf(tfRecordBlocks(bytesSource(bytes)))).toEqual(
      [0, 1, 2].map((n) => Uint8Array.of(n)),
    );
  });

  test("is reversible for records that fill many chunks", async () => {
    const bytes = await encodeTfRecords(many(), { compression: "gzip" });
    const records = await payloadsOf(tfRecordBlocks(bytesSource(bytes)));
    expect(records.map((record) => [record.length, record[0]])).toEqual(
      Array.from({ length: 1000 }, (_, index) => [2000, index & 255]),
    );
  });
});

describe("writeTfRecords", () => {
  test("writes one file, compressed according to its name or the compression option", async () => {
    const plain = await writeTfRecords(payloads, at("a.tfrecord"));
    expect(plain).toEqual({ uris: [at("a.tfrecord")], numRecords: 100, numBytes: file.length });
    expect(Buffer.compare(readFileSync(at("a.tfrecord")), file)).toBe(0);
    const gzip = await writeTfRecords(payloads, at("a.tfrecord.gz"));
    expect(gzip.numBytes).toBe(statSync(at("a.tfrecord.gz")).size);
    expect(Buffer.compare(gunzipSync(readFileSync(at("a.tfrecord.gz"))), file)).toBe(0);
    await writeTfRecords(payloads, at("b"), { compression: "zlib", level: 1 });
    expect(Buffer.compare(inflateSync(readFileSync(at("b"))), file)).toBe(0);
    await writeTfRecords(payloads, at("c.gz"), { compression: "none" });
    expect(Buffer.compare(readFileSync(at("c.gz")), file)).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(["a.tfrecord", "a.tfrecord.gz", "b", "c.gz"]);
  });

  test("writes an empty file over an existing one if there are no records, and accepts a file: URL", async () => {
    writeFileSync(at("a.tfrecord"), "old");
    const { uris } = await writeTfRecords([], pathToFileURL(at("a.tfrecord")).href);
    expect(uris).toEqual([at("a.tfrecord")]);
    expect(readFileSync(at("a.tfrecord"))).toHaveLength(0);
  });

  test("distributes records over shards round-robin, and names the shards as TFX does", async () => {
    const { uris, numRecords } = await writeTfRecords(payloads, at("data.tfrecord.gz"), { numShards: 3 });
    expect(uris.map((uri) => path.basename(uri))).toEqual([
      "data.tfrecord-00000-of-00003.gz",
      "data.tfrecord-00001-of-00003.gz",
      "data.tfrecord-00002-of-00003.gz",
    ]);
    expect(readdirSync(folder).sort()).toEqual(uris.map((uri) => path.basename(uri)));
    expect(numRecords).toBe(100);
    const sources = await openSources(at("data.tfrecord-*-of-00003.gz"));
    for (const [shard, source] of sources.entries()) {
      const expected = payloads.filter((_, index) => index % 3 === shard);
      expect(await payloadsOf(tfRecordBlocks(source))).toEqual(expected);
    }
    const single = await writeTfRecords([], at("data.tfrecord"), { numShards: 1 });
    expect(single.uris).toEqual([at("data.tfrecord-00000-of-00001")]);
  });

  test("reports progress up to the end", async () => {
    const seen: number[] = [];
    await writeTfRecords(many(), at("a"), { onProgress: ({ numRecords }) => seen.push(numRecords) });
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)).toBe(1000);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });
});

describe("a failed write", () => {
  const options = [{}, { numShards: 4 }, { compression: "gzip", numShards: 2 }] as const;

  test.each(options)(
    "leaves no files and rejects with the signal's reason if it is aborted, with options %j",
    async (option) => {
      const controller = new AbortController();
      const records = many((index) => index === 900 && controller.abort("enough"));
      await expect(writeTfRecords(records, at("a"), { ...option, signal: controller.signal })).rejects.toBe(
        "enough",
      );
      expect(readdirSync(folder)).toEqual([]);
      await expect(writeTfRecords(many(), at("a"), { signal: controller.signal })).rejects.toBe("enough");
    },
  );

  test.each(options)(
    "leaves no files and passes on the error of its records, with options %j",
    async (option) => {
      const records = many((index) => {
        if (index === 900) throw new RangeError("mine");
      });
      await expect(writeTfRecords(records, at("a"), option)).rejects.toThrow(new RangeError("mine"));
      const error = await failure(writeTfRecords(["text" as never], at("a"), option), "invalid-argument");
      expect(error.reason).toBe("record-type");
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test.each([{}, { numShards: 2 }])(
    "names the index of the invalid record among all records, with options %j",
    async (option) => {
      const records = [payloads[0]!, payloads[1]!, 5 as never];
      const { message } = await failure(writeTfRecords(records, at("a"), option), "invalid-argument");
      expect(message).toBe("[invalid-argument] records[2] must be a Uint8Array, found 5.");
    },
  );

  test("keeps the existing file", async () => {
    writeFileSync(at("a"), "old");
    await failure(writeTfRecords([payloads[0]!, null as never], at("a")), "invalid-argument");
    expect(readFileSync(at("a"), "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a"]);
  });

  test("reports an invalid target or option, and leaves no files", async () => {
    expect(await failure(writeTfRecords(payloads, at("no/a")), "not-found")).toMatchObject({
      uri: at("no"),
    });
    mkdirSync(at("folder"));
    expect(await failure(writeTfRecords(payloads, at("folder")), "invalid-argument")).toMatchObject({
      reason: "directory",
    });
    for (const numShards of [0, -1, 1.5, 100_000]) {
      await failure(writeTfRecords(payloads, at("a"), { numShards }), "invalid-argument");
    }
    for (const level of [-1, 10, 0.5]) {
      await failure(writeTfRecords(payloads, at("a.gz"), { level }), "invalid-argument");
    }
    await failure(writeTfRecords(payloads, at("a"), { compression: "brotli" as never }), "invalid-argument");
    expect(readdirSync(folder)).toEqual(["folder"]);
  });
});
