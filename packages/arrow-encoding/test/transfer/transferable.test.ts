import { once } from "node:events";
import { MessageChannel } from "node:worker_threads";
import { describe, expect, test } from "@jest/globals";
import { kernelInfo } from "@tfxio/wire/kernels";
import {
  Binary,
  Bool,
  Decimal,
  Dictionary,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Float32,
  Int32,
  Int64,
  LargeBinary,
  makeData,
  Map_,
  Null,
  RecordBatch,
  Schema,
  SparseUnion,
  Struct,
  tableFromIPC,
  tableToIPC,
  TimestampMillisecond,
  Table,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { encodeExample } from "../../src/example/encode-example.js";
import { createExampleDecoder } from "../../src/example/example-decoder.js";
import { batchOf, batchWith, itemOf, largeListOf, listOf } from "../batches.js";
import { Draw, seededRandom } from "../random.js";
import { randomBatch, randomType } from "../random-column.js";
import { fromTransferable, toTransferable, type TransferableBatch } from "../../src/transfer/transferable.js";

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** Returns a batch with columns of many types, which contain nulls and empty lists. */
function allTypes(): RecordBatch {
  return batchOf({
    ints: [listOf(new Int64()), [[1n, -1n], null, [], [2n ** 63n - 1n], [7n]]],
    floats: [listOf(new Float32()), [[0.5], [], null, [1.5, 2.5], [0]]],
    bytes: [listOf(new Binary()), [[Uint8Array.of(1, 2)], null, [], [new Uint8Array(0)], [Uint8Array.of(3)]]],
    large: [largeListOf(new Int64()), [[1n], [], null, [2n, 3n], [4n]]],
    flat: [new Int32(), [1, null, 3, 4, 5]],
    flags: [new Bool(), [true, false, null, true, false]],
    text: [new Utf8(), ["a", "", null, "déjà", "z"]],
    nothing: [new Null(), [null, null, null, null, null]],
    pairs: [new FixedSizeList(2, itemOf(new Float32())), [[1, 2], null, [3, 4], [5, 6], [7, 8]]],
    nested: [listOf(listOf(new Int64())), [[[1n], []], null, [], [null, [2n]], [[3n, 4n]]]],
    struct: [
      new Struct([new Field("a", new Int32(), true), new Field("b", listOf(new Utf8()), true)]),
      [{ a: 1, b: ["x"] }, null, { a: null, b: [] }, { a: 4, b: null }, { a: 5, b: ["y", "z"] }],
    ],
    map: [
      new Map_(
        new Field(
          "entries",
          new Struct<{ key: Utf8; value: Int32 }>([
            new Field("key", new Utf8(), false),
            new Field("value", new Int32(), true),
          ]),
          false,
        ),
      ),
      [
        new Map([["a", 1]]),
        null,
        new Map(),
        new Map([
          ["b", 2],
          ["c", 3],
        ]),
        new Map([["d", 4]]),
      ],
    ],
    time: [new TimestampMillisecond(), [0, null, 1e12, -1, 5]],
    halves: [new Float16(), [0, 1.5, null, -2, 0.25]],
    fixed: [
      new FixedSizeBinary(3),
      [Uint8Array.of(1, 2, 3), null, Uint8Array.of(4, 5, 6), Uint8Array.of(7, 8, 9), new Uint8Array(3)],
    ],
    price: [
      new Decimal(2, 10, 128),
      [
        Uint32Array.of(1, 0, 0, 0),
        null,
        Uint32Array.of(2, 1, 0, 0),
        new Uint32Array(4),
        Uint32Array.of(3, 0, 0, 1),
      ],
    ],
    word: [new Dictionary(new Utf8(), new Int32()), ["red", "blue", null, "red", "blue"]],
  });
}

/** Returns the rows as plain values, independent of the memory layout of the batch. */
const rowsOf = (batch: RecordBatch): unknown =>
  plain(Array.from({ length: batch.numRows }, (_, row) => batch.get(row)?.toJSON()));

function plain(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as Iterable<unknown>);
  if (Symbol.iterator in value && !("toJSON" in value)) return Array.from(value as Iterable<unknown>, plain);
  const json = "toJSON" in value ? (value.toJSON as () => unknown)() : value;
  if (Array.isArray(json)) return json.map(plain);
  return Object.fromEntries(Object.entries(json as object).map(([key, inner]) => [key, plain(inner)]));
}

function crossed(batch: RecordBatch): RecordBatch {
  const transferable = toTransferable(batch);
  return fromTransferable(structuredClone(transferable, { transfer: [...transferable.buffers] }));
}

describe("a transferred batch", () => {
  test("keeps every value, null and empty list of every type", () => {
    const expected = rowsOf(allTypes());
    const batch = crossed(allTypes());
    expect(rowsOf(batch)).toEqual(expected);
    expect(batch.schema.toString()).toBe(allTypes().schema.toString());
    expect(RecordBatch.isRecordBatch(batch)).toBe(true);
  });

  test("survives a round trip through arrow-js's IPC stream", () => {
    const batch = crossed(allTypes());
    const [read] = tableFromIPC(tableToIPC(new Table([batch]), "stream")).batches;
    expect(rowsOf(read!)).toEqual(rowsOf(allTypes()));
  });

  test("passes through a real message port", async () => {
    const { port1, port2 } = new MessageChannel();
    const transferable = toTransferable(allTypes());
    port1.postMessage(transferable, [...transferable.buffers]);
    const [message] = (await once(port2, "message")) as [TransferableBatch];
    port1.close();
    expect(rowsOf(fromTransferable(message))).toEqual(rowsOf(allTypes()));
  });

  test.each(
    [0, 1, 2, 3, 4].flatMap((from) =>
      [0, 1, 2, 3, 4, 5].filter((to) => to >= from).map((to) => [from, to] as const),
    ),
  )("may be a slice: rows %i to %i", (from, to) => {
    const whole = allTypes();
    const expected = (rowsOf(whole) as unknown[]).slice(from, to);
    expect(rowsOf(crossed(whole.slice(from, to)))).toEqual(expected);
    // The original batch still has all its rows.
    expect(rowsOf(whole)).toEqual(rowsOf(allTypes()));
  });

  test("may be a slice of a slice, even if a bitmap starts within a byte", () => {
    const values = Array.from({ length: 100 }, (_, i) => (i % 3 === 0 ? null : i % 2 === 0));
    const batch = batchOf({ flags: [new Bool(), values] });
    for (const [from, to] of [
      [3, 90],
      [8, 70],
      [13, 14],
    ] as const) {
      const slice = batch.slice(from, to).slice(5, 9_999);
      expect(rowsOf(crossed(slice))).toEqual(values.slice(from + 5, to).map((flags) => ({ flags })));
    }
  });

  test("may have no rows, or no columns", () => {
    const empty = batchOf({ a: [listOf(new LargeBinary()), []] });
    expect(crossed(empty).numRows).toBe(0);
    expect(rowsOf(crossed(allTypes().slice(0, 0)))).toEqual([]);
    expect(crossed(batchWith([], [], 7)).numRows).toBe(7);
  });

  test("keeps the metadata of the schema, the fields and the batch", () => {
    const field = new Field("a", new Int32(), true, new Map([["unit", "m"]]));
    const schema = new Schema([field], new Map([["origin", "test"]]));
    const data = makeData({
      type: new Struct([field]),
      length: 1,
      nullCount: 0,
      children: [makeData({ type: new Int32(), length: 1, nullCount: 0, data: Int32Array.of(5) })],
    });
    const batch = crossed(new RecordBatch(schema, data, new Map([["part", "3"]])));
    expect([...batch.schema.metadata]).toEqual([["origin", "test"]]);
    expect([...(batch.schema.fields[0] as Field).metadata]).toEqual([["unit", "m"]]);
    expect([...batch.metadata]).toEqual([["part", "3"]]);
  });

  test("keeps its rows if its layout passes through JSON", () => {
    const { layout, buffers } = toTransferable(allTypes());
    const again = { layout: JSON.parse(JSON.stringify(layout)) as typeof layout, buffers };
    expect(rowsOf(fromTransferable(again))).toEqual(rowsOf(allTypes()));
  });

  test("may come from the tf.Example decoder", () => {
    const decoder = createExampleDecoder({ rawRecordColumn: "raw" });
    const records = [
      encodeExample({ a: { kind: "int64", values: [1, 2] }, b: { kind: "bytes", values: ["x"] } }),
      encodeExample({ a: null, b: { kind: "bytes", values: [] } }),
    ];
    const expected = rowsOf(decoder.decode(records));
    expect(rowsOf(crossed(decoder.decode(records)))).toEqual(expected);
  });
});

/** Creates a batch with one int32 column for each view. Does not copy the views. */
function packedBatch(views: readonly Int32Array[]): RecordBatch {
  const fields = views.map((_, index) => new Field(`c${index}`, new Int32(), false));
  const length = views[0]?.length ?? 0;
  const children = views.map((data) => makeData({ type: new Int32(), length, nullCount: 0, data }));
  return batchWith(fields, children);
}

test("toTransferable and fromTransferable preserve random batches and their slices", () => {
  const draw = new Draw(seededRandom(20));
  for (let round = 0; round < 150; round++) {
    const types = { a: randomType(draw, 3), b: randomType(draw, 2) };
    const batch = randomBatch(draw, types, draw.below(20));
    const from = draw.below(batch.numRows + 1);
    const slice = batch.slice(from, from + draw.below(batch.numRows - from + 1));
    const expected = [rowsOf(slice), rowsOf(batch)];
    expect([rowsOf(crossed(slice)), rowsOf(crossed(batch))]).toEqual(expected);
  }
});

describe("the memory of a batch", () => {
  test("is transferred without a copy, and each buffer only once, if the batch fills its buffers", () => {
    // Two columns of 20 bytes, 64-byte aligned in one buffer: 20 bytes, 44 zeros, 20 bytes.
    const buffer = new ArrayBuffer(84);
    const batch = packedBatch([new Int32Array(buffer, 0, 5).fill(1), new Int32Array(buffer, 64, 5).fill(2)]);
    const { buffers, layout } = toTransferable(batch, { schema: batch.schema });
    expect(buffers).toHaveLength(1);
    expect(buffers[0]).toBe(buffer);
    expect(layout.ranges).toEqual([
      [0, 0, 20],
      [0, 64, 20],
    ]);
    structuredClone(buffers, { transfer: [...buffers] });
    expect(buffer.byteLength).toBe(0);
  });

  const testWasm = kernelInfo().name === "wasm" ? test : test.skip;
  testWasm("is transferred without a copy if the WebAssembly kernel decoded the batch", () => {
    const records = range(100).map((i) =>
      encodeExample({
        a: { kind: "int64", values: range(i % 5) },
        b: i % 3 === 0 ? null : { kind: "bytes", values: ["x".repeat(i % 7)] },
      }),
    );
    const batch = createExampleDecoder().decode(records);
    const { buffers } = toTransferable(batch, { schema: batch.schema });
    expect(buffers).toEqual([batch.data.children[0]?.valueOffsets?.buffer]);
    expect(buffers[0]).toBe(batch.data.children[0]?.valueOffsets?.buffer);
  });

  test("is transferred once if columns share a range", () => {
    const data = Int32Array.of(1, 2, 3);
    const batch = packedBatch([data, data]);
    const { buffers, layout } = toTransferable(batch, { schema: batch.schema });
    expect(buffers).toEqual([data.buffer]);
    expect(layout.ranges).toEqual([[0, 0, 12]]);
  });

  test("is copied and stays with the sender if the batch uses only part of a buffer", () => {
    const own = Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    for (const part of [own.subarray(0, 7), own.subarray(1)]) {
      const { buffers } = toTransferable(packedBatch([part]));
      structuredClone(buffers, { transfer: [...buffers] });
      expect([...own]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    }
  });

  test("goes into one buffer if it is copied, with each range at a multiple of 64 bytes", () => {
    const own = Int32Array.of(1, 2, 3, 4);
    const batch = packedBatch([own.subarray(0, 3), own.subarray(1, 4)]).slice(0, 2);
    const { buffers, layout } = toTransferable(batch, { schema: batch.schema });
    expect(layout.ranges).toEqual([
      [0, 0, 8],
      [0, 64, 8],
    ]);
    expect(buffers[0]?.byteLength).toBe(128);
  });

  test("outside a slice's rows is not copied", () => {
    const values = Array.from({ length: 1000 }, (_, i) => Array.from({ length: 10 }, () => BigInt(i)));
    const slice = batchOf({ a: [listOf(new Int64()), values] }).slice(500, 501);
    const { buffers } = toTransferable(slice, { schema: slice.schema });
    // 10 values of 8 bytes, 2 offsets of 4 bytes, and at most a byte of validity, each of the three at a multiple of 64 bytes.
    expect(buffers.reduce((bytes, { byteLength }) => bytes + byteLength, 0)).toBeLessThanOrEqual(256);
  });

  test("is copied if it is a SharedArrayBuffer", () => {
    const shared = new Int32Array(new SharedArrayBuffer(12));
    shared.set([1, 2, 3]);
    const { buffers } = toTransferable(packedBatch([shared]));
    structuredClone(buffers, { transfer: [...buffers] });
    expect([...shared]).toEqual([1, 2, 3]);
  });

  test("stays shared if keepShared is set, even if other columns are transferred", () => {
    const shared = new Int32Array(new SharedArrayBuffer(64), 16, 3);
    shared.set([1, 2, 3]);
    const own = Int32Array.of(4, 5, 6, 0).subarray(0, 3);
    const batch = packedBatch([shared, own, shared]);
    const sent = toTransferable(batch, { schema: batch.schema, keepShared: true });
    expect(sent.shared).toEqual([shared.buffer]);
    expect(sent.layout.ranges).toEqual([
      [0, 16, 12],
      [1, 0, 12],
    ]);
    const received = fromTransferable(structuredClone(sent, { transfer: [...sent.buffers] }), {
      schema: batch.schema,
    });
    const values = range(3).map((column) => [...(received.getChildAt(column)?.toArray() ?? [])]);
    expect(values).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [1, 2, 3],
    ]);
    shared[0] = 7;
    expect(received.getChildAt(2)?.get(0)).toBe(7);
    expect(own).toHaveLength(3);
  });

  test("is copied if it belongs to a dictionary, because the next batch may share the dictionary", () => {
    const dictionary = vectorFromArray(["red", "blue"], new Utf8());
    const type = new Dictionary(new Utf8(), new Int32());
    const of = (codes: Int32Array): RecordBatch =>
      batchOf({ word: makeData({ type, length: codes.length, nullCount: 0, data: codes, dictionary }) });
    expect(rowsOf(crossed(of(Int32Array.of(0, 1))))).toEqual([{ word: "red" }, { word: "blue" }]);
    expect(rowsOf(crossed(of(Int32Array.of(1, 1))))).toEqual([{ word: "blue" }, { word: "blue" }]);
  });

  test("stays 64-byte aligned after a transfer", () => {
    const buffer = new ArrayBuffer(84);
    const batch = crossed(packedBatch([new Int32Array(buffer, 0, 5), new Int32Array(buffer, 64, 5)]));
    expect(batch.data.children.map(({ values }) => (values as Int32Array).byteOffset)).toEqual([0, 64]);
  });
});

describe("the schema of a stream", () => {
  test("is sent only once if each side passes in the previous schema", () => {
    const batch = allTypes();
    const first = toTransferable(batch);
    const second = toTransferable(batch.slice(1, 3), { schema: batch.schema });
    expect(first.layout.schema).toBe(first.buffers.length - 1);
    expect(second.layout.schema).toBeUndefined();
    const { schema } = fromTransferable(first);
    const received = fromTransferable(second, { schema });
    expect(received.schema.toString()).toBe(schema.toString());
    expect(rowsOf(received)).toEqual((rowsOf(allTypes()) as unknown[]).slice(1, 3));
  });

  test("is sent again if a name, a type, nullability, metadata or the number of fields has changed", () => {
    const batch = packedBatch([Int32Array.of(1)]);
    const [field] = batch.schema.fields as [Field];
    const others = [
      new Schema([new Field("other", field.type, false)]),
      new Schema([new Field("c0", field.type, true)]),
      new Schema([new Field("c0", new Float32(), false)]),
      new Schema([new Field("c0", field.type, false, new Map([["unit", "m"]]))]),
      new Schema([field], new Map([["origin", "test"]])),
      new Schema([]),
    ];
    for (const schema of others) expect(toTransferable(batch, { schema }).layout.schema).toBeDefined();
    expect(toTransferable(batch, { schema: new Schema([field]) }).layout.schema).toBeUndefined();
  });

  test("must be passed to fromTransferable if the sender did not send the schema", () => {
    const batch = allTypes();
    const transferable = toTransferable(batch, { schema: batch.schema });
    expect(() => fromTransferable(transferable)).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "schema-not-sent" }),
    );
  });
});

describe("toTransferable rejects", () => {
  test("a union column", () => {
    const type = new SparseUnion([0], [new Field("a", new Int32(), true)]);
    const child = makeData({ type: new Int32(), length: 1, nullCount: 0, data: Int32Array.of(1) });
    const union = makeData({ type, length: 1, typeIds: Int8Array.of(0), children: [child] });
    expect(() => toTransferable(batchOf({ u: union }))).toThrow(
      expect.objectContaining({
        code: "unsupported",
        reason: "column-type",
        message: expect.stringContaining("Union"),
      }),
    );
  });

  test("a batch that was already transferred", () => {
    const batch = packedBatch([Int32Array.of(1, 2)]);
    const { buffers } = toTransferable(batch);
    structuredClone(buffers, { transfer: [...buffers] });
    expect(() => toTransferable(batch)).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "detached-buffer" }),
    );
  });
});
