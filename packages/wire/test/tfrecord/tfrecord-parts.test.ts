import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import type { RecordBlock } from "../../src/record-block.js";
import { bytesSource } from "../../src/sources/bytes-source.js";
import { tfRecordBlocks } from "../../src/tfrecord/tfrecord-blocks.js";
import { decodeTfRecord } from "../../src/tfrecord/tfrecord-frame.js";
import type { TfRecordPart } from "../../src/tfrecord/tfrecord-windows.js";
import { choppedSource, failure, payloadsOf } from "../sources.js";
import { frame, masked, randomNumbers, randomPayloads } from "../tfrecord-bytes.js";

const payloads = randomPayloads(randomNumbers(5), 12, 40);
const frames = payloads.map(frame);
const file = Buffer.concat(frames);
const offsets = frames.map((_, index) => Buffer.concat(frames.slice(0, index)).length).concat(file.length);

/** Returns payloads with their indices in the file. */
async function numbered(blocks: AsyncIterable<RecordBlock>): Promise<[number, Uint8Array][]> {
  const found: [number, Uint8Array][] = [];
  for await (const { bytes, numRecords, starts, ends, firstRecordIndex } of blocks) {
    for (let index = 0; index < numRecords; index++) {
      found.push([firstRecordIndex + index, new Uint8Array(bytes.subarray(starts[index], ends[index]))]);
    }
  }
  return found;
}

describe("a part of a TFRecord file", () => {
  test("yields the records between its bounds, starting at any record, for chunks of any size", async () => {
    for (const [first, end] of [
      [0, 12],
      [0, 5],
      [3, 3],
      [3, 8],
      [11, 12],
    ] as const) {
      const part = { start: offsets[first]!, end: offsets[end]!, firstRecordIndex: first };
      for (let row = 0; row <= end - first; row++) {
        for (const from of [{ row }, { row, detail: offsets[first + row]! }]) {
          for (const size of [1, 7, 50, 10_000]) {
            const source = choppedSource(file, () => size);
            const found = await numbered(tfRecordBlocks(source, { from, part }));
            expect(found).toEqual(
              payloads.slice(first + row, end).map((payload, index) => [first + row + index, payload]),
            );
          }
        }
      }
    }
  });

  test("extends to the end of the file if no end is given, even in a gzip file", async () => {
    for (const bytes of [file, gzipSync(file)]) {
      const blocks = tfRecordBlocks(bytesSource(bytes), { part: { start: offsets[4]! } });
      expect(await payloadsOf(blocks)).toEqual(payloads.slice(4));
    }
  });

  test("rejects a position after its end with an error that counts only the part's records", async () => {
    const part = { start: offsets[3]!, end: offsets[8]!, firstRecordIndex: 3 };
    const blocks = tfRecordBlocks(bytesSource(file, "a"), { from: { row: 6 }, part });
    const { reason, message } = await failure(payloadsOf(blocks), "invalid-argument");
    expect(reason).toBe("behind-end");
    expect(message).toContain("a has 5 records in this split, so reading cannot start at record 6.");
  });

  test("fails at a record that extends beyond the end of the part", async () => {
    for (const more of [1, 11, 13]) {
      for (const size of [3, 1000]) {
        const part: TfRecordPart = { start: offsets[2]!, end: offsets[5]! + more, firstRecordIndex: 2 };
        const reading = numbered(
          tfRecordBlocks(
            choppedSource(file, () => size),
            { part },
          ),
        );
        expect(await failure(reading, "corrupt-record")).toMatchObject({
          reason: "framing",
          recordIndex: 5,
          byteOffset: offsets[5],
        });
      }
    }
  });

  test("fails with a truncated-record error if the file ends within a record", async () => {
    const bytes = file.subarray(0, -2);
    const part = { start: offsets[10]!, end: bytes.length };
    const reading = payloadsOf(tfRecordBlocks(bytesSource(bytes), { part }));
    expect(await failure(reading, "truncated-record")).toMatchObject({ reason: "record-footer" });
  });

  test.each([{ start: -1 }, { start: 0, end: 1.5 }, { start: 0, firstRecordIndex: "1" }, {}, 3])(
    "cannot be %j",
    async (part) => {
      const options = { part: part as TfRecordPart };
      const error = await failure(payloadsOf(tfRecordBlocks(bytesSource(file), options)), "invalid-argument");
      expect(error.argument).toMatch(/^part/);
    },
  );
});

describe("one framed record", () => {
  const location = { uri: "a", recordIndex: 3, byteOffset: 70 };

  test("is decoded to a view of its payload", () => {
    for (const [index, bytes] of frames.entries()) {
      const payload = decodeTfRecord(bytes, location);
      expect(Buffer.compare(payload, payloads[index]!)).toBe(0);
      expect(payload.buffer).toBe(bytes.buffer);
    }
  });

  test("is rejected if any byte is changed, if it is truncated at any byte, or if more bytes follow", () => {
    const whole = frame(Uint8Array.of(1, 2, 3));
    for (let at = 0; at < whole.length; at++) {
      const flipped = Uint8Array.from(whole);
      flipped[at]! ^= 1;
      expect(() => decodeTfRecord(flipped, location)).toThrow(
        expect.objectContaining({ code: "corrupt-record", ...location }),
      );
      expect(() => decodeTfRecord(whole.subarray(0, at), location)).toThrow(
        expect.objectContaining({ code: "truncated-record", ...location }),
      );
    }
    expect(() => decodeTfRecord(Buffer.concat([whole, Uint8Array.of(0)]), location)).toThrow(
      expect.objectContaining({ code: "corrupt-record", reason: "framing" }),
    );
  });

  test("is rejected if its length is 4 GiB, even with a valid checksum", () => {
    const length = Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0);
    expect(() => decodeTfRecord(Buffer.concat([length, masked(length)]), location)).toThrow(
      expect.objectContaining({
        code: "limit-exceeded",
        reason: "record-length",
        message: "[limit-exceeded] The payload of record 3 of a at byte 70 must be shorter than 4 GiB.",
      }),
    );
  });
});
