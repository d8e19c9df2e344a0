import { describe, expect, test } from "@jest/globals";
import {
  Binary,
  type Data,
  FixedSizeBinary,
  Float32,
  Int64,
  makeData,
  Null,
  RecordBatch,
} from "apache-arrow";
import { concatBatches, gatherRows, takeRows } from "../../src/gather/gather-rows.js";
import { batchOf, largeListOf, listOf } from "../batches.js";
import { Draw, seededRandom } from "../random.js";
import { randomBatch, randomType } from "../random-column.js";

const json = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? `${each}n` : each)) ?? "null";

/** Returns the JSON of every row, as arrow-js reads the rows. */
function rowsOf(batch: RecordBatch): string[] {
  return batch.toArray().map(json);
}

const list = listOf(new Int64());
const largeList = largeListOf(new Int64());

describe("gathered rows match what arrow-js reads from their sources", () => {
  // Few rows of any type, and enough rows of some types to use the WebAssembly kernels.
  test.each([
    { cases: 150, numRows: 9, depth: 3 },
    { cases: 6, numRows: 3000, depth: 1 },
  ])("in $cases random cases with about $numRows rows in each source", ({ cases, numRows, depth }) => {
    const draw = new Draw(seededRandom(71));
    for (let i = 0; i < cases; i++) {
      const types = { a: randomType(draw, depth), b: i % 2 === 0 ? list : new Binary() };
      const sources = Array.from({ length: 3 }, () => {
        const batch = randomBatch(draw, types, numRows + draw.below(5));
        const first = draw.below(3);
        return batch.slice(first, batch.numRows - draw.below(3));
      });
      const count = draw.below(numRows);
      const source = new Uint32Array(count);
      // Either a single source, as in `takeRows`, or several.
      if (draw.oneIn(2)) source.forEach((_, at) => (source[at] = draw.below(3)));
      const start = source.map((number) => draw.below(sources[number]!.numRows));
      const end = start.map((row, at) => Math.min(row + draw.below(3), sources[source[at]!]!.numRows));
      const gathered = gatherRows(sources, sources[0]!.schema, { count, source, start, end });
      const rows = sources.map(rowsOf);
      const expected = Array.from(source, (number, at) => rows[number]!.slice(start[at], end[at])).flat();
      expect(rowsOf(gathered)).toEqual(expected);
    }
  });
});

describe("columns with contradictory buffers", () => {
  const values = makeData({ type: new Int64(), data: new BigInt64Array(6) });
  const malformed = expect.objectContaining({ code: "not-convertible", reason: "malformed-column" });
  const offsets = [
    ["decrease", [0, 4, 2, 6]],
    ["begin below 0", [-2, 1, 2, 6]],
    ["point beyond the values", [0, 1, 2, 7]],
    ["are too few", [0, 1, 2]],
  ] as const;

  test.each(offsets)("are rejected if offsets %s", (_, numbers) => {
    for (const [type, valueOffsets] of [
      [list, Int32Array.from(numbers)],
      [largeList, BigInt64Array.from(numbers, BigInt)],
    ] as const) {
      const data = makeData({ type, length: 3, nullCount: 0, valueOffsets, child: values } as never) as Data;
      expect(() => takeRows(batchOf({ x: data }), Uint32Array.of(0, 1, 2))).toThrow(malformed);
    }
  });

  test("are rejected if they have fewer values than rows, in one source or several", () => {
    const data = makeData({ type: new Float32(), length: 3, nullCount: 0, data: new Float32Array(2) });
    const batch = batchOf({ x: data });
    expect(() => takeRows(batch, Uint32Array.of(2, 0))).toThrow(malformed);
    expect(() => concatBatches([batch, batch], batch.schema)).toThrow(malformed);
  });

  test("are accepted if the contradiction is in rows that are not requested", () => {
    const valueOffsets = Int32Array.of(0, 2, 1, 6);
    const data = makeData({ type: list, length: 3, nullCount: 0, valueOffsets, child: values });
    expect(
      takeRows(batchOf({ x: data }), Uint32Array.of(2))
        .getChild("x")
        ?.get(0)?.length,
    ).toBe(5);
  });
});

test("takeRows rejects repeated rows whose offsets would overflow int32", () => {
  const child = makeData({ type: new Null(), length: 2 ** 30 });
  const type = listOf(new Null());
  const valueOffsets = Int32Array.of(0, 2 ** 30);
  const batch = batchOf({ x: makeData({ type, length: 1, nullCount: 0, valueOffsets, child }) });
  expect(() => takeRows(batch, Uint32Array.of(0, 0))).toThrow(
    expect.objectContaining({ code: "out-of-range", reason: "batch-too-large" }),
  );
  expect(takeRows(batch, Uint32Array.of(0)).getChild("x")?.get(0)?.length).toBe(2 ** 30);
});

test("takeRows writes LargeList offsets of more than 32 bits, but rejects a source of 2^32 values", () => {
  const oneRow = (end: number): RecordBatch => {
    const type = largeListOf(new Null());
    const child = makeData({ type: new Null(), length: end });
    const valueOffsets = BigInt64Array.of(0n, BigInt(end));
    return batchOf({ x: makeData({ type, length: 1, nullCount: 0, valueOffsets, child }) });
  };
  const taken = takeRows(oneRow(2 ** 31 + 1), Uint32Array.of(0, 0, 0)).data.children[0]!;
  expect(taken.valueOffsets).toEqual(
    BigInt64Array.of(0n, 2n ** 31n + 1n, 2n ** 32n + 2n, 3n * (2n ** 31n + 1n)),
  );
  expect(() => takeRows(oneRow(2 ** 32), Uint32Array.of(0))).toThrow(
    expect.objectContaining({
      code: "out-of-range",
      reason: "batch-too-large",
      message: expect.stringMatching(/must be less than 2\^32, found 4294967296\.$/) as unknown,
    }),
  );
});

test("takeRows and concatBatches read values at unaligned addresses", () => {
  const data = new Uint8Array(1 + 4 * 3).subarray(1).map((_, i) => i);
  const unaligned = new Uint8Array(new ArrayBuffer(13), 1, 12);
  unaligned.set(data);
  const type = new FixedSizeBinary(4);
  const column = makeData({ type, length: 3, nullCount: 0, data: unaligned });
  const batch = batchOf({ x: column });
  const found = [takeRows(batch, Uint32Array.of(2, 0)), concatBatches([batch, batch], batch.schema)];
  expect(found.map((each) => Array.from(each.getChild("x")?.get(0) as Uint8Array))).toEqual([
    [8, 9, 10, 11],
    [0, 1, 2, 3],
  ]);
});
