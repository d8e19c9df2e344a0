import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { encodeExample, encodeSequenceExample, type FeatureValues } from "@tfxio/arrow-encoding";
import { parseProto } from "@tfxio/formats-protobuf";
import { openTfxio, type TfxioOptions } from "../src/index.js";
import { collect, tfRecordFile } from "./fixtures.js";

const ints = (...values: number[]): FeatureValues => ({ kind: "int64", values });
const EXAMPLES = new Uint8Array(gzipSync(tfRecordFile([1, 2].map((id) => encodeExample({ id: ints(id) })))));
const NOTHING = new Uint8Array(0);
const EMPTY_GZIP = new Uint8Array(gzipSync(""));

/**
 * Opens files in the order of `contents`, named like TFX's shards. With the default suffix, ".gz", the names do not reveal the
 * format.
 */
const openShards = (contents: readonly Uint8Array[], options: TfxioOptions = {}, suffix = ".gz") =>
  openTfxio(
    contents.map((bytes, index) => {
      const name = `data_tfrecord-0000${index}-of-0000${contents.length}${suffix}`;
      return new File([bytes], name);
    }),
    options,
  );

describe("the format of possibly empty shards", () => {
  test.each<[string, readonly Uint8Array[]]>([
    ["the first file has no bytes", [NOTHING, EXAMPLES]],
    ["the first file is an empty gzip file", [EMPTY_GZIP, EXAMPLES]],
    ["the first two files are empty", [EMPTY_GZIP, NOTHING, EXAMPLES]],
    ["a later file is empty", [EXAMPLES, NOTHING]],
  ])("is that of the first file with data if %s", async (_, contents) => {
    const tfxio = await openShards(contents, { inferSchema: "full" });
    expect(await collect(tfxio.rows())).toEqual([{ id: [1] }, { id: [2] }]);
  });

  test.each(["", ".tfrecord"])(
    "is detected from a SequenceExample in the first file with data if the names end in %j",
    async (suffix) => {
      const sequence = encodeSequenceExample({ context: {}, featureLists: { words: [ints(1), ints(2, 3)] } });
      const tfxio = await openShards([NOTHING, tfRecordFile([sequence])], {}, suffix);
      expect(await collect(tfxio.rows())).toEqual([{ "##SEQUENCE##": { words: [[1], [2, 3]] } }]);
    },
  );

  test('is TFRecords of messages if "protobuf" is requested and the first file with data holds TFRecords', async () => {
    const formatOptions = await parseProto("message Row { optional int32 id = 1; }", "Row");
    const messages = tfRecordFile([Uint8Array.of(0x08, 5)]);
    const tfxio = await openShards([NOTHING, messages], { format: "protobuf", formatOptions });
    expect(await collect(tfxio.rows())).toEqual([{ id: [5] }]);
  });

  test("is unknown if all files are empty, and the error says so", async () => {
    await expect(openShards([EMPTY_GZIP, NOTHING])).rejects.toMatchObject({
      code: "unknown-format",
      reason: "undetected",
      message: expect.stringContaining("data_tfrecord-00000-of-00002.gz has no known extension and is empty"),
    });
    const format = "tfrecord";
    expect(await collect((await openShards([EMPTY_GZIP, NOTHING], { format })).rows())).toEqual([]);
  });

  test("is unknown if no format recognizes the first file with data, which the error names", async () => {
    await expect(openShards([NOTHING, Uint8Array.of(1, 2, 3), EXAMPLES])).rejects.toMatchObject({
      code: "unknown-format",
      reason: "undetected",
      message: expect.stringMatching(/data_tfrecord-00001-of-00003\.gz .*01 02 03/),
    });
  });
});
