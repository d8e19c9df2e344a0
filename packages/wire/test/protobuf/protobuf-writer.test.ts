import { describe, expect, test } from "@jest/globals";
import { isTfxioError } from "../../src/errors.js";
import { ProtoCursor } from "../../src/protobuf/protobuf-cursor.js";
import { WireType } from "../../src/protobuf/protobuf-wire-type.js";
import { ProtoWriter } from "../../src/protobuf/protobuf-writer.js";

const hex = (writer: ProtoWriter) => Buffer.from(writer.finish()).toString("hex");

describe("ProtoWriter", () => {
  test("writes the examples of the protobuf encoding guide", () => {
    expect(hex(new ProtoWriter().tag(1, WireType.varint).varint32(150))).toBe("089601");
    expect(hex(new ProtoWriter().tag(2, WireType.lengthDelimited).string("testing"))).toBe(
      "120774657374696e67",
    );
    expect(hex(new ProtoWriter().int64(-2n))).toBe("feffffffffffffffff01");
    // The packed field of the guide: number 6, with the values 3, 270 and 86942.
    const packed = new ProtoWriter().tag(6, WireType.lengthDelimited);
    const mark = packed.beginMessage();
    packed.varint32(3).varint32(270).varint32(86942);
    expect(hex(packed.endMessage(mark))).toBe("3206038e029ea705");
  });

  test("writes fixed-width numbers as little-endian", () => {
    expect(hex(new ProtoWriter().fixed32(0xffffffff).float(1))).toBe("ffffffff0000803f");
    expect(hex(new ProtoWriter().fixed64(-1n).double(1))).toBe("ffffffffffffffff000000000000f03f");
  });

  test("writes the length of a nested message in one, two or three bytes", () => {
    for (const [length, prefix] of [
      [0, "00"],
      [127, "7f"],
      [128, "8001"],
      [16384, "808001"],
    ] as const) {
      const writer = new ProtoWriter(1);
      const outer = writer.beginMessage();
      const inner = writer.beginMessage();
      writer.raw(new Uint8Array(length).fill(7));
      writer.endMessage(inner).endMessage(outer);
      const message = writer.finish();
      const content = new ProtoCursor(message).lengthDelimited();
      expect(Buffer.from(content.subarray(0, prefix.length / 2)).toString("hex")).toBe(prefix);
      expect(new ProtoCursor(content).lengthDelimited()).toEqual(new Uint8Array(length).fill(7));
    }
  });

  test("writes integers around every power of two so that ProtoCursor reads the same integers", () => {
    const writer = new ProtoWriter(1);
    const integers: bigint[] = [];
    for (let bit = 0n; bit < 64n; bit++) {
      for (const near of [-1n, 0n, 1n]) integers.push(BigInt.asIntN(64, (1n << bit) + near));
    }
    for (const integer of integers) {
      writer.int64(integer).varint64(Number(BigInt.asIntN(32, integer)), Number(integer >> 32n));
    }
    const cursor = new ProtoCursor(writer.finish());
    for (const integer of integers) expect([cursor.int64(), cursor.int64()]).toEqual([integer, integer]);
    expect(cursor.isAtEnd).toBe(true);
  });

  test("is empty and usable after finish(), and earlier results do not change", () => {
    const writer = new ProtoWriter();
    const first = writer.varint32(1).finish();
    expect(writer.byteLength).toBe(0);
    writer.varint32(2);
    expect([...first]).toEqual([1]);
    expect([...writer.finish()]).toEqual([2]);
  });

  test("rejects field numbers that a tag cannot hold", () => {
    for (const fieldNumber of [0, -1, 1.5, 2 ** 29]) {
      let caught: unknown;
      try {
        new ProtoWriter().tag(fieldNumber, WireType.varint);
      } catch (error) {
        caught = error;
      }
      expect(isTfxioError(caught, "invalid-argument")).toBe(true);
    }
    expect(hex(new ProtoWriter().tag(2 ** 29 - 1, WireType.fixed32))).toBe("fdffffff0f");
  });
});
