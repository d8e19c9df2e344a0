import { describe, expect, test } from "@jest/globals";
import { isTfxioError } from "@tfxio/wire";
import { createExampleDecoder } from "../../src/index.js";
import { columnsOf } from "../plain-batch.js";
import {
  bytesFeature,
  entry,
  example,
  field,
  floatFeature,
  floats,
  group,
  int64Feature,
  text,
  varint,
} from "../wire-bytes.js";

// Expected cells follow the protobuf encoding guide (merging, packed fields, maps) and tfx_bsl's decoder tests.

function decode(...records: readonly Uint8Array[]): Record<string, unknown[]> {
  return columnsOf(createExampleDecoder().decode(records));
}

/** Returns the byte offset at which a record is rejected as malformed; undefined if the record is accepted. */
function rejectedAt(record: Uint8Array): number | undefined {
  try {
    decode(record);
  } catch (error) {
    if (isTfxioError(error, "malformed-payload")) return error.byteOffset;
    throw error;
  }
  return undefined;
}

const b64 = (value: string): unknown => ({ b64: Buffer.from(value).toString("base64") });
const key = (name: string): number[] => field(1, text(name));
const value = (feature: readonly number[]): number[] => field(2, feature);

describe("values", () => {
  test("may be packed, unpacked or mixed, and several packed runs are concatenated", () => {
    const int64s = field(3, [0x08, 1, ...field(1, [2, 3]), 0x08, 4, ...field(1, []), ...field(1, [5])]);
    const float32s = field(2, [0x0d, ...floats(1), ...field(1, floats(2, 3)), 0x0d, ...floats(4)]);
    expect(decode(example(entry("f", float32s), entry("i", int64s)))).toEqual({
      f: [[1, 2, 3, 4]],
      i: [["1", "2", "3", "4", "5"]],
    });
  });

  test("are the low 64 bits of varints of up to ten bytes", () => {
    const long = [...Array.from({ length: 9 }, () => 0xff), 0x7f];
    const needless = varint(5, 8);
    expect(decode(example(entry("i", field(3, field(1, [...long, ...needless])))))).toEqual({
      i: [["-1", "5"]],
    });
  });

  test("are empty for an empty list, and null for a feature that is absent or has no kind", () => {
    const columns = decode(
      example(entry("a", int64Feature())),
      example(entry("a", [])),
      example(),
      example(entry("a", field(3, []))),
      example(entry("a", int64Feature(7))),
    );
    expect(columns).toEqual({ a: [[], null, null, [], ["7"]] });
  });

  test("are complete for strings of up to 40,000 bytes and lists of up to 40,000 numbers", () => {
    for (const length of [0, 1, 63, 64, 65, 127, 128, 16_383, 16_384, 40_000]) {
      const string = "x".repeat(length);
      const ints = Array.from({ length }, (_, i) => i);
      const columns = decode(
        example(
          entry("b", bytesFeature(string, "y")),
          entry("f", floatFeature(...ints)),
          entry("i", int64Feature(...ints)),
        ),
      );
      expect(columns).toEqual({ b: [[b64(string), b64("y")]], f: [ints], i: [ints.map(String)] });
    }
  });
});

describe("in a record", () => {
  test("two lists of the same kind in a feature are concatenated, and a list of a different kind replaces earlier lists", () => {
    const same = [...int64Feature(1), ...int64Feature(2)];
    const other = [...int64Feature(1), ...bytesFeature("b"), ...int64Feature(2)];
    expect(decode(example(entry("a", same), entry("b", other)))).toEqual({ a: [["1", "2"]], b: [["2"]] });
  });

  test("the last of several entries with the same name counts, even if their kinds differ", () => {
    expect(decode(example(entry("a", int64Feature(1)), entry("a", floatFeature(2))))).toEqual({ a: [[2]] });
    expect(decode(example(entry("a", int64Feature(1)), entry("a", [])))).toEqual({ a: [null] });
    expect(decode(example(entry("a", bytesFeature("long", "")), entry("a", bytesFeature("b"))))).toEqual({
      a: [[b64("b")]],
    });
  });

  test("an entry of the wrong kind is accepted if a later entry with its name has the kind of the column", () => {
    const first = example(entry("a", int64Feature(1)));
    const second = example(entry("a", floatFeature(2)), entry("a", int64Feature(3)));
    expect(decode(first, second)).toEqual({ a: [["1"], ["3"]] });
  });

  test("the values within one entry are merged, and its last key counts", () => {
    const twice = field(1, [...key("x"), ...value(int64Feature(1)), ...key("a"), ...value(int64Feature(2))]);
    expect(decode(example(twice))).toEqual({ a: [["1", "2"]] });
  });

  test("an entry may have its value before its key, or lack a key or a value", () => {
    const valueFirst = field(1, [...value(int64Feature(1)), ...key("a")]);
    const noKey = field(1, value(int64Feature(2)));
    const noValue = field(1, key("c"));
    expect(decode(example(valueFirst, noKey, noValue))).toEqual({ "": [["2"]], a: [["1"]], c: [null] });
  });

  test("two `features` messages are merged, and the later of two entries with the same name wins", () => {
    const first = example(entry("a", int64Feature(1)), entry("b", int64Feature(2)));
    const second = example(entry("b", int64Feature(3)));
    expect(decode(Uint8Array.from([...first, ...second]))).toEqual({ a: [["1"]], b: [["3"]] });
  });
});

describe("a field unknown to the tf.Example schema", () => {
  const unknown = [...field(9, [1, 2]), ...group(16, [0x08, 1, ...group(1, [])]), ...varint(5 * 8), 1];
  const fixed = (tag: number, size: number): number[] => [tag, ...Array.from({ length: size }, () => 0xff)];

  test("is skipped at every level", () => {
    const list = field(3, [...unknown, ...field(1, [1]), ...unknown]);
    const feature = [...unknown, ...list, ...unknown];
    const inEntry = field(1, [...unknown, ...key("a"), ...unknown, ...value(feature), ...unknown]);
    const record = [...unknown, ...field(1, [...unknown, ...inEntry, ...unknown]), ...unknown];
    expect(decode(Uint8Array.from(record))).toEqual({ a: [["1"]] });
  });

  test("may have a known field number with a different wire type", () => {
    const list = field(2, [...fixed(0x09, 8), ...field(1, floats(1)), 0x08, 1]);
    const feature = [...fixed(0x15, 4), ...list, 0x18, 1];
    const inEntry = field(1, [...fixed(0x0d, 4), ...key("a"), ...fixed(0x11, 8), ...value(feature)]);
    expect(decode(Uint8Array.from([0x08, 1, ...field(1, [0x08, 1, ...inEntry])]))).toEqual({ a: [[1]] });
  });

  test("is not parsed, so bytes that would be invalid in a message are accepted", () => {
    expect(decode(Uint8Array.from(field(2, [0xff, 0xff])))).toEqual({});
  });
});

describe("a malformed record", () => {
  const inList = (...list: number[]): Uint8Array => example(entry("a", field(3, list)));
  const withKey = (...bytes: number[]): Uint8Array =>
    example(field(1, [...field(1, bytes), ...value(int64Feature(1))]));

  test.each<[string, Uint8Array, number]>([
    ["field number 0", Uint8Array.of(0x02, 0x00), 0],
    ["wire type 6", Uint8Array.of(0x0e), 1],
    ["wire type 7", Uint8Array.of(0x0f), 1],
    ["a group end without a start", Uint8Array.of(0x0c), 1],
    ["a group that does not end", Uint8Array.of(0x23, 0x08, 0x01), 1],
    ["a group that ends with the tag of a different group", Uint8Array.of(0x23, 0x2c), 1],
    ["a tag of six bytes", Uint8Array.of(0x8a, 0x80, 0x80, 0x80, 0x80, 0x00), 0],
    ["a tag beyond 32 bits", Uint8Array.of(0x8a, 0x80, 0x80, 0x80, 0x10), 0],
    ["a length beyond the end", Uint8Array.of(0x0a, 0x01), 1],
    ["a length of six bytes", Uint8Array.of(0x0a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00), 1],
    ["a missing length", Uint8Array.of(0x0a), 1],
    ["a truncated fixed32", Uint8Array.of(0x25, 0, 0, 0), 1],
    ["a truncated fixed64", Uint8Array.of(0x21, 0, 0, 0, 0, 0, 0, 0), 1],
    ["an entry beyond the end of its message", Uint8Array.of(0x0a, 0x02, 0x0a, 0x01), 3],
    ["an unpacked varint of eleven bytes", inList(0x08, ...Array.from({ length: 10 }, () => 0x80), 0), 12],
    ["a packed varint of eleven bytes", inList(...field(1, varint(0, 10))), 13],
    ["a packed varint that does not end", inList(0x0a, 1, 0x80), 13],
    ["packed floats of five bytes", example(entry("a", field(2, field(1, [0, 0, 0, 0, 0])))), 12],
    ["field number 0 in a feature without a kind", example(entry("a", []), entry("a", [0x02, 0x00])), 16],
    ["a key with an overlong form of two bytes", withKey(0xc0, 0x80), 6],
    ["a key with an overlong form of three bytes", withKey(0x61, 0xe0, 0x80, 0x80), 7],
    ["a key with a surrogate", withKey(0xed, 0xa0, 0x80), 6],
    ["a key above U+10FFFF", withKey(0xf4, 0x90, 0x80, 0x80), 6],
    ["a key with a truncated character", withKey(0xe2, 0x82), 6],
    ["a key with a lone continuation byte", withKey(0x80), 6],
  ])("is rejected with the expected byte offset: %s", (_, record, offset) => {
    expect(rejectedAt(record)).toBe(offset);
  });

  test("is rejected for more than a hundred levels of nested groups and messages", () => {
    const nested = (depth: number): number[] => [
      ...varint(0).slice(1),
      ...Array.from({ length: depth }, () => 0x23),
      ...Array.from({ length: depth }, () => 0x24),
    ];
    expect(rejectedAt(Uint8Array.from(nested(100)))).toBeUndefined();
    expect(rejectedAt(Uint8Array.from(nested(101)))).toBe(101);
    expect(rejectedAt(example(entry("a", nested(97))))).toBeUndefined();
    expect(rejectedAt(example(entry("a", nested(98))))).toBeDefined();
  });

  test("is rejected even if the error is in a feature that a projection drops", () => {
    const decoder = createExampleDecoder({ columns: [] });
    expect(() => decoder.decode([inList(0x0a, 1, 0x80)])).toThrow(
      expect.objectContaining({ code: "malformed-payload" }),
    );
    expect(() => decoder.decode([withKey(0x80)])).toThrow(
      expect.objectContaining({ code: "malformed-payload" }),
    );
    expect(decoder.decode([inList(0x0a, 1, 1)]).numRows).toBe(1);
  });
});
