import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { isDeepStrictEqual } from "node:util";
import { decodeRecords } from "@tfxio/format";
import { parseProto, protobufPayload } from "@tfxio/formats-protobuf";
import { ColumnPath } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import { Column } from "../src/kernels/typescript/column.js";
import { FUZZED, FUZZED_COLUMNS, type Random, randomRecord } from "./random-messages.js";
import { plainRows } from "./rows.js";

/** Number of records. `pnpm check` reads more. */
const NUM_RECORDS = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 25_000) / 5;
const RECORDS_PER_BATCH = 50;
/** Maximum growth of memory. Uncollected garbage stays below it, but an unchecked length would allocate far more. */
const MAX_GROWTH_BYTES = 400 * 2 ** 20;

/** Returns a seeded generator: xorshift32, G. Marsaglia 2003. */
function randomOf(seed: number): Random {
  let state = (seed + 1) * 0x9e3779b9;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

const type = await parseProto(FUZZED, "fuzz.Outer");
const columns = FUZZED_COLUMNS.map((text) => ColumnPath.parse(text));
const decoder = await decodeRecords(protobufPayload(type), { columns });
const skipping = await decodeRecords(protobufPayload({ ...type, onMalformed: "skip" }), { columns });

/** Returns the actual and the expected rows of the first batch in which they differ, or null. */
function firstDifference(seed: number, numBatches: number): readonly [object, object] | null {
  const random = randomOf(seed);
  for (let batch = 0; batch < numBatches; batch++) {
    const records = Array.from({ length: RECORDS_PER_BATCH }, () => randomRecord(random));
    const found = plainRows(decoder.decode(records.map(({ bytes }) => bytes)).batch);
    const wanted = records.map(({ row }) => row);
    if (!isDeepStrictEqual(found, wanted)) return [found, wanted];
  }
  return null;
}

function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = random(bytes.length + 1);
  switch (random(5)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      copy[at] = random(256);
      return copy;
    case 2:
      copy[at] = (copy[at] ?? 0) ^ (1 << random(8));
      return copy;
    case 3:
      return Uint8Array.from([...copy.subarray(0, at), ...copy.subarray(at + 1 + random(4))]);
    default:
      return Uint8Array.from([...copy.subarray(0, at), 0xff, 0xff, 0xff, 0x7f, ...copy.subarray(at)]);
  }
}

describe("random messages", () => {
  test("are decoded to the rows that the simple parser in random-messages.ts returns", () => {
    const [found, wanted] = firstDifference(1, Math.ceil(NUM_RECORDS / RECORDS_PER_BATCH)) ?? [];
    expect(found).toEqual(wanted);
  });

  test("that are damaged yield a row or a malformed-payload error, and do not affect other messages of the batch", () => {
    const random = randomOf(2);
    const before = process.memoryUsage().arrayBuffers;
    for (let batch = 0; batch < NUM_RECORDS / RECORDS_PER_BATCH; batch++) {
      const good = Array.from({ length: 4 }, () => randomRecord(random));
      const bad = mutated(randomRecord(random).bytes, random);
      let isDamaged = false;
      try {
        decoder.decode([bad]);
      } catch (error) {
        isDamaged = true;
        expect(isTfxioError(error, "malformed-payload")).toBe(true);
      }
      if (!isDamaged) continue;
      const records = [good[0]!.bytes, bad, good[1]!.bytes, good[2]!.bytes, bad, good[3]!.bytes];
      const { batch: found, numSkipped } = skipping.decode(records);
      expect(numSkipped).toBe(2);
      expect(plainRows(found)).toEqual(good.map(({ row }) => row));
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MAX_GROWTH_BYTES);
  });

  test("are read, or rejected as truncated, wherever they are cut", () => {
    const { bytes } = randomRecord(randomOf(77));
    for (let length = 0; length < bytes.length; length++) {
      try {
        decoder.decode([bytes.subarray(0, length)]);
      } catch (error) {
        expect(error).toMatchObject({ code: "malformed-payload", reason: "truncated" });
      }
    }
  });
});

describe("random messages find a planted bug:", () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const original = Object.getOwnPropertyDescriptors(Column.prototype);

  test.each([
    [
      "nested columns are not truncated",
      () =>
        jest.spyOn(Column.prototype, "truncate").mockImplementation(function (this: Column, numParents) {
          if (this.lastParent < numParents) return;
          this.numItems = this.starts[numParents]!;
          this.lastParent = numParents - 1;
        }),
    ],
    [
      "if only the last parent is dropped, its items are kept",
      () =>
        jest.spyOn(Column.prototype, "truncate").mockImplementation(function (this: Column, numParents) {
          if (this.lastParent > numParents) original.truncate.value!.call(this, numParents);
        }),
    ],
    [
      "a singular field keeps every value",
      () =>
        jest.spyOn(Column.prototype, "itemOf").mockImplementation(function (this: Column, parent) {
          return this.lastParent === parent ? this.numItems++ : original.itemOf.value!.call(this, parent);
        }),
    ],
    [
      "map entries get no defaults",
      () => jest.spyOn(Column.prototype, "setDefault").mockImplementation(() => {}),
    ],
    [
      "defaults of map entries replace existing values",
      () =>
        jest.spyOn(Column.prototype, "setDefault").mockImplementation(function (this: Column, parent) {
          this.lastParent = Math.min(this.lastParent, parent - 1);
          original.setDefault.value!.call(this, parent);
        }),
    ],
    [
      "a byte string loses its last byte",
      () =>
        jest.spyOn(Column.prototype, "setBytes").mockImplementation(function (
          this: Column,
          item,
          bytes,
          start,
          end,
        ) {
          original.setBytes.value!.call(this, item, bytes, start, Math.max(start, end - 1));
        }),
    ],
  ])("%s", (_, plant) => {
    plant();
    expect(firstDifference(3, 40)).not.toBeNull();
  });
});
