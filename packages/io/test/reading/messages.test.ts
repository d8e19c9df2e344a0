import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "@jest/globals";
import { plainRows, schemaFromArrow } from "@tfxio/arrow-encoding";
import type { Format } from "@tfxio/format";
import { parseProto, type ProtobufOptions, protobuf, protobufPayload } from "@tfxio/formats-protobuf";
import { ColumnPath, parsePredicate } from "@tfxio/schema";
import { encodeTfRecords, memoryTarget } from "@tfxio/wire";
import { describeRead, openRead, openTfxio, recordTfxio, type Tfxio, writeTfxio } from "../../src/index.js";
import { describeBuilt } from "../worker-formats/index.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-messages-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const type = await parseProto(
  `syntax = "proto3"; message Row { int64 id = 1; repeated Part part = 2; } message Part { string name = 1; double size = 2; }`,
  "Row",
);
const { messages } = (await import(new URL("../worker-formats/messages.mjs", import.meta.url).href)) as {
  readonly messages: Format<ProtobufOptions>;
};

/** Encodes a Row with the given id and one part named "p". */
const record = (id: number): Uint8Array => Uint8Array.of(0x08, id, 0x12, 3, 0x0a, 1, 0x70);

const files = await Promise.all(
  [0, 1, 2].map(async (index) => {
    const file = path.join(folder, `${index}.tfrecord`);
    writeFileSync(file, await encodeTfRecords([record(index * 2 + 1), record(index * 2 + 2)]));
    return file;
  }),
);

async function rowsOf(tfxio: Tfxio, workers = 0): Promise<object[]> {
  const rows: object[] = [];
  for await (const batch of tfxio.recordBatches({ workers })) rows.push(...plainRows(batch));
  return rows;
}

const part = [{ name: ["p"], size: null }];
const row = (id: number): object => ({ id: [id], part });

test("TFRecords of messages are read, filtered, and written as a size-delimited file", async () => {
  const tfxio = await openTfxio(files, { format: messages, formatOptions: type });
  expect(await rowsOf(tfxio)).toEqual([1, 2, 3, 4, 5, 6].map(row));
  const few = await openTfxio(files, {
    format: messages,
    formatOptions: type,
    filter: parsePredicate("id >= 5"),
  });
  expect(await rowsOf(few)).toEqual([row(5), row(6)]);
  const target = memoryTarget("rows.pbd");
  await writeTfxio(few, target, { format: protobuf, formatOptions: type });
  expect(target.bytes()).toEqual(Uint8Array.of(7, ...record(5), 7, ...record(6)));
});

test("a schema that describes the batches is accepted", async () => {
  const described = await openTfxio(files, { format: messages, formatOptions: type });
  const schema = schemaFromArrow(described.arrowSchema());
  const tfxio = await openTfxio(files, { format: messages, formatOptions: type, schema });
  expect(tfxio.arrowSchema()).toEqual(described.arrowSchema());
  expect(await rowsOf(tfxio)).toEqual([1, 2, 3, 4, 5, 6].map(row));
});

describe('the format "protobuf"', () => {
  const delimited = Uint8Array.of(7, ...record(5), 7, ...record(6));

  test.each([
    ["TFRecords recognized by their name", () => files[2]!],
    ["TFRecords recognized by their first bytes", () => new Uint8Array(readFileSync(files[2]!))],
    ["gzipped TFRecords", () => new Uint8Array(gzipSync(readFileSync(files[2]!)))],
    ["size-delimited files", () => delimited],
    ["gzipped size-delimited files", () => new Uint8Array(gzipSync(delimited))],
  ])("reads %s", async (_, source) => {
    const tfxio = await openTfxio(source(), { format: "protobuf", formatOptions: type });
    expect(await rowsOf(tfxio)).toEqual([5, 6].map(row));
  });

  test("reads only the requested fields", async () => {
    const columns = [ColumnPath.of("part", "size")];
    const tfxio = await openTfxio(files, { format: "protobuf", formatOptions: type, columns });
    expect(await rowsOf(tfxio)).toEqual(Array.from({ length: 6 }, () => ({ part: [{ size: null }] })));
  });

  test("is also detected for files whose names end in .pbd", async () => {
    const file = path.join(folder, "rows.pbd");
    writeFileSync(file, delimited);
    expect(await rowsOf(await openTfxio(file, { formatOptions: type }))).toEqual([5, 6].map(row));
  });

  test("rejects a read without a message type", async () => {
    await expect(openTfxio(files, { format: "protobuf" })).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "descriptor",
    });
  });

  test('writes size-delimited files, and "tfrecord-protobuf" writes TFRecords, with or without gzip', async () => {
    const source = await openTfxio(files[2]!, { format: "protobuf", formatOptions: type });
    const plain = memoryTarget("rows.pbd");
    await writeTfxio(source, plain, { formatOptions: type });
    expect(plain.bytes()).toEqual(delimited);
    for (const name of ["rows.pbd.gz", "rows.delimited.gz"]) {
      const gzipped = memoryTarget(name);
      await writeTfxio(source, gzipped, { formatOptions: type });
      expect(new Uint8Array(gunzipSync(gzipped.bytes()))).toEqual(delimited);
    }
    const framed = memoryTarget("rows.tfrecord");
    await writeTfxio(source, framed, { format: "tfrecord-protobuf", formatOptions: type });
    expect(framed.bytes()).toEqual(new Uint8Array(readFileSync(files[2]!)));
    const zipped = memoryTarget("rows.tfrecord.gz");
    await writeTfxio(source, zipped, { format: "tfrecord-protobuf", formatOptions: type });
    expect(new Uint8Array(gunzipSync(zipped.bytes()))).toEqual(framed.bytes());
  });

  test("yields the same rows when opened from a JSON description", async () => {
    const tfxio = await openTfxio(files, { format: "protobuf", formatOptions: type });
    const description = JSON.parse(JSON.stringify(describeRead(tfxio)));
    expect(await rowsOf(await openRead(description))).toEqual([1, 2, 3, 4, 5, 6].map(row));
  });
});

test("messages in memory yield the same rows as messages in files", async () => {
  const tfxio = await recordTfxio({ records: [record(1), record(2)], payload: protobufPayload(type) });
  expect(await rowsOf(tfxio)).toEqual([1, 2].map(row));
});

describeBuilt("worker threads", () => {
  test('find the format "protobuf" by its id', async () => {
    const tfxio = await openTfxio(files, { format: "protobuf", formatOptions: type });
    expect(await rowsOf(tfxio, 2)).toEqual([1, 2, 3, 4, 5, 6].map(row));
  });

  test("receive the format options of a custom format, such as a message type", async () => {
    const tfxio = await openTfxio(files, { format: messages, formatOptions: type });
    expect(await rowsOf(tfxio, 2)).toEqual([1, 2, 3, 4, 5, 6].map(row));
  });
});
