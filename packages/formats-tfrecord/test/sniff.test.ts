import { describe, expect, test } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { createFormatRegistry } from "@tfxio/format";
import { tfRecordFormats, tfrecord } from "@tfxio/formats-tfrecord";
import { bytesSource, encodeTfRecords } from "@tfxio/wire";
import { exampleRecords } from "./example-records.js";

const registry = createFormatRegistry(...tfRecordFormats);
const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const hex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number(`0x${byte}`));

describe("a TFRecord file is detected", () => {
  test("by the masked checksum of its first record's length, as TensorFlow writes it", () => {
    // First bytes of tfx/examples/mnist/data/mnist.tfrecord: a record of 3187 bytes.
    expect(tfrecord.sniff?.(hex("730c000000000000874a7ff7"))).toBe(true);
    // An empty record; CRC-32C of eight zero bytes is 0x8c28b28a.
    expect(tfrecord.sniff?.(hex("000000000000000029039807"))).toBe(true);
  });

  test("by its content if it is named like a shard of TFX, because such names have no known extension", async () => {
    for (const compression of ["none", "gzip"] as const) {
      const bytes = await encodeTfRecords(exampleRecords, { compression });
      expect(await registry.detect(bytesSource(bytes, "data_tfrecord-00000-of-00012.gz"))).toBe(tfrecord);
    }
  });

  test.each(["a.tfrecord", "a.tfrecords", "a.TFRecord", "a.tfrecord.gz", "a.tfrecords.gz"])(
    "by the name %s",
    async (name) => {
      expect(await registry.detect(bytesSource(new Uint8Array(), name))).toBe(tfrecord);
    },
  );
});

describe("TFRecord is not detected in", () => {
  test.each([
    ["an empty file", new Uint8Array()],
    ["a file shorter than a record header", hex("730c000000000000874a7f")],
    ["a length whose checksum is not masked", hex("00000000000000008ab2288c")],
    ["a header with a flipped bit", hex("720c000000000000874a7ff7")],
    ["zeros", new Uint8Array(4096)],
    ["Parquet", text("PAR1\u0015\u0004\u0015\u0000\u0015\u0000\u0015\u0000")],
    ["an Arrow file", text("ARROW1\u0000\u0000\u0000\u0000\u0000\u0000")],
    ["CSV", text("id,name,score\n1,a,0.5\n")],
    ["JSON", text('{"id": 1, "name": "a"}')],
    ["text", text("It was the best of times, it was the worst of times")],
    ["gzip", hex("1f8b0800000000000003ad54")],
  ])("%s", (_, head) => {
    expect(tfrecord.sniff?.(head)).toBe(false);
  });

  const shared = path.resolve(import.meta.dirname, "../../../../shared/data");
  const testShared = existsSync(shared) ? test : test.skip;
  testShared.each([
    "arrayrecord/digits.array_record-00000-of-00002",
    "taxi/csv/data.csv",
    "taxi/parquet/data.parquet",
    "taxi/avro/data.avro",
    "json/iris.json",
    "penguin/schema.pbtxt",
  ])("%s", (name) => {
    expect(tfrecord.sniff?.(readFileSync(path.join(shared, name)).subarray(0, 4096))).toBe(false);
  });
});
