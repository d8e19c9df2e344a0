import { create, toBinary } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "@jest/globals";
import { BytesColumn } from "@tfxio/arrow-encoding";
import { jsonl } from "@tfxio/formats-jsonl";
import { parquet } from "@tfxio/formats-parquet";
import { type MessageType, parseProto } from "@tfxio/formats-protobuf";
import { parseSchemaText } from "@tfxio/schema";
import { memoryTarget, openSources } from "@tfxio/wire";
import {
  calculate,
  calculateBatches,
  createQueryPlan,
  fromProto,
  fromReader,
  fromRecordBatch,
  batchPlaceholder,
  type PayloadCallback,
  protoPlaceholder,
  toRecordBatch,
} from "@tfxio/struct2tensor";
import {
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  FixedSizeBinary,
  Float16,
  Int8,
  makeData,
  makeVector,
  RecordBatch,
  Table,
  tableFromArrays,
  TimeSecond,
  TimestampSecond,
  type Vector,
  vectorFromArray,
  List,
  Field,
  Struct,
  Utf8,
  Int32,
  Int64,
  Uint8,
} from "apache-arrow";
import { flattenPrensor } from "../naive/data.js";
import { thrownBy } from "../thrown-by.js";

const proto = `syntax = "proto2"; package shop;
  message Item { required string sku = 1; optional int64 count = 2; }
  message Order {
    optional int64 id = 1; repeated Item item = 2; oneof who { Item gift = 3; string name = 4; }
    repeated group Line = 5 { optional int32 n = 1; } map<string, Item> by_key = 6; optional Item last = 7;
  }`;

async function orders(): Promise<MessageType> {
  return parseProto(proto, "shop.Order");
}

describe("messages", () => {
  test("are read from text and proto JSON, with exact 64-bit integers", async () => {
    const type = await orders();
    const text = fromProto(['id: 9007199254740993 item { sku: "a" } item { sku: "b" count: -1 }'], type, {
      messageFormat: "text",
    });
    const json = fromProto(
      ['{"id":"9007199254740993","item":[{"sku":"a"},{"sku":"b","count":"-1"}]}'],
      type,
      {
        messageFormat: "json",
      },
    );
    for (const expression of [text, json]) {
      const nodes = flattenPrensor(await calculate(expression.project(["id", "item.sku", "item.count"])));
      expect(nodes["id"]?.values).toEqual([9007199254740993n]);
      expect(nodes["item.sku"]).toMatchObject({ parentIndex: [0, 1], values: ["a", "b"] });
      expect(nodes["item.count"]).toMatchObject({ parentIndex: [1], values: [-1n] });
    }
  });

  test("are rejected if their text or JSON is malformed, or if their text lacks a required field", async () => {
    const type = await orders();
    const records = ["id: 1", "id: x"];
    await expect(
      calculate(fromProto(records, type, { messageFormat: "text" }).project(["id"])),
    ).rejects.toMatchObject({
      code: "malformed-payload",
      reason: "proto-text",
      recordIndex: 1,
    });
    await expect(
      calculate(fromProto(["item {}"], type, { messageFormat: "text" }).project(["id"])),
    ).rejects.toMatchObject({
      reason: "proto-text",
    });
    await expect(
      calculate(fromProto(["{"], type, { messageFormat: "json" }).project(["id"])),
    ).rejects.toMatchObject({
      reason: "proto-json",
    });
  });

  test("are skipped on request if they are malformed, and the rows keep the indices of their records", async () => {
    const plan = await createQueryPlan([
      protoPlaceholder(await orders(), { onMalformed: "skip" }).project(["id"]),
    ]);
    const records = [Uint8Array.of(8, 1), Uint8Array.of(255), Uint8Array.of(8, 3)];
    const { prensors, recordIndices, numSkipped } = plan.calculate({ records });
    expect(flattenPrensor(prensors[0]!)["id"]).toMatchObject({ values: [1n, 3n] });
    expect([recordIndices, numSkipped]).toEqual([Int32Array.of(0, 2), 1]);
  });

  test.each(["text", "json"] as const)(
    "in %s are skipped or read as null on request if they are malformed",
    async (messageFormat) => {
      const type = await orders();
      const records =
        messageFormat === "text" ? ["id: 1", "id: x", "id: 3"] : ['{"id":"1"}', "{", '{"id":"3"}'];
      const idsWith = async (onMalformed: "skip" | "null") => {
        const plan = await createQueryPlan([
          protoPlaceholder(type, { messageFormat, onMalformed }).project(["id"]),
        ]);
        const { prensors, recordIndices, numSkipped } = plan.calculate({ records });
        return { ...flattenPrensor(prensors[0]!)["id"], recordIndices, numSkipped };
      };
      expect(await idsWith("skip")).toMatchObject({
        parentIndex: [0, 1],
        values: [1n, 3n],
        recordIndices: Int32Array.of(0, 2),
        numSkipped: 1,
      });
      expect(await idsWith("null")).toMatchObject({ parentIndex: [0, 2], values: [1n, 3n] });
    },
  );

  test("of a singular field are merged or reduced to the last one before a transform, depending on singularMessage", async () => {
    const type = await orders();
    // last { sku: "a" } last { count: 1 }
    const record = Uint8Array.of(58, 3, 10, 1, 97, 58, 2, 16, 1);
    const seen: number[][] = [];
    const lastOf = async (singularMessage: "merge" | "last") => {
      const query = fromProto([record], type, { singularMessage }).transformField("last", "t", (messages) => {
        seen.push([...messages.payloads.get(0)]);
        return messages;
      });
      return flattenPrensor(await calculate(query.project(["t.sku", "t.count"])));
    };
    expect(await lastOf("merge")).toMatchObject({ "t.sku": { values: ["a"] }, "t.count": { values: [1n] } });
    expect(await lastOf("last")).toMatchObject({ "t.sku": { values: [] }, "t.count": { values: [1n] } });
    expect(seen).toEqual([
      [10, 1, 97, 16, 1],
      [16, 1],
    ]);
  });

  test("are transformed only if they are the last member of their oneof in the record", async () => {
    const type = await orders();
    // gift { sku: "a" } name: "x", then the same fields in reverse order
    const gift = [26, 3, 10, 1, 97];
    const name = [34, 1, 120];
    const query = fromProto([Uint8Array.of(...gift, ...name), Uint8Array.of(...name, ...gift)], type)
      .transformField("gift", "t", (messages) => messages)
      .project(["t.sku"]);
    expect(flattenPrensor(await calculate(query))["t"]).toMatchObject({ parentIndex: [1] });
  });

  test("are cleared by a later group of the same oneof", async () => {
    // message Order { oneof who { Item gift = 3; group Pack = 8 { optional int32 n = 1; } } }
    const { GROUP, INT32, MESSAGE, STRING } = FieldDescriptorProto_Type;
    const label = FieldDescriptorProto_Label.OPTIONAL;
    const gift = { name: "gift", number: 3, label, type: MESSAGE, typeName: ".shop.Item", oneofIndex: 0 };
    const pack = { name: "pack", number: 8, label, type: GROUP, typeName: ".shop.Order.Pack", oneofIndex: 0 };
    const order = {
      name: "Order",
      field: [gift, pack],
      oneofDecl: [{ name: "who" }],
      nestedType: [{ name: "Pack", field: [{ name: "n", number: 1, label, type: INT32 }] }],
    };
    const item = { name: "Item", field: [{ name: "sku", number: 1, label, type: STRING }] };
    const file = { name: "shop.proto", package: "shop", syntax: "proto2", messageType: [item, order] };
    const set = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [file] }));
    const type = { descriptor: base64Encode(set), message: "shop.Order" };
    // gift { sku: "a" } Pack { n: 5 }, then the same fields in reverse order
    const [given, packed] = [
      [26, 3, 10, 1, 97],
      [67, 8, 5, 68],
    ] as const;
    const query = fromProto([Uint8Array.of(...given, ...packed), Uint8Array.of(...packed, ...given)], type)
      .transformField("gift", "t", (messages) => messages)
      .project(["t.sku"]);
    expect(flattenPrensor(await calculate(query))["t"]).toMatchObject({ parentIndex: [1] });
  });

  test("can be transformed twice, and the plan reads only the fields that the query needs", async () => {
    const twice: PayloadCallback = ({ parentIndex, payloads }) => ({
      parentIndex: Int32Array.from([...parentIndex, ...parentIndex]).sort(),
      payloads: BytesColumn.from([...payloads.toArray(), ...payloads.toArray()]),
    });
    // item { sku: "a" }
    const order = fromProto([Uint8Array.of(18, 3, 10, 1, 97)], await orders());
    const query = order.transformField("item", "t", twice).transformField("t", "u", twice);
    expect(flattenPrensor(await calculate(query.project(["t.sku", "u.sku"])))).toMatchObject({
      "t.sku": { values: ["a", "a"] },
      "u.sku": { values: ["a", "a", "a", "a"] },
    });
    const plan = await createQueryPlan([query.project(["u.sku"])]);
    expect(plan.sourcePaths["records"]?.map(String)).toEqual(["item.sku"]);
  });

  test("are rejected if a transform assigns them to a parent that does not exist", async () => {
    // item { sku: "a" }
    const order = fromProto([Uint8Array.of(18, 3, 10, 1, 97)], await orders());
    for (const parent of [-1, 1]) {
      const strayed: PayloadCallback = ({ payloads }) => ({ parentIndex: Int32Array.of(parent), payloads });
      const query = order.transformField("item", "t", strayed).project(["t.sku"]);
      await expect(calculate(query)).rejects.toMatchObject({
        reason: "expression-shape",
        message: expect.stringContaining(
          `must be at least 0 and below 1, the number of parent messages, found ${parent}`,
        ),
      });
    }
  });

  test("are the only fields that can be transformed: groups, maps, map values and scalars are rejected", async () => {
    const order = protoPlaceholder(await orders());
    for (const [path, found] of [
      ["line", "repeated message."],
      ["by_key", "repeated message."],
      ["by_key[x]", "optional message."],
      ["id", "optional int64."],
    ] as const) {
      expect(thrownBy(() => order.transformField(path, "t", (messages) => messages))).toMatchObject({
        reason: "not-a-proto-message",
        message: expect.stringContaining(
          "must be an ordinary message field of a protobuf source (not a group, map, extension or computed message), " +
            `found ${found}`,
        ),
      });
    }
  });

  test("are rejected if their type is unknown, a descriptor or option is invalid, or the records are not a list", async () => {
    const type = await orders();
    expect(() => protoPlaceholder({ ...type, message: "shop.Nope" })).toThrow('no message type "shop.Nope"');
    expect(() => protoPlaceholder({ ...type, descriptor: "AAAA" })).toThrow(
      "not a complete FileDescriptorSet",
    );
    expect(() => protoPlaceholder(type, { messageFormat: "xml" as never })).toThrow("messageFormat");
    expect(() => protoPlaceholder(type, { speed: 3 } as never)).toThrow('no option "speed"');
    expect(() => fromProto("x" as never, type)).toThrow("must be a list of records");
    const query = protoPlaceholder(type).project(["id"]);
    await expect(calculate(query, { records: "x" })).rejects.toThrow("must be a list of records");
  });
});

const itemType = new Struct([new Field("sku", new Utf8(), true), new Field("count", new Int32(), true)]);

function batchOf(
  columns: Readonly<Record<string, { readonly type: DataType; readonly rows: readonly unknown[] }>>,
): RecordBatch {
  const vectors = Object.fromEntries(
    Object.entries(columns).map(([name, { type, rows }]) => [name, vectorFromArray(rows, type)]),
  );
  return new Table(vectors).batches[0]!;
}

describe("record batches", () => {
  test("become prensors with repeated fields for lists, optional fields otherwise, and no elements for nulls", async () => {
    const batch = batchOf({
      item: {
        type: new List(new Field("item", itemType, true)),
        rows: [
          [
            { sku: "a", count: null },
            { sku: null, count: 2 },
          ],
          null,
          [],
        ],
      },
      best: { type: itemType, rows: [{ sku: "z", count: 1 }, null, { sku: "y", count: 3 }] },
      grid: {
        type: new List(new Field("item", new List(new Field("item", new Int32(), true)), true)),
        rows: [[[1, 2], []], null, [[3]]],
      },
    });
    expect(flattenPrensor(await calculate(fromRecordBatch(batch)))).toMatchObject({
      item: { isRepeated: true, parentIndex: [0, 0] },
      "item.sku": { isRepeated: false, parentIndex: [0], values: ["a"] },
      "item.count": { parentIndex: [1], values: [2] },
      best: { isRepeated: false, parentIndex: [0, 2] },
      "best.sku": { parentIndex: [0, 1], values: ["z", "y"] },
      grid: { isRepeated: true, parentIndex: [0, 0, 2] },
      "grid.data": { isRepeated: true, parentIndex: [0, 0, 2], values: [1, 2, 3] },
    });
  });

  test("are rejected for a null inside a list, but only if the query reads that list", async () => {
    const batch = batchOf({ v: { type: new List(new Field("item", new Int32(), true)), rows: [[1, null]] } });
    await expect(calculate(fromRecordBatch(batch))).rejects.toMatchObject({
      reason: "null-in-list",
      columnPath: "v",
    });
    await expect(calculate(fromRecordBatch(batch).project([""]))).resolves.toMatchObject({
      node: { size: 1 },
    });
  });

  test("are rejected for a column whose type is not the declared one, but only if the query reads that column", async () => {
    const declared = batchOf({ v: { type: new Int32(), rows: [1] }, w: { type: new Utf8(), rows: ["a"] } });
    const plan = await createQueryPlan([batchPlaceholder(declared.schema).project(["v"])]);
    const wide = { v: { type: new Int64(), rows: [1n] }, w: { type: new Utf8(), rows: ["a"] } };
    expect(thrownBy(() => plan.calculate({ batch: batchOf(wide) }))).toMatchObject({
      reason: "declared-type",
      message: expect.stringContaining('The field "v" must be optional int32, found optional int64.'),
    });
    const other = { v: { type: new Int32(), rows: [7] }, w: { type: new Int64(), rows: [1n] } };
    expect(flattenPrensor(plan.calculate({ batch: batchOf(other) }).prensors[0]!)["v"]?.values).toEqual([7]);
  });

  test("may have a uint8 column where a bool is declared, because lists store bools as uint8 and mark them only in metadata", async () => {
    const ok = vectorFromArray([true, false]);
    const declared = batchOf({ ok: { type: ok.type, rows: [true] } });
    const plan = await createQueryPlan([batchPlaceholder(declared.schema)]);
    const result = plan.calculate({ batch: batchOf({ ok: { type: new Uint8(), rows: [1, 0] } }) });
    expect(flattenPrensor(result.prensors[0]!)["ok"]).toMatchObject({ dtype: "bool", values: [true, false] });
  });

  test("may contain dictionary and boolean columns", async () => {
    const table = tableFromArrays({ kind: ["x", "y", "x"] });
    const bools = batchOf({ ok: { type: vectorFromArray([true]).type, rows: [true, null, false] } });
    expect(flattenPrensor(await calculate(fromRecordBatch(table.batches[0]!)))["kind"]).toMatchObject({
      values: ["x", "y", "x"],
    });
    expect(flattenPrensor(await calculate(fromRecordBatch(bools)))["ok"]).toMatchObject({
      dtype: "bool",
      parentIndex: [0, 2],
      values: [true, false],
    });
  });
});

/** Creates a batch with one optional dictionary column `v`. Null keys and null entries are both possible. */
function dictionaryBatch(entries: Vector, keys: readonly (number | null)[]): RecordBatch {
  const indices = vectorFromArray(keys, new Int8()).data[0]!;
  const type = new Dictionary(entries.type, new Int8());
  const data = indices.clone(type as never);
  Object.assign(data, { dictionary: entries });
  return new Table({ v: makeVector(data as never) }).batches[0]!;
}

describe("dictionary columns", () => {
  const flat = async (batch: RecordBatch): Promise<unknown> =>
    flattenPrensor(await calculate(fromRecordBatch(batch)))["v"];

  test("have no element for a null key, and none for a null entry of the dictionary", async () => {
    const texts = vectorFromArray(["a", null, "b"], new Utf8());
    expect(await flat(dictionaryBatch(texts, [1, 2, null, 0, 1]))).toMatchObject({
      parentIndex: [1, 3],
      values: ["b", "a"],
    });
    const integers = vectorFromArray([7, null], new Int32());
    expect(await flat(dictionaryBatch(integers, [0, 1]))).toMatchObject({ parentIndex: [0], values: [7] });
  });

  test.each<[string, Vector, string, readonly unknown[]]>([
    ["dates", vectorFromArray([new Date(86_400_000), null], new DateDay()), "int32", [1]],
    [
      "timestamps",
      makeVector(makeData({ type: new TimestampSecond(), data: BigInt64Array.of(2n) })),
      "int64",
      [2n],
    ],
    ["times", makeVector(makeData({ type: new TimeSecond(), data: Int32Array.of(3) })), "int32", [3]],
    ["booleans", vectorFromArray([true, null], new Bool()), "bool", [true]],
    [
      "float16",
      makeVector(makeData({ type: new Float16(), data: Uint16Array.of(0x3e00, 0) })),
      "float32",
      [1.5],
    ],
    [
      "decimals",
      makeVector(makeData({ type: new Decimal(2, 5), data: Uint32Array.of(125, 0, 0, 0, 0, 0, 0, 0) })),
      "string",
      ["1.25"],
    ],
    [
      "bytes of a fixed size",
      makeVector(makeData({ type: new FixedSizeBinary(2), data: Uint8Array.of(97, 98, 99, 100) })),
      "string",
      ["ab"],
    ],
  ])("of %s have the dtype and values of their entries", async (_, entries, dtype, values) => {
    expect(await flat(dictionaryBatch(entries, [0, null]))).toMatchObject({
      dtype,
      parentIndex: [0],
      values,
    });
  });
});

test("float16 columns become float32 fields of a prensor", async () => {
  const data = makeData({ type: new Float16(), data: Uint16Array.of(0x3e00, 0xfc00) });
  const batch = new Table({ v: makeVector(data) }).batches[0]!;
  const prensor = await calculate(fromRecordBatch(batch));
  expect(prensor.leaf("v")).toMatchObject({ dtype: "float32", values: Float32Array.of(1.5, -Infinity) });
});

describe("files", () => {
  test("in Parquet format are read batch by batch, with only the columns that the query needs", async () => {
    const batch = toRecordBatch(
      await calculate(
        fromRecordBatch(
          batchOf({
            item: {
              type: new List(new Field("item", itemType, true)),
              rows: [
                [
                  { sku: "a", count: 1 },
                  { sku: "b", count: 2 },
                ],
                [],
                [{ sku: "c", count: 3 }],
              ],
            },
            unread: { type: new Utf8(), rows: ["p", "q", "r"] },
          }),
        ),
      ),
    );
    const target = memoryTarget();
    const writer = await parquet.createWriter(target, { arrowSchema: batch.schema });
    await writer.write(batch);
    await writer.finish();
    await target.commit();
    const reader = await parquet.open(await openSources(target.bytes()));
    const asked: unknown[] = [];
    const spying = {
      ...reader,
      plan: (request: Parameters<typeof reader.plan>[0]) => (
        asked.push(request?.columns?.map(String)), reader.plan(request)
      ),
    };
    const expression = (await fromReader(spying)).promote("item.sku", "skus").project(["skus"]);
    const skus: unknown[] = [];
    for await (const { prensors } of calculateBatches(spying, [expression], { batchSize: 2 })) {
      skus.push(flattenPrensor(prensors[0]!)["skus"]);
    }
    expect(skus).toMatchObject([
      { parentIndex: [0, 0], values: ["a", "b"] },
      { parentIndex: [0], values: ["c"] },
    ]);
    expect(asked).toEqual([undefined, ["item.sku"]]);
    await reader.close();
  });

  test("in Parquet format can have a column or field named `data`, although paths also use this name for the items of an inner list", async () => {
    const lists = (type: DataType): DataType => new List(new Field("item", type, true));
    const inner = new Struct([new Field("data", new Int32(), true)]);
    const table = new Table({
      data: vectorFromArray([[{ data: 1 }], [{ data: 2 }, { data: 3 }]], lists(inner)),
      nested: vectorFromArray([[[4], [5]], [[6]]], lists(lists(new Int32()))),
    });
    const target = memoryTarget();
    const writer = await parquet.createWriter(target, { arrowSchema: table.schema });
    for (const batch of table.batches) await writer.write(batch);
    await writer.finish();
    await target.commit();
    const reader = await parquet.open(await openSources(target.bytes()));
    const expression = (await fromReader(reader)).project(["data.data", "nested.data"]);
    const found: unknown[] = [];
    for await (const { prensors } of calculateBatches(reader, [expression]))
      found.push(flattenPrensor(prensors[0]!));
    expect(found).toMatchObject([
      { "data.data": { values: [1, 2, 3] }, "nested.data": { values: [4, 5, 6] } },
    ]);
    await reader.close();
  });

  test("in JSON Lines format are rejected without a schema, and are read with a schema", async () => {
    const lines = new TextEncoder().encode('{"id": 7, "tag": ["x", "y"]}\n{"tag": []}\n');
    const reader = await jsonl.open(await openSources(lines));
    await expect(fromReader(reader)).rejects.toMatchObject({ code: "schema-required" });
    const schema = parseSchemaText('feature { name: "id" type: INT } feature { name: "tag" type: BYTES }');
    const expression = (await fromReader(reader, { schema })).size("tag", "n");
    const flat: unknown[] = [];
    for await (const { prensors } of calculateBatches(reader, [expression], { schema })) {
      flat.push(flattenPrensor(prensors[0]!));
    }
    expect(flat).toMatchObject([
      {
        id: { parentIndex: [0], values: [7n] },
        tag: { parentIndex: [0, 0], values: ["x", "y"] },
        n: { values: [2n, 0n] },
      },
    ]);
    await reader.close();
  });
});
