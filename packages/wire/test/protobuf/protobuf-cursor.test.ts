import { describe, expect, test } from "@jest/globals";
import { isTfxioError, type RecordError } from "../../src/errors.js";
import { ProtoCursor } from "../../src/protobuf/protobuf-cursor.js";
import { randomNumbers } from "../tfrecord-bytes.js";

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
const cursor = (hex: string) => new ProtoCursor(bytes(hex));

function failure(run: () => unknown): RecordError {
  try {
    run();
  } catch (error) {
    if (isTfxioError(error, "malformed-payload")) return error;
    throw error;
  }
  throw new Error("expected an error");
}

describe("ProtoCursor", () => {
  test("reads the examples of the protobuf encoding guide", () => {
    // https://protobuf.dev/programming-guides/encoding/: message Test1 { a = 150 }, Test2 { b = "testing" }.
    const first = cursor("08 96 01");
    expect(first.tag()).toBe((1 << 3) | 0);
    expect(first.varint32()).toBe(150);
    expect(first.isAtEnd).toBe(true);
    const second = cursor("12 07 74 65 73 74 69 6e 67");
    expect(second.tag()).toBe((2 << 3) | 2);
    expect(new TextDecoder().decode(second.lengthDelimited())).toBe("testing");
  });

  test("reads 64-bit varints as bigints and as two 32-bit halves", () => {
    // -2 has ten bytes in the encoding guide.
    expect(cursor("fe ff ff ff ff ff ff ff ff 01").int64()).toBe(-2n);
    expect(cursor("fe ff ff ff ff ff ff ff ff 01").uint64()).toBe(2n ** 64n - 2n);
    const halves = cursor("fe ff ff ff ff ff ff ff ff 01");
    halves.varint64();
    expect([halves.low, halves.high]).toEqual([-2, -1]);
    expect(cursor("80 80 80 80 10").uint64()).toBe(2n ** 32n);
    expect(cursor("ff ff ff ff 7f").uint64()).toBe(2n ** 35n - 1n);
    expect(cursor("80 80 80 80 80 80 80 80 40").int64()).toBe(2n ** 62n);
  });

  test("drops the high bits of a varint read as 32 bits", () => {
    expect(cursor("ff ff ff ff ff ff ff ff ff 01").varint32()).toBe(0xffffffff);
    expect(cursor("81 80 80 80 10").varint32()).toBe(1);
  });

  test("reads fixed-width numbers as little-endian, even at an offset in a buffer", () => {
    const shifted = new ProtoCursor(bytes("aa 00 00 80 3f").subarray(1));
    expect(shifted.float()).toBe(1);
    expect(cursor("ff ff ff ff").fixed32()).toBe(0xffffffff);
    expect(cursor("00 00 00 00 00 00 f0 3f").double()).toBe(1);
    const halves = cursor("01 00 00 00 ff ff ff ff");
    halves.fixed64();
    expect([halves.low, halves.high]).toEqual([1, -1]);
  });

  test("returns length-delimited values as views, and messages as cursors over the same bytes", () => {
    const data = bytes("03 08 96 01 ff");
    const outer = new ProtoCursor(data);
    const inner = outer.message();
    expect(outer.position).toBe(4);
    expect(inner.tag()).toBe(8);
    expect(inner.varint32()).toBe(150);
    expect(inner.isAtEnd).toBe(true);
    expect(new ProtoCursor(data).lengthDelimited().buffer).toBe(data.buffer);
  });
});

describe("ProtoCursor.skip", () => {
  test("moves past a value of each wire type", () => {
    for (const hex of [
      "08 96 01",
      "09 0102030405060708",
      "0a 03 616263",
      "0d 01020304",
      "0b 10 01 1b 1c 0c",
    ]) {
      const all = cursor(`${hex} 10 05`);
      all.skip(all.tag());
      expect(all.tag()).toBe(2 << 3);
      expect(all.varint32()).toBe(5);
    }
  });

  test("rejects groups without a start or an end, with a wrong end, or nested deeper than 100", () => {
    const failed = (hex: string) =>
      failure(() => {
        const all = cursor(hex);
        all.skip(all.tag());
      });
    const skip = (hex: string) => failed(hex).reason;
    expect(skip("0b 10 01")).toBe("truncated");
    expect(skip("0b 14")).toBe("group");
    expect(skip("0c")).toBe("group");
    expect(failed("0b 14").message).toContain("found an end tag for group 2 without a matching start tag.");
    expect(skip("0b".repeat(101) + "0c".repeat(101))).toBe("depth");
    const deep = cursor("0b".repeat(100) + "0c".repeat(100));
    deep.skip(deep.tag());
    expect(deep.isAtEnd).toBe(true);
  });
});

describe("malformed input", () => {
  test("is rejected with a reason", () => {
    expect(failure(() => cursor("00").tag()).reason).toBe("tag");
    expect(failure(() => cursor("0e").tag()).reason).toBe("wire-type");
    expect(failure(() => cursor("0f").tag()).reason).toBe("wire-type");
    expect(failure(() => cursor("").tag()).reason).toBe("truncated");
    expect(failure(() => cursor("88 80 80 80 10").tag()).reason).toBe("tag");
    expect(failure(() => cursor("88 80 80 80 80 00").tag()).reason).toBe("tag");
    expect(failure(() => cursor("80").varint32()).reason).toBe("truncated");
    expect(failure(() => cursor("ff".repeat(11)).int64()).reason).toBe("varint");
    expect(failure(() => cursor("01 02 03").fixed32()).reason).toBe("truncated");
    expect(failure(() => cursor("04 01 02 03").lengthDelimited()).reason).toBe("truncated");
    expect(failure(() => cursor("80 80 80 80 10 00").lengthDelimited()).reason).toBe("truncated");
  });

  test("is reported with the source, the record and the byte", () => {
    const location = { uri: "a.tfrecord", recordIndex: 7, byteOffset: 1000 };
    const outer = new ProtoCursor(bytes("0a 02 08 80"), { location });
    outer.tag();
    const inner = outer.message();
    inner.tag();
    const error = failure(() => inner.varint32());
    expect(error).toMatchObject({ uri: "a.tfrecord", recordIndex: 7, byteOffset: 1003, reason: "truncated" });
  });

  test("is not read beyond the end of the cursor", () => {
    const inner = new ProtoCursor(bytes("08 96 01"), { start: 0, end: 2 });
    inner.tag();
    expect(failure(() => inner.varint32()).reason).toBe("truncated");
  });
});

test("ProtoCursor.skip moves past random bytes field by field up to their end, or rejects them with a reason", () => {
  const random = randomNumbers(5);
  let numWhole = 0;
  for (let round = 0; round < 5000; round++) {
    // Small bytes are often valid tags and lengths.
    const size = Math.floor(random() * 12);
    const data = Uint8Array.from({ length: size }, () => Math.floor(random() * (random() < 0.7 ? 24 : 256)));
    const all = new ProtoCursor(data);
    try {
      while (!all.isAtEnd) {
        const before = all.position;
        all.skip(all.tag());
        expect(all.position).toBeGreaterThan(before);
      }
      expect(all.position).toBe(size);
      numWhole++;
    } catch (error) {
      if (!isTfxioError(error, "malformed-payload")) throw error;
      expect(error.reason).toBeDefined();
    }
  }
  expect(numWhole).toBeGreaterThan(500);
});
