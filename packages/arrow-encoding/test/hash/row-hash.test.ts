import { describe, expect, test } from "@jest/globals";
import { ColumnPath } from "@tfxio/schema";
import {
  Binary,
  Bool,
  type Data,
  type DataType,
  DateDay,
  Field,
  FixedSizeBinary,
  Float32,
  Float64,
  Int32,
  Int64,
  LargeList,
  LargeUtf8,
  makeData,
  Null,
  Struct,
  TimestampMicrosecond,
  Uint64,
  Utf8,
} from "apache-arrow";
import {
  hashColumnRows,
  hashFraction,
  hashRowPositions,
  hashThreshold,
  toListColumns,
} from "../../src/index.js";
import { murmur3, murmur3Int64 } from "../../src/hash/murmur3.js";
import { batchOf, columnOf, dictionaryOf, listOf } from "../batches.js";

const x = ColumnPath.of("x");
const hashesOf = (data: Data, seed = 0): number[] => [...hashColumnRows(batchOf({ x: data }), x, seed)];
const unsigned = (value: number): number => value >>> 0;

describe("MurmurHash3_x86_32", () => {
  // SMHasher, KeysetTest.cpp (VerificationTest) and main.cpp: the keys {}, {0}, {0, 1}, … are hashed with the seeds
  // 256 - length, and then the sequence of hashes is hashed with the seed 0.
  test("matches the verification value of its author's test", () => {
    const key = Uint8Array.from({ length: 256 }, (_, i) => i);
    const hashes = Uint32Array.from({ length: 256 }, (_, i) => murmur3(key, 0, i, 256 - i));
    expect(murmur3(new Uint8Array(hashes.buffer), 0, 1024, 0)).toBe(0xb0f57ee3);
  });

  test("hashes an int64 as its eight bytes", () => {
    const value = -123456789012345n;
    const bytes = new Uint8Array(BigInt64Array.of(value).buffer);
    const [low, high] = new Int32Array(bytes.buffer) as unknown as [number, number];
    expect(murmur3Int64(low, high, 99)).toBe(murmur3(bytes, 0, 8, 99));
  });
});

// Apache Iceberg's table specification, appendix B: 32-bit hash requirements.
test.each<[DataType, unknown, number]>([
  [new Bool(), true, 1392991556],
  [new Int32(), 34, 2017239379],
  [new Int64(), 34n, 2017239379],
  [new Uint64(), 34n, 2017239379],
  [new Float32(), 1, -142385009],
  [new Float64(), 1, -142385009],
  [new Utf8(), "iceberg", 1210000089],
  [new LargeUtf8(), "iceberg", 1210000089],
  [new Binary(), Uint8Array.of(0, 1, 2, 3), -188683207],
  [new FixedSizeBinary(4), Uint8Array.of(0, 1, 2, 3), -188683207],
])("%s values hash as Iceberg specifies", (type, value, hash) => {
  expect(hashesOf(columnOf(type, [value, value]))).toEqual([unsigned(hash), unsigned(hash)]);
  expect(hashesOf(columnOf(listOf(type), [[value]]))).toEqual([unsigned(hash)]);
});

test("dates and timestamps hash as Iceberg specifies", () => {
  // 2017-11-16, and 2017-11-16T22:31:08.
  const days = makeData({ type: new DateDay(), length: 1, data: Int32Array.of(17486) });
  expect(hashesOf(days)).toEqual([unsigned(-653330422)]);
  const micros = makeData({
    type: new TimestampMicrosecond(),
    length: 1,
    data: BigInt64Array.of(1510871468000000n),
  });
  expect(hashesOf(micros)).toEqual([unsigned(-2047944441)]);
});

describe("hashColumnRows", () => {
  test("returns one hash for both zeros, and one for NaNs with different bits", () => {
    const nans = new Float64Array(new BigUint64Array([0x7ff8000000000000n, 0xfff0000000000001n]).buffer);
    const [zero, minusZero, nan, other] = hashesOf(columnOf(new Float64(), [0, -0, ...nans]));
    expect(minusZero).toBe(zero);
    expect(other).toBe(nan);
    expect(nan).not.toBe(zero);
  });

  test("chains the values of a row: each hash is the seed of the next", () => {
    const text = new TextEncoder();
    const chained = ["a", "bc"].reduce(
      (hash, value) => murmur3(text.encode(value), 0, value.length, hash),
      5,
    );
    expect(hashesOf(columnOf(listOf(new Utf8()), [["a", "bc"], ["abc"]]), 5)[0]).toBe(chained);
    expect(hashesOf(columnOf(listOf(listOf(new Utf8())), [[["a"], [], ["bc"]]]), 5)[0]).toBe(chained);
  });

  test("hashes null as the byte 0, and an empty list as the byte 1", () => {
    const nothing = murmur3(Uint8Array.of(0), 0, 1, 7);
    const empty = murmur3(Uint8Array.of(1), 0, 1, 7);
    expect(hashesOf(columnOf(listOf(new Int64()), [null, []]), 7)).toEqual([nothing, empty]);
    expect(hashesOf(columnOf(new Int64(), [null]), 7)).toEqual([nothing]);
    expect(hashesOf(makeData({ type: new Null(), length: 2 }), 7)).toEqual([nothing, nothing]);
    expect(hashesOf(dictionaryOf(["a", null], [1, null]), 7)).toEqual([nothing, nothing]);
  });

  test("does not depend on how values are stored or divided into batches", () => {
    const values = ["DE", null, "FR", "DE", "a longer text of many bytes"];
    const expected = hashesOf(columnOf(new Utf8(), values), 3);
    expect(new Set(expected).size).toBe(4);
    expect(
      hashesOf(dictionaryOf(["x", "FR", "DE", "a longer text of many bytes"], [2, null, 1, 2, 3]), 3),
    ).toEqual(expected);
    const lists = values.map((value) => (value === null ? null : [value]));
    expect(hashesOf(columnOf(new LargeList(new Field("item", new LargeUtf8(), true)), lists), 3)).toEqual(
      expected,
    );
    const batch = batchOf({ x: columnOf(new Utf8(), values) });
    expect([...hashColumnRows(toListColumns(batch), x, 3)]).toEqual(expected);
    const parts = [batch.slice(0, 2), batch.slice(2, 5)].flatMap((part) => [...hashColumnRows(part, x, 3)]);
    expect(parts).toEqual(expected);
    const user = new Struct([new Field("id", new Utf8(), true)]);
    const structs = batchOf({
      user: columnOf(
        user,
        values.map((id) => ({ id })),
      ),
    });
    expect([...hashColumnRows(structs, ColumnPath.of("user", "id"), 3)]).toEqual(expected);
  });

  test("rejects missing columns, struct columns and invalid seeds", () => {
    const struct = columnOf(new Struct([new Field("id", new Int64(), true)]), [{ id: 1n }]);
    const batch = batchOf({ x: struct });
    expect(() => hashColumnRows(batch, x, 0)).toThrow(expect.objectContaining({ reason: "column-type" }));
    expect(() => hashColumnRows(batch, ColumnPath.of("y"), 0)).toThrow(
      expect.objectContaining({ reason: "unknown-column" }),
    );
    for (const seed of [-1, 1.5, 2 ** 32, Number.NaN]) {
      expect(() => hashColumnRows(batch, x, seed)).toThrow(expect.objectContaining({ argument: "seed" }));
    }
  });
});

describe("hashRowPositions", () => {
  test("hashes each position, seeded with the hash of the file's URI", () => {
    // The murmur3 hash of no bytes with seed 0 is 0, so this is Iceberg's hash of 34.
    expect([...hashRowPositions({ uri: "", positions: BigInt64Array.of(34n), seed: 0 })]).toEqual([
      2017239379,
    ]);
    const ofUri = murmur3(new TextEncoder().encode("data/ä.csv"), 0, 11, 42);
    const position = new Uint8Array(BigInt64Array.of(2n ** 40n + 3n).buffer);
    expect([
      ...hashRowPositions({ uri: "data/ä.csv", positions: BigInt64Array.of(2n ** 40n + 3n), seed: 42 }),
    ]).toEqual([murmur3(position, 0, 8, ofUri)]);
  });

  test("puts the requested fraction of rows below the threshold, independently for each seed and file", () => {
    const numRows = 100_000;
    const threshold = hashThreshold(0.2);
    const parts = [0, 1, 12345].flatMap((seed) =>
      ["a.tfrecord", "b.tfrecord"].map((uri) => {
        // Byte offsets of records that are 213 bytes long.
        const positions = BigInt64Array.from({ length: numRows }, (_, row) => BigInt(row * 213));
        return hashRowPositions({ uri, positions, seed }).map((hash) => (hash < threshold ? 1 : 0));
      }),
    );
    // Four standard deviations of a binomial distribution: 4 * sqrt(100000 * 0.2 * 0.8) = 506.
    for (const part of parts) expect(Math.abs(sum(part) - 20_000)).toBeLessThan(506);
    for (let i = 1; i < parts.length; i++) {
      const both = sum(parts[0]!.map((one, row) => one & parts[i]![row]!));
      // 4 * sqrt(100000 * 0.04 * 0.96) = 248.
      expect(Math.abs(both - 4_000)).toBeLessThan(248);
    }
  });

  test("rejects arguments of the wrong type", () => {
    const positions = BigInt64Array.of(1n);
    expect(() => hashRowPositions({ uri: 1 as never, positions, seed: 0 })).toThrow(
      expect.objectContaining({ argument: "uri" }),
    );
    expect(() => hashRowPositions({ uri: "", positions: [1n] as never, seed: 0 })).toThrow(
      expect.objectContaining({ argument: "positions" }),
    );
    expect(() => hashRowPositions({ uri: "", positions, seed: "1" as never })).toThrow(
      expect.objectContaining({ argument: "seed" }),
    );
  });
});

test("hashThreshold converts a fraction from 0 to 1 into a threshold, and hashFraction converts a hash into a fraction", () => {
  expect(hashThreshold(0)).toBe(0);
  expect(hashThreshold(0.25)).toBe(2 ** 30);
  expect(hashThreshold(1)).toBe(2 ** 32);
  expect(hashFraction(2 ** 30)).toBe(0.25);
  expect(hashFraction(2 ** 32 - 1)).toBeLessThan(1);
  for (const fraction of [-0.1, 1.1, Number.NaN, "0.5" as never]) {
    expect(() => hashThreshold(fraction)).toThrow(expect.objectContaining({ reason: "bounds" }));
  }
});

function sum(values: Uint32Array): number {
  return values.reduce((total, value) => total + value, 0);
}
