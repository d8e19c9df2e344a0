import { describe, expect, test } from "@jest/globals";
import { Random, type RecordBlock } from "@tfxio/wire";
import { RecordPool } from "../src/records/record-pool.js";

const MIB = 2 ** 20;

interface Kept {
  readonly bytes: Uint8Array;
  readonly origin: readonly number[];
}

function add(pool: RecordPool, bytes: Uint8Array, number: number): Kept {
  const block: RecordBlock = {
    uri: "memory",
    bytes,
    numRecords: 1,
    starts: Uint32Array.of(0),
    ends: Uint32Array.of(bytes.length),
    firstRecordIndex: 0,
    byteOffset: 0,
  };
  const origin = [number % 3, number, 2 ** 40 + number, number % 13] as const;
  const [source, firstRecordIndex, byteOffset, headerBytes] = origin;
  pool.add({ ...block, firstRecordIndex, byteOffset, headerBytes }, 0, 1, source);
  return { bytes: bytes.slice(), origin };
}

function take(pool: RecordPool, index: number): Kept {
  const bytes = pool.bytes.slice(pool.starts[index], pool.ends[index]);
  const { source, recordIndex, byteOffset, headerBytes } = pool.origins.at(index);
  pool.remove(index);
  return { bytes, origin: [source, recordIndex, byteOffset, headerBytes] };
}

function record(random: Random, maxBytes: number): Uint8Array {
  const bytes = new Uint8Array(random.below(maxBytes));
  for (let at = 0; at < bytes.length; at += 997) bytes[at] = random.below(256);
  return bytes;
}

describe("a pool of records", () => {
  test.each([
    ["records of up to 60 bytes", 1, 60],
    ["records of up to 40,000 bytes", 2, 40_000],
    ["records of up to 2 MiB", 3, 2 * MIB],
  ])("behaves like an array, in whatever order %s are added and taken", (_, seed, maxBytes) => {
    const random = Random.of(seed, 0);
    const pool = new RecordPool(500);
    const model: Kept[] = [];
    let number = 0;
    for (const [numSteps, adding] of [
      [400, 90],
      [1000, 50],
      [800, 20],
      [300, 80],
    ] as const) {
      for (let step = 0; step < (maxBytes > MIB ? numSteps / 10 : numSteps); step++) {
        if (model.length === 0 || random.below(100) < adding) {
          model.push(add(pool, record(random, maxBytes), number++));
        } else {
          const index = random.below(model.length);
          const expected = model[index]!;
          // The last record moves into the slot of the removed one.
          model[index] = model.at(-1)!;
          model.pop();
          const taken = take(pool, index);
          expect(taken.origin).toEqual(expected.origin);
          expect(Buffer.compare(taken.bytes, expected.bytes)).toBe(0);
        }
        expect(pool.length).toBe(model.length);
        expect(pool.numBytes).toBe(model.reduce((sum, { bytes }) => sum + bytes.length, 0));
      }
    }
    while (model.length > 0) {
      const { bytes } = take(pool, model.length - 1);
      expect(Buffer.compare(bytes, model.pop()!.bytes)).toBe(0);
    }
    expect(pool.length).toBe(0);
  });

  test.each([0, 3000])(
    "allocates at most 2 MiB plus four times the bytes of its 3,000 records if %s records are expected",
    (maxRecords) => {
      const random = Random.of(7, 0);
      const pool = new RecordPool(maxRecords);
      let most = 0;
      for (let number = 0; number < 40_000; number++) {
        add(pool, new Uint8Array(1 + random.below(8000)), number);
        if (pool.length > 3000) pool.remove(random.below(pool.length));
        if (pool.length === 3000) most = Math.max(most, pool.numBytesHeld - 4 * pool.numBytes);
      }
      expect(pool.numBytes).toBeGreaterThan(8 * MIB);
      expect(most).toBeLessThanOrEqual(2 * MIB);
    },
  );

  test("allocates at most 2 MiB plus 20 times the bytes of its records if a billion are expected and it holds over 1 MiB", () => {
    const pool = new RecordPool(1e9);
    let most = 0;
    for (let number = 0; number < 3000; number++) {
      add(pool, new Uint8Array(4000), number);
      if (pool.numBytes > MIB) most = Math.max(most, pool.numBytesHeld - 20 * pool.numBytes);
    }
    expect(most).toBeLessThanOrEqual(2 * MIB);
  });

  test("copies several records of a block in one call", () => {
    const pool = new RecordPool(3);
    const bytes = Uint8Array.of(0, 1, 2, 0, 3, 0, 4, 5, 6);
    const [starts, ends] = [Uint32Array.of(1, 4, 6), Uint32Array.of(3, 5, 9)];
    pool.add(
      { uri: "", bytes, numRecords: 3, starts, ends, firstRecordIndex: 7, byteOffset: 100, headerBytes: 1 },
      1,
      3,
      2,
    );
    expect(take(pool, 0)).toEqual({ bytes: Uint8Array.of(3), origin: [2, 8, 104, 1] });
    expect(take(pool, 0)).toEqual({ bytes: Uint8Array.of(4, 5, 6), origin: [2, 9, 106, 1] });
  });

  test("keeps copies of records, not views", () => {
    const pool = new RecordPool(3);
    const bytes = Uint8Array.of(1, 2, 3);
    add(pool, bytes, 0);
    bytes.fill(9);
    expect(Array.from(take(pool, 0).bytes)).toEqual([1, 2, 3]);
  });

  test("can hold empty records, and is empty after it is cleared", () => {
    const pool = new RecordPool(3);
    for (let number = 0; number < 3; number++) add(pool, new Uint8Array(0), number);
    expect(pool.length).toBe(3);
    expect(take(pool, 1).origin[1]).toBe(1);
    pool.clear();
    expect([pool.length, pool.numBytes, pool.numBytesHeld]).toEqual([0, 0, 0]);
    add(pool, Uint8Array.of(5), 9);
    expect(Array.from(take(pool, 0).bytes)).toEqual([5]);
  });
});
