import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "@jest/globals";
import { encodeExample, encodeSequenceExample, type FeatureValues } from "@tfxio/arrow-encoding";
import { createFormatRegistry } from "@tfxio/format";
import { tfrecord } from "@tfxio/formats-tfrecord";
import { describeRead, openRead, openTfxio, type TfxioInput, type TfxioOptions } from "../src/index.js";
import { collect, tfRecordFile } from "./fixtures.js";
import { describeBuilt } from "./worker-formats/index.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-sequences-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ints = (...values: number[]): FeatureValues => ({ kind: "int64", values });
const example = (id: number): Uint8Array => encodeExample({ id: ints(id) });
const sequence = (id: number): Uint8Array =>
  encodeSequenceExample({ context: { id: ints(id) }, featureLists: { words: [ints(id), ints(id, id)] } });
/** The first record has no feature lists, so it is also a valid tf.Example. */
const FILE = tfRecordFile([example(0), sequence(1), sequence(2)]);
const ROWS = [
  { id: [0], "##SEQUENCE##": { words: null } },
  { id: [1], "##SEQUENCE##": { words: [[1], [1, 1]] } },
  { id: [2], "##SEQUENCE##": { words: [[2], [2, 2]] } },
];

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function fileOf(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

const INPUTS: readonly [string, TfxioInput, TfxioOptions][] = [
  ["bytes", FILE, {}],
  ["gzip bytes", gzipSync(FILE), {}],
  ["a file", fileOf("a.tfrecord", FILE), {}],
  ["a file with a different extension", fileOf("b.bin", FILE), {}],
  [
    "a file whose compression is given as an option",
    fileOf("c.tfrecord", gzipSync(FILE)),
    { formatOptions: { compression: "gzip" } },
  ],
];

describe("the detection of SequenceExamples from the first records of a file", () => {
  test.each(INPUTS)("works for %s", async (_, input, options) => {
    const tfxio = await openTfxio(input, options);
    expect(await collect(tfxio.rows())).toEqual(ROWS);
    await tfxio.close();
  });

  test.each([
    ["plain", FILE],
    ["gzip", gzipSync(FILE)],
  ])("works for a %s stream, which is then read from its first record", async (_, bytes) => {
    const tfxio = await openTfxio(chunksOf(bytes, 7));
    expect(await collect(tfxio.rows())).toEqual(ROWS);
    await tfxio.close();
    const again = await openTfxio(() => chunksOf(bytes, 7), { inferSchema: "full" });
    expect(await collect(again.rows())).toEqual(ROWS);
    expect(await collect(again.rows())).toEqual(ROWS);
  });

  test("determines the format that the description of a read contains", async () => {
    const description = describeRead(await openTfxio(fileOf("d.tfrecord", FILE)));
    expect(description.format.id).toBe("sequence-tfrecord");
    const tfxio = await openRead(JSON.parse(JSON.stringify(description)) as typeof description);
    expect(await collect(tfxio.rows())).toEqual(ROWS);
  });

  test.each<[string, readonly Uint8Array[]]>([
    ["Examples", [example(0), example(1)]],
    ["records whose field 2 is not a FeatureLists", [Uint8Array.of(0x12, 1, 0x0a), example(1)]],
    ["a file without records", []],
  ])("is not misled by %s", async (_, records) => {
    const file = fileOf("e.tfrecord", tfRecordFile(records));
    expect(describeRead(await openTfxio(file)).format.id).toBe("tfrecord");
  });

  test("does not take place if the registry lacks the sequence format", async () => {
    const tfxio = await openTfxio(FILE, { formats: createFormatRegistry(tfrecord) });
    await expect(collect(tfxio.rows())).rejects.toMatchObject({ reason: "feature-lists" });
  });

  test("does not fail if the start of a file is damaged: the read reports the damage", async () => {
    const tfxio = await openTfxio(fileOf("f.tfrecord", FILE.subarray(0, 20)));
    await expect(collect(tfxio.rows())).rejects.toMatchObject({ code: "truncated-record" });
  });
});

const rejected = {
  code: "malformed-payload",
  reason: "feature-lists",
  message: expect.stringContaining('Request the format "sequence-tfrecord"'),
};

describe("an error names the right format if SequenceExamples are read as Examples", () => {
  const options: TfxioOptions = { format: "tfrecord" };

  test.each<[string, TfxioOptions]>([
    ["in file order", {}],
    ["with row positions", { rowPositionColumn: "at" }],
    ["when malformed records are skipped", { formatOptions: { onMalformed: "skip" } }],
    ["when only some columns are read", { columns: ["id"] }],
  ])("%s", async (_, more) => {
    const tfxio = await openTfxio(gzipSync(FILE), { ...options, ...more });
    await expect(collect(tfxio.recordBatches())).rejects.toMatchObject({ ...rejected, recordIndex: 1 });
  });

  test("when a schema is inferred, and in a stream", async () => {
    const schema = { inferSchema: "full" as const };
    await expect(openTfxio(FILE, { ...options, ...schema })).rejects.toMatchObject(rejected);
    const tfxio = await openTfxio(chunksOf(FILE, 10), options);
    await expect(collect(tfxio.recordBatches())).rejects.toMatchObject(rejected);
  });

  test("even if the first records of the file have no feature lists", async () => {
    const long = encodeExample({ text: { kind: "bytes", values: ["x".repeat(600_000)] } });
    const file = tfRecordFile([long, long, long, sequence(1)]);
    const tfxio = await openTfxio(file);
    await expect(collect(tfxio.recordBatches())).rejects.toMatchObject({ ...rejected, recordIndex: 3 });
  });

  test("except when only raw records are read", async () => {
    const tfxio = await openTfxio(FILE, options);
    const [batch] = await collect(tfxio.rawRecords());
    expect(batch?.numRows).toBe(3);
  });
});

describeBuilt("worker threads", () => {
  const file = fileOf("g.tfrecord", FILE);

  test("read SequenceExamples in the detected format", async () => {
    const tfxio = await openTfxio(file);
    expect(await collect(tfxio.rows({ workers: 1 }))).toEqual(ROWS);
  });

  test("reject SequenceExamples that are read as Examples", async () => {
    const tfxio = await openTfxio(file, { format: "tfrecord" });
    await expect(collect(tfxio.rows({ workers: 1 }))).rejects.toMatchObject(rejected);
  });
});
