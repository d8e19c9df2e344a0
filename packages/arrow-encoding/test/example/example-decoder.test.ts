import { describe, expect, test } from "@jest/globals";
import { ColumnPath, parseSchemaText } from "@tfxio/schema";
import type { FramedWindow, RecordBlock } from "@tfxio/wire";
import { typescriptKernels } from "@tfxio/wire/kernels";
import { createExampleDecoder, encodeExample, type FeatureValues } from "../../src/index.js";
import { columnsOf } from "../plain-batch.js";
import { entry, example, int64Feature } from "../wire-bytes.js";

const int64 = (...values: readonly number[]): FeatureValues => ({ kind: "int64", values });
const float = (...values: readonly number[]): FeatureValues => ({ kind: "float", values });
const schema = parseSchemaText(`feature { name: "b" type: INT } feature { name: "a" type: FLOAT }`);
const unlimited = { maxRows: Infinity, maxBytes: Infinity };
const malformed = Uint8Array.of(0x0a, 0x05);

function blockOf(records: readonly Uint8Array[]): RecordBlock {
  const bytes = new Uint8Array(Buffer.concat([Uint8Array.of(9, 9), ...records]));
  const starts = new Uint32Array(records.length);
  const ends = new Uint32Array(records.length);
  let at = 2;
  for (const [i, record] of records.entries()) {
    starts[i] = at;
    ends[i] = at += record.length;
  }
  return {
    uri: "memory:x",
    bytes,
    numRecords: records.length,
    starts,
    ends,
    firstRecordIndex: 10,
    byteOffset: 1000,
  };
}

function windowOf(records: readonly Uint8Array[]): FramedWindow {
  const mask = (crc: number): number => (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
  const frames = records.map((record) => {
    const frame = Buffer.alloc(record.length + 16);
    frame.writeUInt32LE(record.length, 0);
    frame.writeUInt32LE(mask(typescriptKernels.crc32c(frame, 0, 8)), 8);
    frame.set(record, 12);
    frame.writeUInt32LE(mask(typescriptKernels.crc32c(record)), record.length + 12);
    return frame;
  });
  const bytes = new Uint8Array(Buffer.concat(frames));
  return { uri: "memory:y", bytes, firstRecordIndex: 20, byteOffset: 5000 };
}

const framed = { verifyPayload: true, maxRecordBytes: 1000 };

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new TypeError("expected an error");
}

describe("with a schema", () => {
  test("the columns are the schema's features in order, with nulls for features that no record has", () => {
    const batch = createExampleDecoder({ schema }).decode([
      encodeExample({ a: float(1), c: int64(1) }),
      encodeExample({}),
    ]);
    expect(Object.keys(columnsOf(batch))).toEqual(["b", "a"]);
    expect(columnsOf(batch)).toEqual({ b: [null, null], a: [[1], null] });
  });

  test("the columns option selects features in the schema's order", () => {
    const columns = [ColumnPath.of("a"), ColumnPath.of("b"), ColumnPath.of("a")];
    expect(createExampleDecoder({ schema, columns }).arrowSchema().names).toEqual(["b", "a"]);
    const one = createExampleDecoder({ schema, columns: [ColumnPath.of("a")] });
    expect(columnsOf(one.decode([encodeExample({ a: float(1), b: int64(2) })]))).toEqual({ a: [[1]] });
  });

  test("a path is rejected as unknown-column if it is not in the schema, or does not have exactly one step", () => {
    for (const path of [ColumnPath.of("z"), ColumnPath.of("a", "b"), ColumnPath.of()]) {
      expect(thrownBy(() => createExampleDecoder({ schema, columns: [path] }))).toMatchObject({
        code: "schema-mismatch",
        reason: "unknown-column",
        columnPath: path.toString(),
      });
    }
  });

  test('the option unlisted: "error" rejects unlisted features that have a kind, and accepts unread listed features', () => {
    const decoder = createExampleDecoder({ schema, columns: [ColumnPath.of("a")], unlisted: "error" });
    expect(decoder.decode([encodeExample({ a: float(1), b: int64(1), c: null })]).numRows).toBe(1);
    expect(thrownBy(() => decoder.decode([encodeExample({}), encodeExample({ c: int64(1) })]))).toMatchObject(
      {
        code: "schema-mismatch",
        reason: "unlisted-feature",
        columnPath: "c",
        actual: "int64_list",
        recordIndex: 1,
      },
    );
  });

  test("an empty batch has the decoder's Arrow schema", () => {
    const decoder = createExampleDecoder({ schema });
    expect(String(decoder.decode([]).schema)).toBe(String(decoder.arrowSchema()));
    expect(decoder.decode([]).numRows).toBe(0);
  });
});

describe("without a schema", () => {
  test("the columns option keeps only features with the given names", () => {
    const decoder = createExampleDecoder({ columns: [ColumnPath.of("z"), ColumnPath.of("b")] });
    expect(columnsOf(decoder.decode([encodeExample({ a: float(1), b: int64(2) })]))).toEqual({ b: [["2"]] });
    expect(columnsOf(decoder.decode([encodeExample({ z: float(1), b: float(2) })]))).toEqual({
      b: [[2]],
      z: [[1]],
    });
  });

  test("a name may appear, disappear and change its kind between batches", () => {
    const decoder = createExampleDecoder();
    expect(columnsOf(decoder.decode([encodeExample({ a: float(1) })]))).toEqual({ a: [[1]] });
    expect(columnsOf(decoder.decode([encodeExample({ b: int64(1) })]))).toEqual({ b: [["1"]] });
    expect(columnsOf(decoder.decode([encodeExample({ a: null, b: null })]))).toEqual({
      a: [null],
      b: [null],
    });
    expect(columnsOf(decoder.decode([encodeExample({ b: float(1), a: int64(1) })]))).toEqual({
      a: [["1"]],
      b: [[1]],
    });
  });

  test("records without features still become rows", () => {
    const batch = createExampleDecoder().decode([encodeExample({}), new Uint8Array(0)]);
    expect([batch.numRows, batch.numCols]).toEqual([2, 0]);
  });

  test("arrowSchema throws schema-required", () => {
    expect(thrownBy(() => createExampleDecoder().arrowSchema())).toMatchObject({ code: "schema-required" });
  });
});

describe("errors", () => {
  const records = [encodeExample({ b: int64(1) }), encodeExample({ b: float(2) })];
  const OUTSIDE =
    /block has \d+ bytes, but record 11 of memory:x starts at \d+ and ends at \d+; a record must end within the block/;

  test("name the file of a block, the record and the byte, and leave the decoder usable", () => {
    const decoder = createExampleDecoder({ schema });
    const block = blockOf(records);
    expect(thrownBy(() => decoder.push(block, 0, unlimited))).toMatchObject({
      code: "schema-mismatch",
      reason: "wrong-kind",
      columnPath: "b",
      expected: "int64_list",
      actual: "float_list",
      uri: "memory:x",
      recordIndex: 11,
      // The entry's content starts after two tags and two lengths: those of `features` and of the entry.
      byteOffset: 1000 + block.starts[1]! + 4,
    });
    expect(decoder.numRows).toBe(0);
    expect(columnsOf(decoder.decode([records[0]!]))).toEqual({ b: [["1"]], a: [null] });
  });

  test.each([
    ["ends after the bytes of its block", { ends: Uint32Array.of(4, 100) }, OUTSIDE],
    ["starts after the bytes of its block", { starts: Uint32Array.of(2, 100) }, OUTSIDE],
    ["ends before its start", { starts: Uint32Array.of(0, 4), ends: Uint32Array.of(4, 3) }, OUTSIDE],
    [
      "has no bounds",
      { ends: Uint32Array.of(4) },
      /block must have an entry for record 11 of memory:x at index 1 of starts and ends, found lengths 2 and 1\.$/,
    ],
  ])("occur if a record %s, and then no record of its block is decoded", (_, bounds, message) => {
    const decoder = createExampleDecoder();
    decoder.decode([encodeExample({ left: int64(...Array.from({ length: 100 }, (__, value) => value)) })]);
    expect(thrownBy(() => decoder.push({ ...blockOf(records), ...bounds }, 0, unlimited))).toMatchObject({
      code: "invalid-argument",
      reason: "record-bounds",
      argument: "block",
      message: expect.stringMatching(message),
    });
    expect(decoder.numRows).toBe(0);
  });

  test("occur for a record whose bounds are outside its block, even if the record after it has already been pushed", () => {
    const decoder = createExampleDecoder();
    const all = [records[0]!, records[0]!, records[0]!];
    const block = {
      ...blockOf(all),
      ends: blockOf(all).ends.map((end, index) => (index === 1 ? 1000 : end)),
    };
    expect(decoder.push(block, 2, { ...unlimited, maxRows: 1 })).toMatchObject({ consumed: 1 });
    expect(thrownBy(() => decoder.push(block, 1, unlimited))).toMatchObject({ reason: "record-bounds" });
  });

  test("name the damaged record in a window, even if pushing begins inside the window", () => {
    const decoder = createExampleDecoder({ schema, onMalformed: "error" });
    const window = windowOf([records[0]!, records[0]!, malformed]);
    const first = decoder.pushFramed(window, 0, { ...unlimited, maxRows: 1 }, framed);
    expect(first).toMatchObject({ numRecords: 1, isFull: true });
    decoder.finish();
    expect(thrownBy(() => decoder.pushFramed(window, first.consumed, unlimited, framed))).toMatchObject({
      code: "malformed-payload",
      uri: "memory:y",
      recordIndex: 22,
      byteOffset: 5000 + 2 * first.consumed + 12 + 1,
    });
  });

  test("distinguish a bad length checksum, a bad payload checksum and an excessive length", () => {
    const decoder = createExampleDecoder({ schema });
    const [record] = records;
    const damaged = (at: number): FramedWindow => {
      const window = windowOf([record!, record!]);
      window.bytes[record!.length + 16 + at]! ^= 1;
      return window;
    };
    const position = { recordIndex: 21, byteOffset: 5000 + record!.length + 16 };
    const push = (window: FramedWindow, maxRecordBytes = 1000): unknown =>
      thrownBy(() => decoder.pushFramed(window, 0, unlimited, { verifyPayload: true, maxRecordBytes }));
    expect(push(damaged(0))).toMatchObject({ code: "corrupt-record", reason: "length-crc", ...position });
    expect(push(damaged(9))).toMatchObject({ code: "corrupt-record", reason: "length-crc", ...position });
    expect(push(damaged(13))).toMatchObject({ code: "corrupt-record", reason: "payload-crc", ...position });
    expect(push(windowOf([record!]), 3)).toMatchObject({ code: "limit-exceeded", reason: "record-length" });
    const unchecked = { verifyPayload: false, maxRecordBytes: 1000 };
    expect(decoder.pushFramed(damaged(record!.length + 13), 0, unlimited, unchecked).numRecords).toBe(2);
  });

  test("report a malformed record as malformed, even if a feature also has the wrong kind", () => {
    const wrongThenBroken = Uint8Array.from([...encodeExample({ b: float(1) }), 0x0a]);
    expect(thrownBy(() => createExampleDecoder({ schema }).decode([wrongThenBroken]))).toMatchObject({
      code: "malformed-payload",
    });
  });
});

describe("onMalformed: skip", () => {
  test("removes every trace of a skipped record, and counts the record", () => {
    const decoder = createExampleDecoder({ onMalformed: "skip", rawRecordColumn: "raw" });
    const good = encodeExample({ a: int64(1), s: { kind: "bytes", values: ["x"] } });
    const broken = Uint8Array.from([
      ...encodeExample({ s: null, a: int64(5, 6), new: float(1), s2: int64() }),
      0x0a,
    ]);
    const batch = decoder.decode([broken, good, broken, good, broken]);
    expect(Object.keys(columnsOf(batch))).toEqual(["a", "s", "raw"]);
    expect(columnsOf(batch)["a"]).toEqual([["1"], ["1"]]);
    expect(columnsOf(batch)["raw"]).toHaveLength(2);
    expect(decoder.numSkipped).toBe(3);
    decoder.decode([broken]);
    expect(decoder.numSkipped).toBe(4);
  });

  test("forgets a kind that occurs only in a skipped record", () => {
    const decoder = createExampleDecoder({ onMalformed: "skip" });
    const broken = Uint8Array.from([...encodeExample({ a: float(1) }), 0x0a]);
    const batch = decoder.decode([encodeExample({ a: null }), broken, encodeExample({ a: int64(1) })]);
    expect(columnsOf(batch)).toEqual({ a: [null, ["1"]] });
  });

  test("still rejects a feature of the wrong kind", () => {
    const decoder = createExampleDecoder({ schema, onMalformed: "skip" });
    expect(thrownBy(() => decoder.decode([encodeExample({ a: int64(1) })]))).toMatchObject({
      reason: "wrong-kind",
    });
  });
});

describe("batch limits", () => {
  const record = encodeExample({ a: float(...Array.from({ length: 100 }, (_, i) => i)) });

  test("end a batch at maxRows, and leave later records to the next batch", () => {
    const decoder = createExampleDecoder({ schema });
    const block = blockOf([record, record, record]);
    expect(decoder.push(block, 0, { ...unlimited, maxRows: 2 })).toMatchObject({ consumed: 2, isFull: true });
    expect(decoder.push(block, 2, { ...unlimited, maxRows: 2 })).toMatchObject({ consumed: 0, isFull: true });
    expect(decoder.finish().numRows).toBe(2);
    expect(decoder.push(block, 2, { ...unlimited, maxRows: 2 })).toMatchObject({
      consumed: 1,
      isFull: false,
    });
  });

  test("end a batch at maxBytes of output, but after at least one row", () => {
    const decoder = createExampleDecoder({ schema });
    const block = blockOf(Array.from({ length: 50 }, () => record));
    const { consumed } = decoder.push(block, 0, { maxRows: Infinity, maxBytes: 4000 });
    // Each row takes 400 bytes of values and, in each of the two columns, 4 bytes of offset and one bit of validity.
    expect(consumed).toBe(10);
    expect(decoder.finish().numRows).toBe(10);
    expect(decoder.push(block, 0, { maxRows: Infinity, maxBytes: 1 })).toMatchObject({ consumed: 1 });
  });

  test("end a batch at the same record, however the records are pushed", () => {
    const block = blockOf(
      Array.from({ length: 50 }, (_, i) => encodeExample({ [`f${i % 7}`]: int64(i, -1) })),
    );
    const limits = { maxRows: 1000, maxBytes: 900 };
    const whole = createExampleDecoder();
    const { consumed } = whole.push(block, 0, limits);
    expect(consumed).toBeLessThan(50);
    const single = createExampleDecoder();
    let numRecords = 0;
    while (!single.push({ ...block, numRecords: numRecords + 1 }, numRecords, limits).isFull) numRecords++;
    expect(single.numRows).toBe(consumed);
  });
});

describe("batches", () => {
  test("own their memory, and align offsets and values to 64 bytes", () => {
    const decoder = createExampleDecoder();
    const record = encodeExample({ a: float(1), b: { kind: "bytes", values: ["x"] }, c: int64(1) });
    const first = decoder.decode([record]);
    const before = JSON.stringify(columnsOf(first));
    record.fill(0);
    decoder.decode([encodeExample({ a: float(9), b: { kind: "bytes", values: ["yyy"] }, c: int64(9) })]);
    expect(JSON.stringify(columnsOf(first))).toBe(before);
    for (const column of first.data.children) {
      const [values] = column.children;
      expect(column.valueOffsets.byteOffset % 64).toBe(0);
      expect((values!.values as Uint8Array).byteOffset % 64).toBe(0);
    }
  });

  test("end with the raw record column, which holds each record in a one-element list", () => {
    const records = [encodeExample({ z: int64(1) }), new Uint8Array(0)];
    for (const listType of ["list", "large"] as const) {
      const batch = createExampleDecoder({ rawRecordColumn: "raw", listType }).decode(records);
      expect(Object.keys(columnsOf(batch))).toEqual(["z", "raw"]);
      expect(columnsOf(batch)["raw"]).toEqual(
        records.map((r) => [{ b64: Buffer.from(r).toString("base64") }]),
      );
    }
  });

  test("cannot have a feature with the name of the raw record column", () => {
    const collision = { code: "invalid-argument", reason: "raw-column-collision" };
    expect(thrownBy(() => createExampleDecoder({ schema, rawRecordColumn: "a" }))).toMatchObject(collision);
    const decoder = createExampleDecoder({ rawRecordColumn: "a" });
    expect(thrownBy(() => decoder.decode([encodeExample({ a: null })]))).toMatchObject(collision);
    expect(decoder.decode([encodeExample({ b: null })]).numCols).toBe(2);
  });

  test("cannot be created by `decode` while pushed rows are pending", () => {
    const decoder = createExampleDecoder({ schema });
    decoder.push(blockOf([encodeExample({})]), 0, unlimited);
    expect(thrownBy(() => decoder.decode([]))).toMatchObject({
      code: "invalid-argument",
      reason: "unfinished-batch",
    });
    expect(decoder.finish().numRows).toBe(1);
  });

  test("have columns only for names in their own records, even after many batches", () => {
    const decoder = createExampleDecoder();
    for (let i = 0; i < 200; i++) {
      const names = Array.from({ length: 30 }, (_, k) => `name_${i}_${k}`);
      const batch = decoder.decode([example(...names.map((name) => entry(name, int64Feature(i))))]);
      expect(batch.schema.names).toEqual([...names].sort());
    }
  });

  test("have separate columns for hundreds of names that differ only in the middle", () => {
    const names = Array.from(
      { length: 400 },
      (_, i) => `same_begin${String(i).padStart(4, "0")}${"-".repeat(30)}same_end`,
    );
    const record = encodeExample(Object.fromEntries(names.map((name, i) => [name, int64(i)])));
    const shuffled = encodeExample(
      Object.fromEntries(names.map((name, i) => [name, int64(i)] as const).toReversed()),
    );
    const columns = columnsOf(createExampleDecoder().decode([record, shuffled]));
    expect(columns).toEqual(Object.fromEntries(names.map((name, i) => [name, [[String(i)], [String(i)]]])));
  });
});

describe("a leased batch", () => {
  const records = [encodeExample({ a: float(1), b: int64(2, 3) }), encodeExample({ b: int64() })];

  test("equals a decoded batch, and loses its values when released", () => {
    const decoder = createExampleDecoder({ schema, rawRecordColumn: "raw" });
    const expected = columnsOf(decoder.decode(records));
    decoder.push(blockOf(records), 0, unlimited);
    const { batch, release } = decoder.finishLeased();
    expect(columnsOf(batch)).toEqual(expected);
    // The next batch uses different memory.
    expect(columnsOf(decoder.decode(records))).toEqual(expected);
    expect(columnsOf(batch)).toEqual(expected);
    const values = batch.getChildAt(0)?.data[0]?.children[0]?.values as BigInt64Array;
    expect(values).toEqual(BigInt64Array.of(2n, 3n));
    release();
    expect(values).toHaveLength(0);
    release();
    expect(columnsOf(decoder.decode(records))).toEqual(expected);
  });

  test("owns its memory if the kernels cannot lend any", () => {
    const decoder = createExampleDecoder({ kernels: typescriptKernels });
    decoder.push(blockOf(records), 0, unlimited);
    const { batch, release } = decoder.finishLeased();
    release();
    expect(columnsOf(batch)).toEqual(columnsOf(decoder.decode(records)));
  });

  test("that cannot be built leaves the decoder usable", () => {
    const decoder = createExampleDecoder({ rawRecordColumn: "b" });
    decoder.push(blockOf(records), 0, unlimited);
    expect(thrownBy(() => decoder.finishLeased())).toMatchObject({ reason: "raw-column-collision" });
    expect(decoder.decode([encodeExample({ a: float(1) })]).numRows).toBe(1);
  });
});

test("columns without nulls have no bitmaps, and columns of the same kind share a type object", () => {
  const features = { a: [1], b: [2], c: [3] };
  const record = encodeExample(
    Object.fromEntries(
      Object.entries(features).map(([name, values]) => [name, { kind: "int64" as const, values }]),
    ),
  );
  const { schema: found, data } = createExampleDecoder().decode([record, record]);
  expect(new Set(found.fields.map(({ type }) => type as unknown)).size).toBe(1);
  const columns = data.children.flatMap((column) => [column, ...column.children]);
  expect(columns.map(({ nullBitmap }) => nullBitmap as unknown)).toEqual(Array(6).fill(undefined));
  expect(columns.map(({ nullCount }) => nullCount)).toEqual(Array(6).fill(0));
});
