import { expect, test } from "@jest/globals";
import { bytesSource } from "@tfxio/wire";
import { fixture } from "./probe.js";
import { readBatches } from "./read-parquet.js";

const bytes = fixture("groups.parquet");

test("the Parquet reader applies the metadata limit to the footer", async () => {
  await expect(readBatches(bytesSource(bytes), {}, { maxMetadataBytes: 1000 })).rejects.toMatchObject({
    code: "limit-exceeded",
    reason: "metadata-length",
  });
});

test("the Parquet reader rejects a file with a page that exceeds the page limit", async () => {
  await expect(readBatches(bytesSource(bytes), {}, { maxPageBytes: 500 })).rejects.toMatchObject({
    code: "limit-exceeded",
    reason: "page-length",
  });
});

test("the Parquet reader names the file and the byte offset of a damaged page", async () => {
  const damaged = bytes.slice();
  damaged.fill(0xff, 4, 60);
  await expect(readBatches(bytesSource(damaged, "bad.parquet"))).rejects.toMatchObject({
    code: "corrupt-record",
    reason: "page",
    uri: "bad.parquet",
    byteOffset: 4,
  });
});

test("the Parquet reader rejects a flat column that declares more values than its row group has rows", async () => {
  const damaged = withOtherValueCount(fixture("rows.parquet"));
  await expect(readBatches(bytesSource(damaged))).rejects.toMatchObject({ code: "corrupt-record" });
});

/** Returns the file, but with 4 instead of 3 as `num_values` of the first column chunk in the footer. */
function withOtherValueCount(file: Uint8Array): Uint8Array {
  const damaged = file.slice();
  // 0x16 is the header of field 5 (an i64) after field 4, and 0x06 is the number 3 as a zigzag varint.
  const at = damaged.findIndex((byte, index) => index > 1000 && byte === 0x16 && damaged[index + 1] === 0x06);
  damaged[at + 1] = 0x08;
  return damaged;
}
