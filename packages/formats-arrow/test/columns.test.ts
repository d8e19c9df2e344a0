import { describe, expect, test } from "@jest/globals";
import { overlayLimits } from "@tfxio/format";
import { type Data, Field, Int32, Int8, makeData, Utf8, vectorFromArray } from "apache-arrow";
import { bodyOf, loadBuffers } from "../src/columns/body-buffers.js";
import { readDictionaryIndices } from "../src/columns/dictionary-indices.js";
import { expandListViews } from "../src/columns/list-views.js";
import { offsetsOf } from "../src/columns/offsets.js";
import { expandRunEnds } from "../src/columns/run-ends.js";
import { readTypeIds, readUnionOffsets } from "../src/columns/unions.js";
import { noNulls, nullBitsOf } from "../src/columns/validity.js";
import { expandViews } from "../src/columns/views.js";
import { lateCodecs } from "../src/compression/late-codecs.js";
import type { BatchHeader } from "../src/metadata/message.js";
import type { StoredColumn } from "../src/metadata/stored-column.js";

const context = { path: "column", place: { uri: "file", byteOffset: 64 }, isBigEndian: false };
const limited = { ...context, maxBytes: 2 ** 20 };
const bytesOf = (values: ArrayBufferView): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
const ints = (...values: readonly number[]): Uint8Array => bytesOf(Int32Array.from(values));
const longs = (...values: readonly bigint[]): Uint8Array => bytesOf(BigInt64Array.from(values));
const damage = expect.objectContaining({ code: "corrupt-record", uri: "file", byteOffset: 64 }) as unknown;
const tooLarge = expect.objectContaining({ code: "limit-exceeded", reason: "page-length" }) as unknown;
/** Returns the result of `run`, or the error that it throws. */
const thrown = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("offsets", () => {
  const read = (bytes: Uint8Array, length: number, offsetBytes: 4 | 8): unknown =>
    thrown(() => offsetsOf(bytes, length, { ...context, offsetBytes, end: 10 }));

  test("may start above 0 if they stay within the values", () => {
    expect(read(ints(2, 2, 10), 2, 4)).toEqual(Int32Array.of(2, 2, 10));
    expect(read(longs(2n, 2n, 10n), 2, 8)).toEqual(BigInt64Array.of(2n, 2n, 10n));
    expect(read(new Uint8Array(0), 0, 4)).toEqual(Int32Array.of(0));
  });

  test.each([
    ["decrease", 4, ints(0, 5, 4)],
    ["are negative", 4, ints(-1, 0, 4)],
    ["exceed the values", 4, ints(0, 5, 11)],
    ["are too few", 4, ints(0, 5)],
    ["decrease", 8, longs(0n, 5n, 4n)],
    ["are negative", 8, longs(-1n, 0n, 4n)],
    ["exceed the values", 8, longs(0n, 5n, 2n ** 40n)],
  ] as const)("are rejected if they %s (offsets of %d bytes)", (_, offsetBytes, bytes) => {
    expect(read(bytes, 2, offsetBytes)).toEqual(damage);
  });
});

describe("nulls", () => {
  test("are counted if the writer did not state their number", () => {
    const bits = Uint8Array.of(0b1010_0101, 0b1111_1101);
    expect(nullBitsOf(bits, { length: 10, nullCount: -1 }, context)).toMatchObject({ nullCount: 5 });
    expect(nullBitsOf(bits, { length: 8, nullCount: 4 }, context)).toMatchObject({ nullCount: 4 });
  });

  test("whose number differs from the declared one, or whose bitmap is too short, are rejected", () => {
    expect(thrown(() => nullBitsOf(Uint8Array.of(1), { length: 3, nullCount: 1 }, context))).toEqual(damage);
    expect(thrown(() => nullBitsOf(Uint8Array.of(1), { length: 9, nullCount: 1 }, context))).toEqual(damage);
    expect(thrown(() => nullBitsOf(new Uint8Array(0), { length: 9, nullCount: 1 }, context))).toEqual(damage);
  });
});

describe("views", () => {
  const long = new TextEncoder().encode("a text of 24 bytes, long");
  const head = new DataView(long.buffer).getInt32(0, true);
  const expand = (views: Uint8Array, length: number, maxBytes = 2 ** 20): unknown =>
    thrown(() => expandViews(views, [long], { ...context, length, valid: noNulls, maxBytes }));

  test("are expanded, whether they are inline or point to a buffer", () => {
    const inline = new Uint8Array(16);
    inline.set([3, 0, 0, 0, 97, 98, 99]);
    const views = Buffer.concat([inline, ints(24, head, 0, 0)]);
    const { values, valueOffsets } = expand(views, 2) as { values: Uint8Array; valueOffsets: Int32Array };
    expect([...valueOffsets]).toEqual([0, 3, 27]);
    expect(new TextDecoder().decode(values)).toBe("abca text of 24 bytes, long");
  });

  test.each([
    ["of a negative length", ints(-1, head, 0, 0), 'column "column" has a view of length -1 in row 0.'],
    [
      "into a missing buffer",
      ints(24, head, 1, 0),
      'row 0 of column "column" points to 24 bytes at offset 0 of buffer 1, which does not exist.',
    ],
    [
      "beyond the end of a buffer",
      ints(24, head, 0, 1),
      'row 0 of column "column" points to 24 bytes at offset 1 of buffer 0, which has 24 bytes.',
    ],
    ["before the start of a buffer", ints(24, head, 0, -1), "points to 24 bytes at offset -1 of buffer 0"],
    [
      "with a prefix that differs from the text",
      ints(24, head + 1, 0, 0),
      'row 0 of column "column" points to bytes that do not begin with the prefix in its view.',
    ],
  ])("%s are rejected", (_, view, message) => {
    const error = expand(view, 1);
    expect(error).toEqual(damage);
    expect(error).toHaveProperty("message", expect.stringContaining(message));
  });

  test("are rejected if they overlap and expand beyond the limit", () => {
    const views = Buffer.concat(Array.from({ length: 1000 }, () => ints(24, head, 0, 0)));
    expect(expand(views, 1000, 24_000)).not.toEqual(tooLarge);
    expect(expand(views, 1000, 23_999)).toEqual(tooLarge);
  });
});

test.each([[[]], [[-1]]])(
  "a view column is rejected if its number of data buffers is missing or negative: %j",
  async (variadicCounts) => {
    const field = new Field("column", new Utf8(), true);
    const column: StoredColumn = {
      path: "column",
      layout: { kind: "views" },
      field,
      children: [],
      isRead: true,
    };
    const header: BatchHeader = {
      numRows: 1,
      nodes: [{ length: 1, nullCount: 0 }],
      buffers: [{ offset: 0, length: 0 }],
      variadicCounts,
      codec: "none",
      hasUnionValidity: false,
      metadata: new Map(),
      place: context.place,
    };
    const limits = { ...overlayLimits(undefined), codecs: lateCodecs };
    await expect(loadBuffers([column], header, bodyOf(new Uint8Array(0)), limits)).rejects.toEqual(damage);
  },
);

test("each row of a batch without bytes counts as one byte towards maxPageBytes", async () => {
  const header: BatchHeader = {
    numRows: 11,
    nodes: [],
    buffers: [],
    variadicCounts: [],
    codec: "none",
    hasUnionValidity: false,
    metadata: new Map(),
    place: context.place,
  };
  const load = (maxPageBytes: number) =>
    loadBuffers([], header, bodyOf(new Uint8Array(0)), {
      ...overlayLimits({ maxPageBytes }),
      codecs: lateCodecs,
    });
  expect(await load(11)).toEqual([]);
  await expect(load(10)).rejects.toMatchObject({
    code: "limit-exceeded",
    reason: "page-length",
    message: expect.stringContaining(
      "At byte 64 of file, the record batch has 11 rows but no bytes in the columns to read. " +
        "Each such row counts as one byte, and the limit maxPageBytes is 10.",
    ),
  });
});

describe("runs", () => {
  const ends = (...values: readonly number[]): Data =>
    makeData({ type: new Int32(), data: Int32Array.from(values) });
  const [values] = vectorFromArray(["a", null, "b"], new Utf8()).data as [Data];
  const expand = (given: Data, length: number, maxBytes = 2 ** 20): unknown =>
    thrown(() => expandRunEnds(given, values, { ...context, length, maxBytes }));

  test("repeat their values, even if the last run ends beyond the array", () => {
    const data = expand(ends(2, 3, 9), 5) as Data;
    expect([...(data.valueOffsets as Int32Array)]).toEqual([0, 1, 2, 2, 3, 4]);
    expect(data.nullCount).toBe(1);
  });

  test.each([
    ["have ends that do not increase", ends(2, 2, 9)],
    ["include one of length 0", ends(0, 3, 9)],
    ["end too early", ends(1, 2, 4)],
    ["outnumber their values", ends(1, 2, 3, 9)],
  ])("are rejected if they %s", (_, given) => {
    expect(expand(given, 5)).toEqual(damage);
  });

  test("are rejected if they expand beyond the limit", () => {
    expect(expand(ends(1, 2, 2 ** 30), 2 ** 30)).toEqual(tooLarge);
    expect(expand(ends(1, 2, 1000), 1000, 4000)).toEqual(tooLarge);
  });
});

describe("list views", () => {
  const values = makeData({ type: new Int8(), data: Int8Array.of(1, 2, 3, 4) });
  const expand = (offsets: Uint8Array, sizes: Uint8Array, maxBytes = 2 ** 20): unknown =>
    thrown(() =>
      expandListViews(offsets, sizes, values, {
        ...context,
        length: 3,
        valid: noNulls,
        offsetBytes: 4,
        maxBytes,
      }),
    );
  const listsOf = (found: unknown): number[][] => {
    const { valueOffsets, children } = found as { valueOffsets: Int32Array; children: Data[] };
    return [0, 1, 2].map((row) => [
      ...(children[0]!.values as Int8Array).subarray(valueOffsets[row], valueOffsets[row + 1]),
    ]);
  };

  test("that are in order borrow their values", () => {
    const found = expand(ints(1, 9, 2), ints(1, 0, 2));
    expect(listsOf(found)).toEqual([[2], [], [3, 4]]);
    expect((found as { children: Data[] }).children[0]).toBe(values);
  });

  test("that overlap, or are out of order, are copied", () => {
    expect(listsOf(expand(ints(2, 0, 1), ints(2, 4, 2)))).toEqual([
      [3, 4],
      [1, 2, 3, 4],
      [2, 3],
    ]);
  });

  test("that lie outside their values, or expand beyond the limit, are rejected", () => {
    expect(expand(ints(0, 0, 3), ints(1, 1, 2))).toEqual(damage);
    expect(expand(ints(0, -1, 3), ints(1, 1, 1))).toEqual(damage);
    expect(expand(ints(0, 0, 0), ints(1, -1, 1))).toEqual(damage);
    expect(expand(ints(0, 0, 0), ints(4, 4, 4), 11)).toEqual(tooLarge);
  });
});

test("a union is rejected if a type id is unknown or an offset lies outside its type's values", () => {
  const typeIds = readTypeIds(Uint8Array.of(5, 7, 5), { ...context, length: 3, known: [5, 7] });
  expect([...typeIds]).toEqual([5, 7, 5]);
  expect(thrown(() => readTypeIds(Uint8Array.of(5, 6), { ...context, length: 2, known: [5, 7] }))).toEqual(
    damage,
  );
  expect(thrown(() => readTypeIds(Uint8Array.of(255), { ...context, length: 1, known: [5, 7] }))).toEqual(
    damage,
  );
  const lengths = new Map([
    [5, 2],
    [7, 1],
  ]);
  expect([...readUnionOffsets(ints(1, 0, 0), typeIds, lengths, context)]).toEqual([1, 0, 0]);
  expect(thrown(() => readUnionOffsets(ints(1, 1, 0), typeIds, lengths, context))).toEqual(damage);
  expect(thrown(() => readUnionOffsets(ints(1, 0, -1), typeIds, lengths, context))).toEqual(damage);
});

test("an index outside its dictionary is rejected, unless its row is null", () => {
  const indices = { ...limited, id: 0, length: 2, numValues: 2, isValid: (row: number) => row !== 1 };
  const read = (bytes: Uint8Array, indexBytes: 1 | 8, isSigned = true): unknown =>
    thrown(() => readDictionaryIndices(bytes, { ...indices, indexBytes, isSigned }));
  expect(read(Uint8Array.of(1, 200), 1)).toEqual(Int8Array.of(1, -56));
  expect(read(longs(1n, 2n ** 60n), 8)).toEqual(Int32Array.of(1, 0));
  for (const strange of [
    read(Uint8Array.of(2, 0), 1),
    read(Uint8Array.of(255, 0), 1),
    read(longs(2n ** 32n, 0n), 8),
  ]) {
    expect(strange).toMatchObject({ code: "corrupt-record", reason: "dictionary" });
  }
});
