import { describe, expect, test } from "@jest/globals";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { encodeExample, encodeSequenceExample } from "@tfxio/arrow-encoding";
import type { Format, Split } from "@tfxio/format";
import {
  decodeTfRecordIndex,
  encodeTfRecordIndex,
  indexTfRecords,
  rawTfrecord,
  readTfRecordsAt,
  sampleTfRecords,
  sequenceTfrecord,
  tfrecord,
} from "@tfxio/formats-tfrecord";
import { type ByteSource, bytesSource, encodeTfRecords, fileSource, Random } from "@tfxio/wire";

/** Returns records with random lengths of up to about 90 KB. */
function recordsOf(seed: number, numRecords: number): Uint8Array[] {
  const random = Random.of(seed, 0);
  return Array.from({ length: numRecords }, (_, id) =>
    encodeExample({
      id: { kind: "int64", values: [id] },
      pad: { kind: "bytes", values: [new Uint8Array(random.below(3) === 0 ? random.below(90_000) : 40)] },
    }),
  );
}

/**
 * Returns the offset of each frame, then the length of the file. As in record_writer.h, 12 bytes precede each payload and 4
 * follow.
 */
function offsetsOf(records: readonly Uint8Array[]): number[] {
  const offsets = [0];
  for (const [at, { length }] of records.entries()) offsets.push(offsets[at]! + 16 + length);
  return offsets;
}

const records = recordsOf(1, 300);
const file = await encodeTfRecords(records);
const offsets = offsetsOf(records);

async function partsOf(
  format: Format,
  source: ByteSource,
  splitBytes: number,
  options = {},
): Promise<{ parts: readonly Split[]; ids(this: void, part: Split): Promise<unknown[]> }> {
  const reader = await format.open([source], { options });
  const plan = await reader.plan({ splitBytes });
  return {
    parts: (await plan.subdivide?.(plan.splits[0]!)) ?? [],
    async ids(part) {
      const ids: unknown[] = [];
      for await (const batch of plan.read(part)) {
        for (const row of batch) ids.push((row["id"] as { get(at: number): unknown } | null)?.get(0) ?? row);
      }
      return ids;
    },
  };
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "tfxio-index-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("a TFRecord file", () => {
  test.each([1, 20_000, 65_536, 333_333, 1_000_000, 10 ** 9])(
    "is split between records, without losing or repeating a row: splitBytes %i",
    async (splitBytes) => {
      const { parts, ids } = await partsOf(tfrecord, bytesSource(file), splitBytes);
      expect(parts[0]?.start ?? 0).toBe(0);
      expect(parts.at(-1)?.end ?? file.length).toBe(file.length);
      for (const [at, { start = 0, end = file.length }] of parts.entries()) {
        expect(offsets).toContain(start);
        expect(parts[at + 1]?.start ?? file.length).toBe(end);
      }
      if (splitBytes <= 10 ** 6) {
        expect(parts.length).toBeGreaterThan(file.length / Math.max(splitBytes, 2 ** 18) - 1);
      }
      const found: unknown[] = [];
      for (const part of parts) found.push(...(await ids(part)));
      expect(found).toEqual(records.map((_, id) => BigInt(id)));
    },
  );

  test.each([2, 3, 4, 5, 6])(
    "of random records with seed %i yields each record exactly once for random values of splitBytes",
    async (seed) => {
      const some = recordsOf(seed, 60);
      const bytes = await encodeTfRecords(some);
      const random = Random.of(seed, 1);
      for (let round = 0; round < 8; round++) {
        const { parts, ids } = await partsOf(tfrecord, bytesSource(bytes), 1 + random.below(bytes.length));
        const found = await Promise.all(parts.map(ids));
        expect(found.flat()).toEqual(some.map((_, id) => BigInt(id)));
      }
    },
  );

  test("of SequenceExamples or raw records is split into parts that together contain all records", async () => {
    const sequences = records.map((_, id) =>
      encodeSequenceExample({ context: { id: { kind: "int64", values: [id] } }, featureLists: {} }),
    );
    const bytes = await encodeTfRecords(sequences);
    for (const [format, content] of [
      [sequenceTfrecord, bytes],
      [rawTfrecord, file],
    ] as const) {
      const { parts, ids } = await partsOf(format, bytesSource(content), 16_384);
      expect(parts.length).toBeGreaterThan(content.length / 2 ** 18);
      const found = await Promise.all(parts.map(ids));
      const whole = await partsOf(format, bytesSource(content), content.length);
      expect(whole.parts).toHaveLength(1);
      const expected = await whole.ids(whole.parts[0]!);
      expect(expected).toHaveLength(records.length);
      expect(found.flat().map(String)).toEqual(expected.map(String));
    }
  });

  test.each(["gzip", "zlib"] as const)("with compression %s is a single part", async (compression) => {
    const source = bytesSource(await encodeTfRecords(records, { compression }));
    expect((await partsOf(tfrecord, source, 1)).parts).toHaveLength(1);
  });

  test("is rejected if a part ends within a record", async () => {
    const reader = await tfrecord.open([bytesSource(file, "some.tfrecord")]);
    const plan = await reader.plan({ splitBytes: 20_000 });
    const [whole] = plan.splits;
    const read = async (): Promise<void> => {
      for await (const _ of plan.read({ ...whole!, start: 0, end: offsets[7]! + 3 }));
    };
    await expect(read()).rejects.toMatchObject({
      code: "corrupt-record",
      reason: "framing",
      uri: "some.tfrecord",
      byteOffset: offsets[7],
    });
  });

  test("with TFRecord files as records can be read in parts only with an index", async () => {
    const inner = await encodeTfRecords(Array.from({ length: 40 }, () => new Uint8Array(500)));
    const nested = await encodeTfRecords(Array.from({ length: 6 }, () => inner));
    const searched = await partsOf(rawTfrecord, bytesSource(nested), 16_384);
    const readAll = async (): Promise<void> => {
      for (const part of searched.parts) await searched.ids(part);
    };
    await expect(readAll()).rejects.toMatchObject({ code: "corrupt-record" });
    await inFolder(async (folder) => {
      const name = path.join(folder, "nested.tfrecord");
      await writeFile(name, nested);
      const source = await fileSource(name);
      await writeFile(`${name}.index`, encodeTfRecordIndex(await indexTfRecords(source)));
      const options = { index: "beside", recordIndexColumn: "id" };
      const { parts, ids } = await partsOf(rawTfrecord, source, 16_384, options);
      expect(parts.map(({ detail }) => detail)).toEqual(
        [0, 1, 2, 3, 4, 5].map((recordIndex) => ({ recordIndex })),
      );
      expect((await Promise.all(parts.map(ids))).flat()).toEqual([0n, 1n, 2n, 3n, 4n, 5n]);
    });
  });

  test("is not split if record numbers are requested without an index", async () => {
    const options = { recordIndexColumn: "number" };
    expect((await partsOf(rawTfrecord, bytesSource(file), 1, options)).parts).toHaveLength(1);
  });

  test('is rejected with index: "beside" if the index is missing or of another file, or if the file is in memory', async () => {
    await inFolder(async (folder) => {
      const name = path.join(folder, "some.tfrecord");
      await writeFile(name, file);
      const cut = async (): Promise<unknown> =>
        partsOf(tfrecord, await fileSource(name), 1, { index: "beside" });
      await expect(cut()).rejects.toMatchObject({
        code: "not-found",
        uri: expect.stringContaining(".index"),
      });
      const shorter = await indexTfRecords(bytesSource(file.subarray(0, offsets[299])));
      await writeFile(`${name}.index`, encodeTfRecordIndex(shorter));
      await expect(cut()).rejects.toMatchObject({ code: "io-failed", reason: "source-changed" });
      // A file of the same length with other records.
      const other = await encodeTfRecords([new Uint8Array(file.length - 116), new Uint8Array(84)]);
      expect(other).toHaveLength(file.length);
      await writeFile(`${name}.index`, encodeTfRecordIndex(await indexTfRecords(bytesSource(other))));
      await expect(cut()).rejects.toMatchObject({ code: "io-failed", reason: "source-changed" });
    });
    const beside = { index: "beside" };
    await expect(partsOf(tfrecord, bytesSource(file), 1, beside)).rejects.toMatchObject({
      reason: "index-beside",
    });
  });
});

describe("an index", () => {
  test("has the offset of each record and the length of the file", async () => {
    const index = await indexTfRecords(bytesSource(file));
    expect(Array.from(index.offsets)).toEqual(offsets);
    expect(index).toMatchObject({ numRecords: 300, byteLength: file.length });
    expect(await indexTfRecords(bytesSource(new Uint8Array(0)))).toMatchObject({
      numRecords: 0,
      byteLength: 0,
    });
  });

  test("is encoded in fewer than 64 bytes plus three per record, and decoded unchanged", async () => {
    const index = { ...(await indexTfRecords(bytesSource(file))), version: '"an etag"' };
    const bytes = encodeTfRecordIndex(index);
    expect(decodeTfRecordIndex(bytes)).toEqual(index);
    expect(bytes.length).toBeLessThan(3 * 300 + 64);
  });

  test("can be read from the lines that DALI and the Python package tfrecord write", async () => {
    const lines = records.map(({ length }, at) => `${offsets[at]} ${16 + length}\n`).join("");
    const index = decodeTfRecordIndex(new TextEncoder().encode(lines));
    expect(Array.from(index.offsets)).toEqual(offsets);
    expect(await readTfRecordsAt(bytesSource(file), index, [2])).toEqual([records[2]]);
  });

  test.each(["", "0 20\n21 20\n", "0 x\n", "0 3\n", "no index"])(
    "cannot be read from the text %j",
    (text) => {
      expect(() => decodeTfRecordIndex(new TextEncoder().encode(text), "x.index")).toThrow(
        expect.objectContaining({ code: "corrupt-record", reason: "record-index", uri: "x.index" }),
      );
    },
  );

  test("is rejected after a change of any byte and after any truncation", async () => {
    const some = await encodeTfRecords(records.slice(0, 4));
    const bytes = encodeTfRecordIndex(await indexTfRecords(bytesSource(some)));
    const rejected = expect.objectContaining({ code: "corrupt-record", reason: "record-index" });
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice();
      damaged[at]! ^= 4;
      expect(() => decodeTfRecordIndex(damaged)).toThrow(rejected);
      expect(() => decodeTfRecordIndex(bytes.subarray(0, at))).toThrow(rejected);
    }
  });

  test("cannot be created for a compressed or damaged file", async () => {
    const gzip = bytesSource(await encodeTfRecords(records, { compression: "gzip" }));
    await expect(indexTfRecords(gzip)).rejects.toMatchObject({
      code: "unsupported",
      reason: "compressed-index",
    });
    const damaged = file.slice();
    damaged[offsets[5]! + 14]! ^= 1;
    await expect(indexTfRecords(bytesSource(damaged))).rejects.toMatchObject({
      reason: "payload-crc",
      recordIndex: 5,
    });
  });

  test("calls onProgress while it is created; creation fails if onProgress throws", async () => {
    const seen: number[] = [];
    await indexTfRecords(bytesSource(file), { onProgress: ({ numRecords }) => seen.push(numRecords) });
    expect(seen.at(-1)).toBe(300);
    const failing = (): never => {
      throw new Error("enough");
    };
    await expect(indexTfRecords(bytesSource(file), { onProgress: failing })).rejects.toMatchObject({
      code: "user-function",
    });
  });
});

describe("records that are read by number", () => {
  /** Returns a source that counts the bytes read from it. */
  function counted(bytes: Uint8Array): ByteSource & { numBytes(): number } {
    const source = bytesSource(bytes, "some.tfrecord");
    let numBytes = 0;
    return {
      ...source,
      numBytes: () => numBytes,
      slice: async (start, end, options) => {
        numBytes += end - start;
        return source.slice(start, end, options);
      },
      stream: () => {
        throw new Error("a stream reads everything");
      },
    };
  }

  test("are returned in the requested order, without reading any other record", async () => {
    const index = await indexTfRecords(bytesSource(file));
    const source = counted(file);
    const numbers = [299, 0, 17, 17];
    expect(await readTfRecordsAt(source, index, numbers)).toEqual(numbers.map((number) => records[number]));
    expect(source.numBytes()).toBe(numbers.reduce((sum, number) => sum + records[number]!.length + 16, 0));
  });

  test("are rejected if the number is out of range, the record is damaged, or the file was replaced", async () => {
    const index = await indexTfRecords(bytesSource(file));
    await expect(readTfRecordsAt(bytesSource(file), index, [300])).rejects.toMatchObject({
      reason: "row-number",
    });
    const damaged = file.slice();
    damaged[offsets[8]! + 20]! ^= 1;
    await expect(readTfRecordsAt(bytesSource(damaged, "x"), index, [8])).rejects.toMatchObject({
      code: "corrupt-record",
      reason: "payload-crc",
      uri: "x",
      recordIndex: 8,
      byteOffset: offsets[8],
    });
    const other = await encodeTfRecords([new Uint8Array(file.length - 16)]);
    await expect(readTfRecordsAt(bytesSource(other), index, [0])).rejects.toMatchObject({
      reason: "source-changed",
    });
    const shorter = bytesSource(file.subarray(0, -1));
    await expect(readTfRecordsAt(shorter, index, [0])).rejects.toMatchObject({ reason: "source-changed" });
  });

  test("can be sampled uniformly and without replacement; if there are fewer than requested, all are returned", async () => {
    const index = await indexTfRecords(bytesSource(file));
    const { recordNumbers, records: drawn } = await sampleTfRecords(bytesSource(file), index, {
      numRecords: 10,
      seed: 3,
    });
    expect(new Set(recordNumbers).size).toBe(10);
    expect(drawn).toEqual(recordNumbers.map((number) => records[number]));
    const counts = Array.from({ length: 20 }, () => 0);
    const few = await indexTfRecords(bytesSource(file.subarray(0, offsets[20])));
    for (let seed = 0; seed < 2000; seed++) {
      const sample = await sampleTfRecords(bytesSource(file.subarray(0, offsets[20])), few, {
        numRecords: 5,
        seed,
      });
      for (const number of sample.recordNumbers) counts[number]!++;
    }
    // Each record is expected in 500 of 2,000 samples. The standard deviation is about 19; the bound is six times that.
    for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(116);
    const all = await sampleTfRecords(bytesSource(file), index, { numRecords: 1000, seed: 0 });
    expect(all.recordNumbers).toHaveLength(300);
  });
});
